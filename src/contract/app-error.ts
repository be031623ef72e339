/** A refusal: the caller asked for something that cannot be. Rendered as `{error}` by `http/errors.ts` alone. */

/** Statuses a refusal can have (CONTRACT §1). A 500 is never a refusal: it is a bug. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 413 | 415 | 422 | 429 | 503;

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
