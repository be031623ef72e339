/** What went wrong in a call, in the contract's words. Public messages are ours alone; what the provider said is the cause. */
import { APIError } from "@anthropic-ai/sdk";
import type { FailureCode } from "../contract/run.ts";
import { ModelFailure } from "./model-failure.ts";
import { type RefusalReason, refusalReason, refusesOAuth } from "./refusal-reason.ts";
import { retryAfterMs } from "./retry-after.ts";

/** Statuses of the error types, for errors inside a stream: those have no status of their own (API docs, "Errors"). */
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

/** 429 that no waiting mends: the account's own cap. */
const SPEND_LIMIT_CODES = ["enforced_spend_limit_reached", "contract_spend_limit_reached"];

const ofStatus = (status: number | undefined, error: APIError, nowMs: number): ModelFailure => {
  const later = { isRetryable: true, retryAfterMs: retryAfterMs(error.headers, nowMs), cause: error };
  switch (status) {
    case 400:
      return ofReason(refusalReason(error), error);
    case 404:
      return ofReason("model_name", error);
    case 422:
      return final("model_invalid_request", "The model could not process the request.", error);
    case 401:
      return ofReason("credential", error);
    case 402:
      return ofReason("billing", error);
    case 403:
      return refusesOAuth(error) ? ofReason("credential", error) : final("model_auth", NOT_ALLOWED, error);
    case 413:
      return ofReason("too_long", error);
    case 429:
      return SPEND_LIMIT_CODES.includes(error.errorCode ?? "")
        ? ofReason("spend_limit", error)
        : new ModelFailure("model_rate_limited", "The model provider limits our requests for now.", later);
    case 529:
      return new ModelFailure("model_overloaded", "The model is overloaded.", later);
    case undefined:
      return new ModelFailure("model_unavailable", "The connection to the model failed.", later);
    default:
      return new ModelFailure("model_unavailable", "The model provider has a problem.", later);
  }
};

const NOT_ALLOWED =
  "The key may not use this model. Allow it in the provider's console, or set AGENT_MODEL to another model.";

/** Failures that no waiting mends, each with what does. */
const FINAL: Readonly<Record<RefusalReason, readonly [FailureCode, string]>> = {
  too_long: ["context_too_long", "The conversation is too long for the model."],
  credential: [
    "model_auth",
    "The model provider did not accept the credential. Set ANTHROPIC_API_KEY to a key of the provider's console.",
  ],
  billing: ["model_auth", "The model provider's account has a billing problem. Add credit in the provider's console."],
  spend_limit: ["model_rate_limited", "The account's spend limit is reached. Raise it in the provider's console."],
  account: ["model_auth", "The model provider has disabled the account of this key. Look into the provider's console."],
  model_name: ["model_invalid_request", "The model provider does not know this model. Check AGENT_MODEL."],
  request: ["model_invalid_request", "The model refused the request."],
};

const ofReason = (reason: RefusalReason, cause: APIError): ModelFailure => {
  const [code, message] = FINAL[reason];
  return new ModelFailure(code, message, { isRetryable: false, mayBeConversation: reason === "request", cause });
};

const final = (code: FailureCode, message: string, cause: APIError) =>
  new ModelFailure(code, message, { isRetryable: false, cause });

/** What an `error` event says, as the SDK has it for a refused request. `body` is the event's JSON. */
export const errorInStream = (body: object, headers: Headers): APIError =>
  new APIError(undefined, body, undefined, headers);

/** Any error of the SDK, of `fetch` or of reading the stream as a failure. `nowMs` dates a `retry-after`. */
export const toModelFailure = (error: unknown, nowMs: number): ModelFailure => {
  if (error instanceof ModelFailure) return error;
  if (error instanceof APIError) return ofStatus(error.status ?? STATUS_OF_TYPE[error.type ?? ""], error, nowMs);
  return brokenStream(error);
};

/** A stream that broke off, or that says what cannot be read. */
export const brokenStream = (cause: unknown): ModelFailure =>
  new ModelFailure("model_unavailable", "The model's answer broke off.", { isRetryable: true, cause });
