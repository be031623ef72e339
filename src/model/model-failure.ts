/** A model call that did not work, in the contract's words (CONTRACT §3, failure codes). */
import type { FailureCode } from "../contract/run.ts";

/** Thrown by a `StreamModel`. `message` is fit to be shown; the upstream body and request id stay in `cause`. */
export class ModelFailure extends Error {
  readonly code: FailureCode;
  /** Whether the same request can work later. 400, 401, 403, 404, 413 and 422 are final. */
  readonly isRetryable: boolean;
  /** What `retry-after` asked for, when it was there. */
  readonly retryAfterMs: number | undefined;
  /**
   * Whether the provider refused the request for good and the reason may be in the conversation: the same question with fewer
   * earlier turns may be answered. Never true together with `isRetryable`, nor for what is too long.
   */
  readonly mayBeConversation: boolean;

  constructor(
    code: FailureCode,
    message: string,
    options: {
      isRetryable: boolean;
      retryAfterMs?: number | undefined;
      mayBeConversation?: boolean;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.name = "ModelFailure";
    this.code = code;
    this.isRetryable = options.isRetryable;
    this.retryAfterMs = options.retryAfterMs;
    this.mayBeConversation = options.mayBeConversation ?? false;
  }
}
