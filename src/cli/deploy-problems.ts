/** What prevents a deploy, each with the command that solves it. Rules only: nothing is queried here. */
import { NAMES_NOBODY, namesNobody, readAllowedEmails } from "../auth/allowed-emails.ts";
import { HarnessName } from "../contract/ids.ts";
import { BAD_BUDGET, badDayBudget, DAY_BUDGETS, readAmount, unreadableDayBudgets } from "../model/budgets.ts";
import { namedModels } from "../model/named-models.ts";
import { priceOf } from "../model/token-prices.ts";
import { switchProblems } from "../settings.ts";

/** The relevant part of wrangler's configuration. */
export type DeployConfig = {
  readonly vars: Readonly<Record<string, unknown>>;
  readonly send_email: readonly { readonly name: string }[];
  readonly d1_databases: readonly { readonly binding: string; readonly database_id?: string }[];
};

/**
 * Variables that are convenient on one's own machine. With one of them, a public Worker would be open to everybody or to nobody, make up
 * prices or answers, or send its notices nowhere.
 */
const DEVELOPMENT_ONLY = [
  "AUTH_DISABLED",
  "DEMO_MODEL",
  "DEMO_PRICES_URL",
  "FRONT_SECRET",
  "LOOPBACK_PUSH",
  "PRINT_NOTICES",
  "PRINT_SIGN_IN_CODES",
  "RATE_LIMITS_DISABLED",
] as const;

/** Signs log-ins and codes. */
const SIGN_IN_SECRET = "BETTER_AUTH_SECRET";

/** One of these pays for the model. */
const CREDENTIALS = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"] as const;

/** Sometimes set in place of one of them, because the vendor's own client uses it (decision 0076). */
const SUBSCRIPTION_TOKEN = "CLAUDE_CODE_OAUTH_TOKEN";

/** The address that codes and invitations are sent from, as a variable or as a secret. */
const SENDER = "MAIL_FROM";

/** Where notices lead, and how many mails leave in an hour. */
const ORIGIN = "APP_ORIGIN";
const MAILS = "MAILS_PER_HOUR";

const isHttpsOrigin = (text: string): boolean => URL.parse(text)?.protocol === "https:";

/** Where push services find the operator. Apple's refuses a name that only one's own machines know, and then everything that is pushed. */
const SUBJECT = "VAPID_SUBJECT";

const isContact = (text: string): boolean =>
  /^(mailto:[^\s@<>]+@|https:\/\/)([\w-]+\.)+(?!(local|localhost|invalid)\b)[a-z]{2,}(\/\S*)?$/i.test(text.trim());

/** A real directory for one owner needs all three of them. */
const WORKSPACE = ["WORKSPACE_URL", "WORKSPACE_TOKEN", "WORKSPACE_OWNER"] as const;

/** The harness that runs in that directory, and calls its model by itself, on the account of that machine's owner. */
const AGENT_SDK: HarnessName = "agent-sdk";

/** Who may sign in, as a variable or as a secret, and the variable that lets everybody sign in. */
const ALLOWED = "ALLOWED_EMAILS";
const OPEN = "OPEN_REGISTRATION";

const ADDRESS = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/;

/** An id as Cloudflare issues it, and not the zeros that are committed. */
const DATABASE_ID = /^(?!0{8}-)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Problems in `wrangler.toml`, one line each. */
export const configProblems = ({ vars, d1_databases, send_email }: DeployConfig): string[] => [
  ...DEVELOPMENT_ONLY.filter((name) => name in vars).map(
    (name) => `${name} is among the variables and is for development only. Remove it from wrangler.toml.`,
  ),
  ...d1_databases
    .filter(({ database_id = "" }) => !DATABASE_ID.test(database_id))
    .map(
      ({ binding }) =>
        `${binding} has no database. Run \`npx wrangler d1 create tally\` and put the id it prints into wrangler.toml, as database_id.`,
    ),
  ...(send_email.some(({ name }) => name === "MAIL")
    ? []
    : [
        'No mail can be sent without the binding MAIL. Put `[[send_email]]` with `name = "MAIL"` back into wrangler.toml.',
      ]),
  ...(readAmount(vars.AGENT_RUN_BUDGET_USD) === null ? [BAD_BUDGET] : []),
  ...unreadableDayBudgets(vars).map(badDayBudget),
  ...budgetProblems(vars),
  ...switchProblems(vars),
  ...harnessProblems(vars),
  ...(!(ORIGIN in vars) || isHttpsOrigin(String(vars[ORIGIN]))
    ? []
    : [`${ORIGIN} is not an address. Write the app's own, such as https://tally.example.com, in wrangler.toml.`]),
  ...(!(MAILS in vars) || /^[1-9]\d*$/.test(String(vars[MAILS]).trim())
    ? []
    : [`${MAILS} is not a number of mails. Write a whole number above 0, such as 500, in wrangler.toml.`]),
  ...(!(SUBJECT in vars) || isContact(String(vars[SUBJECT]))
    ? []
    : [
        `${SUBJECT} is not an address that Apple's push service takes. Write one like mailto:you@example.com in wrangler.toml.`,
      ]),
  ...(!(SENDER in vars) || ADDRESS.test(String(vars[SENDER]))
    ? []
    : [`${SENDER} is not an address. Write one like tally@example.com in wrangler.toml.`]),
];

