/** Says now and then that an answer is still to come: a proxy cuts a connection that is silent, Cloudflare's after 100 s. */

/** How often, in ms: well below the limits of others, such as the 60 s of nginx. */
export const ALIVE_EVERY_MS = 10_000;

/** What `work` gives; until then `say` is called every so many ms. */
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
