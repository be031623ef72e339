/** Limits waits that could go on forever, because the other side may hang without a word. */

/** The time is up without an answer. Whether the request was carried out is unknown. */
export class TimedOut extends Error {
  constructor(limitMs: number) {
    super(`No answer within ${limitMs} ms.`);
    this.name = "TimedOut";
  }
}

/**
 * The result of `work`, if it arrives within this many ms. The signal passed to `work` aborts when the time is up, or when `outer`
 * does, so that it can stop. A later result is dropped.
 *
 * @throws {TimedOut} when the time is up; the reason of `outer` when that came first.
 */
export const within = async <Value>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Value>,
  outer?: AbortSignal,
): Promise<Value> => {
  if (outer?.aborted) throw outer.reason;
  const controller = new AbortController();
  const { promise: given, reject } = Promise.withResolvers<never>();
  const giveUp = (reason: unknown) => {
    // First, so that the caller gets this reason and not the error that the abort causes in the work.
    reject(reason);
    controller.abort(reason);
  };
  const leave = () => giveUp(outer?.reason);
  const timer = setTimeout(() => giveUp(new TimedOut(limitMs)), limitMs);
  outer?.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([given, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", leave);
  }
};

/**
 * Waits for `work` to the end, but tells it to stop: the signal passed to it aborts when this many ms are over, or when `outer` does.
 * `AbortSignal.timeout` would leave its timer behind, and a pending timer keeps an object in memory, and billed
 * (https://developers.cloudflare.com/changelog/post/2026-10-01-pending-io-keep-alive/).
 */
export const withTimeLimit = async <Value>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<Value>,
  outer?: AbortSignal,
): Promise<Value> => {
  const time = new AbortController();
  const timer = setTimeout(() => time.abort(new TimedOut(limitMs)), limitMs);
  try {
    return await work(outer === undefined ? time.signal : AbortSignal.any([outer, time.signal]));
  } finally {
    clearTimeout(timer);
  }
};

/** The result of `work`, or `aborted` as soon as the signal aborts; a later result or error is dropped. */
export const untilAborted = async <Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value | "aborted"> => {
  const { promise: aborted, resolve } = Promise.withResolvers<"aborted">();
  const leave = () => resolve("aborted");
  if (signal.aborted) leave();
  signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
};

/**
 * Resolves when `work` is done, or when this many ms are over. A later error is dropped. `scheduler.wait` would leave its timer behind,
 * like `AbortSignal.timeout`.
 */
export const waitAtMost = async (ms: number, work: Promise<unknown>): Promise<void> => {
  const isOver = new AbortController();
  try {
    await Promise.race([work, pause(ms, isOver.signal)]);
  } finally {
    isOver.abort();
  }
};

/** Resolves after this many ms, or at once when the signal aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => resolve();
  const timer = setTimeout(done, ms);
  signal.addEventListener("abort", done, { once: true });
  if (signal.aborted) done();
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", done);
  });
};
