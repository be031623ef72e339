/** Why the SDK's turn failed, as one of our codes and a line for people. */
import type { FailureCode, RunError } from "../../contract/run.ts";

/** What is known of a failure. */
export type SdkTrouble = {
  /** The SDK's own word, such as `authentication_failed`. */
  readonly word: string | undefined;
  /** The provider's status, if it answered. */
  readonly status: number | undefined;
  /** When the plan's limit resets, in s since 1970, if that is why. */
  readonly resetsAtS: number | undefined;
};

/** The failure of a turn. */
export const failureOf = ({ word, status, resetsAtS }: SdkTrouble): RunError => {
  if (word === "authentication_failed") return { code: "model_auth", message: LOG_IN };
  if (resetsAtS !== undefined) {
    return { code: "model_rate_limited", message: `The plan's limit is reached. It resets at ${timeOf(resetsAtS)}.` };
  }
  const code = codeOf(status);
  return { code, message: MESSAGES[code] ?? "The agent could not get an answer from its model. Try again." };
};

/** The code of a status of the provider's. */
export const codeOf = (status: number | undefined): FailureCode => {
  switch (status) {
    case 400:
      return "model_invalid_request";
    case 401:
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
  "The agent is not logged in. Run `claude /login` on the machine that serves the workspace, or start it with CLAUDE_CODE_OAUTH_TOKEN (`claude setup-token` makes one).";

const MESSAGES: Partial<Record<FailureCode, string>> = {
  model_invalid_request: "The model refused the agent's request.",
  model_auth: LOG_IN,
  context_too_long: "The conversation is too long for the model. Start a new chat.",
  model_rate_limited: "The model takes no more requests for now. Try again later.",
  model_overloaded: "The model is busy. Try again later.",
};

/** To the minute, such as `2027-01-01 00:00 UTC`. */
const timeOf = (atS: number): string => `${new Date(atS * 1_000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
