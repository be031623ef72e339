/** How long to wait before a model call is tried again. */
import type { ModelFailure } from "../model/model-failure.ts";

/** Waits before the second, third and fourth try, at least: together most of a minute, so that a short outage passes (decision 0077). */
const DELAYS_MS: readonly number[] = [1_000, 8_000, 30_000];

/** Longest wait we keep a run for. A provider that asks for more gets no further try: the person can decide. */
const MAX_RETRY_AFTER_MS = 120_000;

/**
 * Milliseconds to wait after the failed try `attempt` (from 1), or undefined when there is no further try: the fourth is the
 * last (CONTRACT §3). `random` is in [0, 1): up to a quarter comes on top, so that runs do not come back in step.
 */
export const retryDelayMs = (failure: ModelFailure, attempt: number, random: number): number | undefined => {
  const delayMs = DELAYS_MS[attempt - 1];
  if (!failure.isRetryable || delayMs === undefined) return undefined;
  if (failure.retryAfterMs === undefined) return Math.round(delayMs * (1 + random / 4));
  return failure.retryAfterMs <= MAX_RETRY_AFTER_MS ? failure.retryAfterMs : undefined;
};
