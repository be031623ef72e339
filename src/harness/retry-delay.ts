/** How long to wait before a model call is tried again. */
import type { ModelFailure } from "../model/model-failure.ts";

/** Tries of one model call in all (CONTRACT §3). */
const MAX_TRIES = 4;

/** First delay; doubles with each try. The same curve as the vendor's SDK, whose own retries are off. */
const FIRST_DELAY_MS = 500;

/** Longest wait we keep a run for. A provider that asks for more gets no further try: the person can decide. */
const MAX_RETRY_AFTER_MS = 120_000;

/**
 * Milliseconds to wait after the failed try `attempt` (from 1), or undefined when there is no further try.
 * `random` is in [0, 1): a quarter of the delay is jitter, so that runs do not come back in step.
 */
export const retryDelayMs = (failure: ModelFailure, attempt: number, random: number): number | undefined => {
  if (!failure.isRetryable || attempt >= MAX_TRIES) return undefined;
  if (failure.retryAfterMs === undefined) {
    return Math.round(FIRST_DELAY_MS * 2 ** (attempt - 1) * (1 - random / 4));
  }
  return failure.retryAfterMs <= MAX_RETRY_AFTER_MS ? failure.retryAfterMs : undefined;
};
