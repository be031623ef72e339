/** A refusal: the caller asked for something that cannot be done. Only `http/errors.ts` renders it, as `{error}`. */

/** Statuses a refusal can have (api.md §1). A 500 is never a refusal: it is a bug. */
type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 413 | 415 | 422 | 429 | 503;

/**
 * Codes by which programs tell errors apart, whatever their text: values of the header `X-Error-Code` (api.md §1, Error codes).
 *
 * `internal`: a bug. `fresh_code`: a code was mailed and has to be entered first. `INVALID_OTP`, which is better-auth's name: a code is
 * wrong, has expired or was tried too often. `symbol_taken`: another stock in the list has the symbol on that market. `run_ended`: it is
 * too late for a message to the run. `too_many_runs`: the chat or its owner already has as many open runs as are allowed.
 * `too_many_messages`: the run has had as many messages as it takes. `stale_version`: the stock has changed since the caller read it.
 */
export type ErrorCode =
  | "internal"
  | "fresh_code"
  | "INVALID_OTP"
  | "symbol_taken"
  | "stale_version"
  | "run_ended"
  | "too_many_messages"
  | "too_many_runs";

/** The header of an answer with this code. */
export const errorCode = (code: ErrorCode): { readonly "X-Error-Code": ErrorCode } => ({ "X-Error-Code": code });

/** Thrown by routes and actions. `message` is shown to the caller as it is: no secrets, no prompts, no stacks. */
export class AppError extends Error {
  readonly status: RefusalStatus;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: RefusalStatus, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = "AppError";
    this.status = status;
    this.headers = headers;
  }
}

/**
 * Message and stack of anything thrown, followed by its causes, in a form that may be logged: the message of a failed query
 * contains the bound values, which are people's own words, so they are left out.
 */
export const errorText = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : `\nCaused by: ${errorText(error.cause)}`;
  return `${boundQueryOf(error) ?? error.stack ?? String(error)}${cause}`;
};

/** Drizzle's `DrizzleQueryError`: the statement with its placeholders, and where it was sent. */
const boundQueryOf = (error: Error): string | undefined => {
  if (!("query" in error) || !("params" in error)) return undefined;
  const { stack = "" } = error;
  const start = stack.indexOf(error.message);
  return `Failed query: ${String(error.query)}${start === -1 ? "" : stack.slice(start + error.message.length)}`;
};

/** The refusal for somebody who is not signed in. The wire contract fixes its text. */
export const signInFirst = (): AppError => new AppError(401, "Sign in to run the agent.");

/** The refusal of a request that needs something out of reach. The wire contract fixes its text. `retryAfterS` is in seconds. */
export const unavailable = (retryAfterS?: number): AppError =>
  new AppError(
    503,
    "The agent is unavailable. Try again.",
    retryAfterS === undefined ? {} : { "Retry-After": String(retryAfterS) },
  );

/** The refusal of an idempotency key under which a different request was answered. The wire contract fixes its text. */
export const otherRequest = (): AppError => new AppError(422, "Idempotency key was used with a different request.");
