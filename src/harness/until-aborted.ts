/** Waits for what a stopped run has no use for: nothing is lost when it is left alone. */

/** What `work` gives, or `aborted` as soon as the signal aborts; what it gives or throws later is dropped. */
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
