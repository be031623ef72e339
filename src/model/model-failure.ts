/** A failed model call, in the contract's terms (api.md §3, failure codes). */
import type { FailureCode, Usage } from "../contract/run.ts";

/** Thrown by a `StreamModel`. `message` may be shown to people; the upstream body and request id stay in `cause`. */
export class ModelFailure extends Error {
  readonly code: FailureCode;
  /** Whether the same request may succeed later. 400, 401, 402, 403, 404, 413 and 422 are final, as is a 429 for a spend limit. */
  readonly isRetryable: boolean;
  /** The delay from `retry-after`, if there was one. */
  readonly retryAfterMs: number | undefined;
  /**
   * Whether the provider permanently refused the request for a reason that may be in the conversation: with fewer earlier turns it
   * may succeed. Never true together with `isRetryable`, nor for a request that is too long.
   */
  readonly mayBeConversation: boolean;
  /** Whether the request may have been cut, or refused by something in between: the provider may not have read what was sent. */
  readonly isUnclear: boolean;
  /** The tokens that a failed summary has used, as far as the provider reported them; undefined if it was refused before it began. */
  taken: Usage | undefined;

  constructor(
    code: FailureCode,
    message: string,
    options: {
      isRetryable: boolean;
      retryAfterMs?: number | undefined;
      mayBeConversation?: boolean;
      isUnclear?: boolean;
      cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.name = "ModelFailure";
    this.code = code;
    this.isRetryable = options.isRetryable;
    this.retryAfterMs = options.retryAfterMs;
    this.mayBeConversation = options.mayBeConversation ?? false;
    this.isUnclear = options.isUnclear ?? false;
  }
}
