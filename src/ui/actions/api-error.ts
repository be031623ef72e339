/** What the server, or the way to it, answered instead of a result. */

/** What is known besides status and words. */
type ApiErrorDetails = {
  readonly requestId?: string | undefined;
  readonly code?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
};

/** `status` is 0 when there was no answer at all. `message` is the server's own words, made for people. */
export class ApiError extends Error {
  readonly status: number;
  /** Names the request in the server's log; shown with errors nobody can act on. */
  readonly requestId: string | undefined;
  /** The kind of refusal, where the server names one: its `X-Error-Code`. */
  readonly code: string | undefined;
  /** When the server wants to be asked again, in seconds from then. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, details: ApiErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "ApiError";
    this.status = status;
    this.requestId = details.requestId;
    this.code = details.code;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** Whether trying the same again could help: no answer, an overload, or a fault of the server. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
