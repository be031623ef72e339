import type { ErrorCode } from "../../contract/app-error.ts";

type ApiErrorDetails = {
  readonly requestId?: string | undefined;
  readonly code?: ErrorCode | (string & {}) | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
};

/** A failed request. `status` is 0 when there was no response. `message` is the server's own, written for people. */
export class ApiError extends Error {
  declare readonly status: number;
  /** Identifies the request in the server's log; shown with errors that the person cannot fix. */
  declare readonly requestId: string | undefined;
  /** The answer's `X-Error-Code`, if it has one: the server's own, or one of better-auth's. */
  declare readonly code: ErrorCode | (string & {}) | undefined;
  /** How long the server asks to wait. */
  declare readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, details: ApiErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "ApiError";
    this.status = status;
    this.requestId = details.requestId;
    this.code = details.code;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** Whether trying again could help: no response, a rate limit, or a server error. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);

/** Whether what was asked for does not exist, or not any more. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** Whether there was no response at all. */
export const isUnreachable = (error: unknown): boolean => error instanceof ApiError && error.status === 0;
