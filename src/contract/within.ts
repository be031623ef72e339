/** Ends a wait that could go on for ever: whoever is asked may have hung, and says nothing then. */

/** The time is up and there is no answer. Whether what was asked for is done, nobody knows. */
export class TimedOut extends Error {
  constructor(limitMs: number) {
    super(`No answer within ${limitMs} ms.`);
    this.name = "TimedOut";
  }
}

/**
 * What `work` gives within so many ms. Its signal aborts when the time is up, or when `outer` does: whatever can be called
 * back ends with it. What it gives later is dropped.
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
    // First, so that it is what the caller hears, and not what the work says of being called back.
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
