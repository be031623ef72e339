/** Why the SDK's turn failed, as one of our codes and a line for people. */
import type { FailureCode, RunError } from "../../contract/run.ts";
import type { SdkLimit, SdkResult } from "./sdk-message.ts";

/** What is known of a failure besides the result. */
export type SdkTrouble = {
  /** The SDK's own word, such as `authentication_failed`. */
  readonly word: string | undefined;
  /** When the plan's limit resets, in s since 1970, if that is why. */
  readonly resetsAtS: number | undefined;
};

/** The failure of a turn. */
export const failureOf = ({ word, resetsAtS }: SdkTrouble, result: SdkResult): RunError => {
  const status = result.api_error_status ?? undefined;
  const login = loginProblem(word, status, result.result);
  if (login !== undefined) return { code: "model_auth", message: login };
  // An event may report a limit in a turn that fails for another reason.
  if (resetsAtS !== undefined && (status === 429 || word === "rate_limit")) {
    return { code: "model_rate_limited", message: `The plan's limit is reached. It resets at ${timeOf(resetsAtS)}.` };
  }
  if (word === "model_not_found" || status === 404) return { code: "model_invalid_request", message: UNKNOWN_MODEL };
  const code = isTooLong(result) ? "context_too_long" : codeOf(status);
  return { code, message: MESSAGES[code] ?? "The agent could not get an answer from its model. Try again." };
};

const loginProblem = (word = "", status = 0, said = ""): string | undefined => {
  // The provider reports a billing problem with a 400 or a 402.
  if (word === "billing_error" || status === 402) return BILLING;
  if (word === "account_on_hold") return ON_HOLD;
  // If this were treated as a 429, the person would be told to try again later, which changes nothing.
  if (BEYOND_PLAN.test(said)) return NO_CREDITS;
  if (status === 403 && said.includes("Request not allowed")) return PLACE_REFUSED;
  // A revoked token is refused with a 403 too. Some organizations allow no tokens; a 401 has also been used to say that.
  if (word === "oauth_org_not_allowed" || (status === 403 && !/revoked/i.test(said))) return NOT_ALLOWED;
  if (status === 401 || status === 403) return REFUSED;
  return word === "authentication_failed" ? LOG_IN : undefined;
};

/** Whether the conversation does not fit. If the SDK itself finds that, it sends nothing, so there is no status. */
const isTooLong = ({ terminal_reason: reason, result = "" }: SdkResult): boolean =>
  TOO_LONG_REASONS.includes(reason ?? "") || TOO_LONG.test(result);

/** By the last, the SDK gives up: what the agent reads fills the model's window again right after each summary. */
const TOO_LONG_REASONS = ["prompt_too_long", "blocking_limit", "rapid_refill_breaker"];

/** The SDK's own words, and what it makes of the provider's "prompt is too long: …". */
const TOO_LONG = /prompt is too long/i;

/** Messages about what the plan does not pay for: long contexts on some plans, and apps that the provider does not take for its own. */
const BEYOND_PLAN = /(extra usage|usage credits) (is )?required|draw from (your )?extra usage/i;

/** When the limit that an event reports resets; undefined if the limit holds nothing up. */
export const heldUpUntilS = (info: SdkLimit): number | undefined =>
  info.status === "rejected" && info.isUsingOverage !== true ? info.resetsAt : undefined;

/** The code of a status of the provider's. */
export const codeOf = (status: number | undefined): FailureCode => {
  switch (status) {
    case 400:
    case 404:
    case 422:
      return "model_invalid_request";
    case 401:
    case 402:
    case 403:
      return "model_auth";
    case 413:
      return "context_too_long";
    case 429:
      return "model_rate_limited";
    case 529:
      return "model_overloaded";
    default:
      return "model_unavailable";
  }
};

const LOG_IN =
  "The agent is not logged in. Run `claude /login` on the machine that serves the workspace (not on macOS), or start it with CLAUDE_CODE_OAUTH_TOKEN (`claude setup-token` makes one).";

/** The SDK prefers a token or a key to the login of `claude`, so with one of these a new login would change nothing. */
const REFUSED =
  "The model's provider refused the agent's login. If the workspace server was given CLAUDE_CODE_OAUTH_TOKEN or ANTHROPIC_API_KEY, replace it and start the server again; otherwise run `claude /login` on its machine (not on macOS).";

const NOT_ALLOWED =
  "The account may not use this model or this client. Choose another model, or ask whoever manages the account.";

/** Sent by the provider's edge, which does not know the login yet. */
const PLACE_REFUSED =
  "The model's provider refused the place that the request came from, not the login. It does not serve every country: look at where the machine that serves the workspace reaches the internet.";

const ON_HOLD =
  "The model's provider has disabled the account. Check the provider's console, or ask whoever manages the account.";

const UNKNOWN_MODEL =
  "The provider does not know this model, or the account may not use it. Choose another model, or check AGENT_MODEL.";

const BILLING = "The model provider's account has a billing problem. Add credit in the provider's console.";

const NO_CREDITS =
  "The account's plan does not pay for this. It needs usage credits, which are turned on at claude.ai/settings/usage; a new chat or another model may need none.";

const MESSAGES: Partial<Record<FailureCode, string>> = {
  model_invalid_request: "The model refused the agent's request. Word the message differently, or start a new chat.",
  context_too_long: "The conversation is too long for the model. Send a shorter message, or start a new chat.",
  model_rate_limited: "The model takes no more requests for now. Try again later.",
  model_overloaded: "The model is busy. Try again later.",
};

/** To the minute, such as `2027-01-01 00:00 UTC`. */
const timeOf = (atS: number): string => `${new Date(atS * 1_000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
