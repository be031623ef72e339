/** Who may sign in: `ALLOWED_EMAILS`, addresses and `@domains`, separated by commas or blanks. */
import { log } from "../contract/log.ts";
import { TypedEmail } from "./sign-in-request.ts";

/** The parsed list. `unreadable`: entries that are neither an address nor a domain, and allow nobody. */
export type AllowedEmails = {
  readonly emails: ReadonlySet<string>;
  /** Each with its `@`. A subdomain is a different domain. */
  readonly domains: ReadonlySet<string>;
  readonly unreadable: readonly string[];
};

/** An entry that nobody can type at sign-in would allow nobody: a wildcard, quotation marks, letters beyond ASCII. */
const isEmail = (entry: string): boolean => TypedEmail.safeParse(entry).success;
const isDomain = (entry: string): boolean => entry.startsWith("@") && isEmail(`a${entry}`);

/**
 * Parses the variable; undefined when it is unset, so that everybody may sign in. A list without entries, even an
 * empty text, allows nobody: a script that fills the secret from a variable that does not exist must not open the app.
 */
export const readAllowedEmails = (text: string | undefined): AllowedEmails | undefined => {
  if (text === undefined) return undefined;
  // If somebody wrote an array, Wrangler passes on an array.
  const entries = String(text)
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== "");
  return {
    emails: new Set(entries.filter(isEmail)),
    domains: new Set(entries.filter(isDomain)),
    unreadable: entries.filter((entry) => !isEmail(entry) && !isDomain(entry)),
  };
};

/** Parsed lists of this isolate, by their text, because each request needs one. */
const read = new Map<string | undefined, AllowedEmails | undefined>();

/** Whether a person may sign in, and stay signed in. `email` is lower case. */
export const isAllowedEmail = (
  { ALLOWED_EMAILS: text }: { readonly ALLOWED_EMAILS?: string },
  email: string,
): boolean => {
  if (!read.has(text)) read.clear();
  const allowed = read.get(text) ?? readAllowedEmails(text);
  read.set(text, allowed);
  return allowed === undefined || allowed.emails.has(email) || allowed.domains.has(email.slice(email.indexOf("@")));
};

/** Whether the variable is set but nobody could sign in because of it. */
export const namesNobody = ({ ALLOWED_EMAILS: text }: { readonly ALLOWED_EMAILS?: string | undefined }): boolean => {
  const allowed = readAllowedEmails(text);
  return allowed !== undefined && allowed.emails.size + allowed.domains.size === 0;
};

/** What the operator must do in that case. */
export const NAMES_NOBODY =
  "ALLOWED_EMAILS names nobody, so nobody can sign in. Write addresses and domains such as `ann@example.com, @example.org`. Without the list, everybody can sign in and spend your model's key.";

export const logNamesNobody = (): void => log.error(NAMES_NOBODY);
