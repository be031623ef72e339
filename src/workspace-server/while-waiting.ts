/** Sends a sign of life while an answer takes long: proxies cut a silent connection, Cloudflare's after 100 s. */

/** How often, in ms: well below other limits, such as the 60 s of nginx. */
export const ALIVE_EVERY_MS = 10_000;

/** The result of `work`; until it arrives, `say` is called at this interval. */
export const whileWaiting = async <Value>(
  work: Promise<Value>,
  everyMs: number,
  say: () => unknown,
): Promise<Value> => {
  const timer = setInterval(say, everyMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
};
