/** Turns errors of a model call into the contract's failures. Public messages are ours alone; what the provider said is the cause. */
import { APIError } from "@anthropic-ai/sdk";
import * as z from "zod";
import type { FailureCode } from "../../contract/run.ts";
import { ModelFailure } from "../model-failure.ts";

/** Why a request was permanently refused. */
type RefusalReason =
  | "too_long"
  /** The key or token itself. */
  | "credential"
  /** The account has no credit. */
  | "billing"
  /** A limit set by the account's owner. */
  | "spend_limit"
  /** The provider has disabled the account. */
  | "account"
  /** A key of the account's own that the provider cannot use. */
  | "encryption_key"
  | "model_name"
  /** The provider's filter stopped the answer, before it began or in its middle. */
  | "output"
  /** None of the above: very likely something in the conversation. */
  | "request";

/** Codes of the SDK's `ErrorDetails` that name the reason reliably. */
const REASON_OF_CODE: Readonly<Record<string, RefusalReason>> = {
  claude_code_key_creator_not_member: "credential",
  organization_on_hold: "account",
  cmek_key_disabled: "encryption_key",
  cmek_key_network_blocked: "encryption_key",
};

const TOO_LONG = /prompt is too long|exceeds? (the )?context (limit|window)/i;

/** `model: …`, and "system: Invalid model name". */
const MODEL_NAME = /^model\b|\binvalid model\b/i;

/** The path of a part of the body. The text after it may quote the conversation. */
const PART_OF_REQUEST = /^(messages|system|tools|tool_choice|thinking)\b/i;

/** A connection that breaks while the body is sent: the API parses what has arrived. */
const CUT_BODY = /not valid json: unexpected end/i;

/** Wording seen in practice, such as "This credential is only authorized for use with …". */
const WORDS: readonly (readonly [RegExp, RefusalReason])[] = [
  [/output blocked by content filtering/i, "output"],
  [/credit balance|\bbilling\b/i, "billing"],
  [/reached your specified (\w+ )?API usage limits/i, "spend_limit"],
  [/organization has been disabled/i, "account"],
  [/\bcredentials?\b|\bauthenticat|\bapi[-_ ]?key\b|\boauth\b/i, "credential"],
];

/**
 * The reason for a 400, or for an `invalid_request_error` inside a stream. The API has codes for few of them and says that the wording
 * of its messages can change: a message that no pattern matches is attributed to the request.
 */
const refusalReason = ({ errorCode, apiMessage }: APIError): RefusalReason => {
  const known = REASON_OF_CODE[errorCode ?? ""];
  if (known !== undefined) return known;
  const text = apiMessage ?? "";
  if (TOO_LONG.test(text)) return "too_long";
  if (MODEL_NAME.test(text)) return "model_name";
  if (PART_OF_REQUEST.test(text)) return "request";
  return WORDS.find(([words]) => words.test(text))?.[1] ?? "request";
};

/** Whether a 403 refuses the kind of credential, and not what it was used for. */
const refusesOAuth = ({ apiMessage }: APIError): boolean => /\boauth\b/i.test(apiMessage ?? "");

/**
 * Whether the edge refuses a request before anybody looks at its key, in words of its own or with a page: it comes from a country that is
 * not served (https://github.com/anthropics/claude-code/issues/1613, https://github.com/jtsang4/claude-to-chatgpt/issues/5).
 */
const refusesPlace = ({ apiMessage }: APIError): boolean => apiMessage === null || apiMessage === "Request not allowed";

/**
 * Parses `retry-after-ms` (milliseconds) or `retry-after` (seconds or an HTTP date, RFC 9110 §10.2.3). Undefined when neither can be
 * parsed; a date in the past is 0.
 */
export const retryAfterMs = (headers: Headers | undefined, nowMs: number): number | undefined => {
  const inMs = readNumber(headers?.get("retry-after-ms"));
  if (inMs !== undefined) return Math.ceil(inMs);
  const asked = headers?.get("retry-after");
  const seconds = readNumber(asked);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const atMs = Date.parse(asked ?? "");
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
};

const readNumber = (text: string | null | undefined): number | undefined =>
  text && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;

/** Statuses of the error types, for errors inside a stream, which have no status of their own (API docs, "Errors"). */
const STATUS_OF_TYPE: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

/** A 429 for the account's own cap, which waiting does not resolve. */
const SPEND_LIMIT_CODES = ["enforced_spend_limit_reached", "contract_spend_limit_reached"];

