/**
 * What a 400 is about. The API gives a code for few of them and says of its messages that their wording can change: what no
 * pattern knows is taken for something in the request.
 */
import type { APIError } from "@anthropic-ai/sdk";

/** Why a request was refused for good. */
export type RefusalReason =
  | "too_long"
  /** The key or token itself. */
  | "credential"
  /** The account has no credit. */
  | "billing"
  /** A limit that the account's owner has set. */
  | "spend_limit"
  /** The provider has shut the account. */
  | "account"
  | "model_name"
  /** None of the others: very likely something in the conversation. */
  | "request";

/** Codes of the SDK's `ErrorDetails` that say it for sure. */
const REASON_OF_CODE: Readonly<Record<string, RefusalReason>> = {
  claude_code_key_creator_not_member: "credential",
  organization_on_hold: "account",
};

const TOO_LONG = /prompt is too long|exceeds? (the )?context (limit|window)/i;

/** `model: …`, and "system: Invalid model name". */
const MODEL_NAME = /^model\b|\binvalid model\b/i;

/** The path of a part of the body. What follows it may quote the conversation. */
const PART_OF_REQUEST = /^(messages|system|tools|tool_choice|thinking)\b/i;

/** Words as they were met, such as "This credential is only authorized for use with …". */
const WORDS: readonly (readonly [RegExp, RefusalReason])[] = [
  [/credit balance|\bbilling\b/i, "billing"],
  [/reached your specified (\w+ )?API usage limits/i, "spend_limit"],
  [/organization has been disabled/i, "account"],
  [/\bcredentials?\b|\bauthenticat|\bapi[-_ ]?key\b|\boauth\b/i, "credential"],
];

/** The reason for a 400, or for an `invalid_request_error` inside a stream. */
export const refusalReason = ({ errorCode, apiMessage }: APIError): RefusalReason => {
  const known = REASON_OF_CODE[errorCode ?? ""];
  if (known !== undefined) return known;
  const text = apiMessage ?? "";
  if (TOO_LONG.test(text)) return "too_long";
  if (MODEL_NAME.test(text)) return "model_name";
  if (PART_OF_REQUEST.test(text)) return "request";
  return WORDS.find(([words]) => words.test(text))?.[1] ?? "request";
};

/** Whether a 403 refuses the kind of credential, and not what it asked for. */
export const refusesOAuth = ({ apiMessage }: APIError): boolean => /\boauth\b/i.test(apiMessage ?? "");
