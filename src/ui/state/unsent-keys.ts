/**
 * Idempotency keys of this page's requests. A request whose answer was lost may have arrived, so the same request keeps its key until it
 * is known to be done, and is done only once.
 */
const keys = new Map<string, string>();

/** Most requests that are remembered; then the oldest is forgotten. */
const MAX_KEYS = 50;

/**
 * Does `work` with the key of `request`, which names everything that is asked for. `isAgain`: it was asked for by that key before, and may
 * have been done long ago. Rejects as `work` does, and then the key is kept.
 */
export const withKey = async <Result>(
  request: string,
  work: (key: string, isAgain: boolean) => Promise<Result>,
): Promise<Result> => {
  const known = keys.get(request);
  const key = known ?? crypto.randomUUID();
  keys.set(request, key);
  const [oldest] = keys.keys();
  if (keys.size > MAX_KEYS && oldest !== undefined) keys.delete(oldest);
  const result = await work(key, known !== undefined);
  keys.delete(request);
  return result;
};