const ofStatus = (status: number | undefined, error: APIError, nowMs: number): ModelFailure => {
  const later = { isRetryable: true, retryAfterMs: retryAfterMs(error.headers, nowMs), cause: error };
  switch (status) {
    case 400:
      return ofReason(refusalReason(error), error);
    case 404:
      return ofReason("model_name", error);
    case 422:
      return final("model_invalid_request", `The model could not process the request. ${REWORD}`, error);
    case 401:
      return ofReason("credential", error);
    case 402:
      return ofReason("billing", error);
    case 403:
      if (refusesOAuth(error)) return ofReason("credential", error);
      return final("model_auth", refusesPlace(error) ? PLACE_REFUSED : NOT_ALLOWED, error);
    case 413:
      return ofReason("too_long", error);
    case 429:
      return SPEND_LIMIT_CODES.includes(error.errorCode ?? "")
        ? ofReason("spend_limit", error)
        : new ModelFailure("model_rate_limited", "The model provider is limiting our requests at the moment.", later);
    case 529:
      return new ModelFailure("model_overloaded", "The model is busy.", later);
    case undefined:
      return new ModelFailure("model_unavailable", "The connection to the model failed.", later);
    default:
      return new ModelFailure("model_unavailable", "The model provider has a problem.", later);
  }
};

const NOT_ALLOWED =
  "The key may not use this model. Allow it in the provider's console, or set AGENT_MODEL to another model.";

const PLACE_REFUSED =
  "The model provider refused the place that the request came from, not the key. It does not serve every country, and a Worker may run in a neighbouring one.";

/** The remedy where the reason is very likely something in the conversation. */
const REWORD = "Word the message differently, or start a new chat.";

/** Failures that waiting does not resolve, each with what does. */
const FINAL: Readonly<Record<RefusalReason, readonly [FailureCode, string]>> = {
  too_long: [
    "context_too_long",
    "The conversation is too long for the model. Send a shorter message, or start a new chat.",
  ],
  credential: [
    "model_auth",
    "The model provider did not accept the credential. Set ANTHROPIC_API_KEY to a key from the provider's console.",
  ],
  billing: ["model_auth", "The model provider's account has a billing problem. Add credit in the provider's console."],
  spend_limit: ["model_rate_limited", "The account's spend limit is reached. Raise it in the provider's console."],
  account: ["model_auth", "The model provider has disabled the account of this key. Check the provider's console."],
  encryption_key: ["model_auth", "The provider cannot use the account's encryption key. Check your key management."],
  model_name: ["model_invalid_request", "The model provider does not know this model. Check AGENT_MODEL."],
  output: [
    "model_invalid_request",
    "The provider's filter stopped the answer. Ask for it in another way, or in smaller parts.",
  ],
  request: ["model_invalid_request", `The model rejected this request. ${REWORD}`],
};

const ofReason = (reason: RefusalReason, cause: APIError): ModelFailure => {
  const [code, message] = FINAL[reason];
  const mayBeConversation = reason === "request";
  // An answer without a message of the API comes from something in between.
  const isUnclear = mayBeConversation && (cause.apiMessage === null || CUT_BODY.test(cause.apiMessage));
  return new ModelFailure(code, message, { isRetryable: false, mayBeConversation, isUnclear, cause });
};

const final = (code: FailureCode, message: string, cause: APIError) =>
  new ModelFailure(code, message, { isRetryable: false, cause });

/** An `error` event as the SDK's error for a refused request. `body` is the event's JSON. */
export const errorInStream = (body: unknown, headers: Headers): APIError =>
  new APIError(undefined, ErrorBody.parse(body), undefined, headers);

const ErrorBody = z.looseObject({}).catch({});

/** Turns any error of the SDK, of `fetch` or of reading the stream into a failure. A `retry-after` date is relative to `nowMs`. */
export const toModelFailure = (error: unknown, nowMs: number): ModelFailure => {
  if (error instanceof ModelFailure) return error;
  if (error instanceof APIError) return ofStatus(error.status ?? STATUS_OF_TYPE[error.type ?? ""], error, nowMs);
  return brokenStream(error);
};

/** A stream that broke off, or that contains something unreadable. */
export const brokenStream = (cause: unknown): ModelFailure =>
  new ModelFailure("model_unavailable", "The model's answer was cut off.", { isRetryable: true, cause });