/** Problems with the harness's name: with a name that nothing answers to, every turn would be refused. */
const harnessProblems = ({ AGENT_HARNESS = "" }: DeployConfig["vars"]): string[] => {
  const name = String(AGENT_HARNESS).trim();
  if (name === "" || HarnessName.safeParse(name).success) return [];
  return [`AGENT_HARNESS: use ${HarnessName.options.join(" or ")}, in wrangler.toml.`];
};

/** Models that a budget could not limit, because what they cost is not known. */
const budgetProblems = (vars: DeployConfig["vars"]): string[] => {
  const budget = [...DAY_BUDGETS, "AGENT_RUN_BUDGET_USD"].find((name) => readAmount(vars[name]) !== undefined);
  if (budget === undefined) return [];
  return namedModels(vars)
    .filter((model) => priceOf(model) === null)
    .map(
      (model) =>
        `${budget} cannot limit ${model}, whose price is not known. Add the price to src/model/token-prices.ts, or take the model out of AGENT_MODEL and AGENT_MODELS in wrangler.toml.`,
    );
};

/**
 * Problems with who may sign in, one line each. Whoever signs in spends the operator's key, so a Worker must not be open to everybody
 * by accident.
 */
export const registrationProblems = (secrets: readonly string[], vars: DeployConfig["vars"]): string[] => {
  const list = { [ALLOWED]: ALLOWED in vars ? String(vars[ALLOWED]) : undefined };
  const allowed = readAllowedEmails(list[ALLOWED]);
  const isOpen = /^(true|1)$/i.test(String(vars[OPEN] ?? "").trim());
  if (allowed !== undefined && allowed.unreadable.length > 0) {
    return [`${ALLOWED}: ${allowed.unreadable.join(", ")} is neither an address nor a domain such as @example.com.`];
  }
  if (namesNobody(list)) return [NAMES_NOBODY];
  if (allowed !== undefined || secrets.includes(ALLOWED) || isOpen) return [];
  return [
    `${ALLOWED} is not set, so everybody could sign in and spend your model's key. Run \`npx wrangler secret put ${ALLOWED}\` and give it addresses and domains such as \`ann@example.com, @example.org\`, or write \`${OPEN} = "true"\` under [vars] in wrangler.toml.`,
  ];
};

/** Problems with the account's secrets, one line each. `secrets` are the names of those that are set. */
export const secretProblems = (secrets: readonly string[], vars: DeployConfig["vars"]): string[] => {
  const names = [...secrets, ...Object.keys(vars)];
  const isOnHost = String(vars.AGENT_HARNESS).trim() === AGENT_SDK;
  return [
    ...DEVELOPMENT_ONLY.filter((name) => secrets.includes(name)).map(
      (name) => `${name} is among the secrets and is for development only. Run \`npx wrangler secret delete ${name}\`.`,
    ),
    ...(secrets.includes(SIGN_IN_SECRET)
      ? []
      : [`${SIGN_IN_SECRET} is not set. Run \`openssl rand -base64 32 | npx wrangler secret put ${SIGN_IN_SECRET}\`.`]),
    ...(isOnHost || CREDENTIALS.some((name) => secrets.includes(name))
      ? []
      : [
          `The model has no credential${secrets.includes(SUBSCRIPTION_TOKEN) ? `: its API refuses ${SUBSCRIPTION_TOKEN}` : ""}. Run \`npx wrangler secret put ${CREDENTIALS[0]}\`.`,
        ]),
    ...(names.includes(SENDER)
      ? []
      : [
          `${SENDER} is not set, so no code could be sent to anybody. Run \`npx wrangler secret put ${SENDER}\` and give it an address of a domain of yours that Cloudflare sends mail for.`,
        ]),
    ...workspaceProblems(names, isOnHost),
  ];
};

/** Problems with the address that mailed notices lead to, one line each: they are sent outside a request, so no request says it. */
export const originProblems = (secrets: readonly string[], vars: DeployConfig["vars"]): string[] => {
  const names = [...secrets, ...Object.keys(vars)];
  if (!names.includes(SENDER) || names.includes(ORIGIN)) return [];
  return [
    `${ORIGIN} is not set, so no notice could be mailed: it would not name the app's address. Write that address, such as \`${ORIGIN} = "https://tally.example.com"\`, under [vars] in wrangler.toml.`,
  ];
};

const workspaceProblems = (names: readonly string[], isNeeded: boolean): string[] => {
  const missing = WORKSPACE.filter((name) => !names.includes(name));
  if (missing.length === WORKSPACE.length && !isNeeded) return [];
  return missing.map((name) =>
    isNeeded
      ? `The harness ${AGENT_SDK} works in a real directory, and ${name} is not set. Run \`npx wrangler secret put ${name}\`.`
      : `A real directory is set up except for ${name}. Run \`npx wrangler secret put ${name}\`.`,
  );
};
