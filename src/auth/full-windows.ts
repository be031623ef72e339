/** Counters this isolate knows to be full: until their windows end nobody has to be asked. What is forgotten is asked again. */

/** Counters kept for one database: some 100 bytes each. */
const MAX_KNOWN = 10_000;

const known = new WeakMap<D1Database, Map<string, number>>();

/** When the last of these counters' windows ends, of those that are known to be full; undefined where none is. */
export const fullUntilMs = (d1: D1Database, keys: readonly string[], nowMs: number): number | undefined => {
  const ends = keys.map((key) => known.get(d1)?.get(key) ?? 0).filter((endMs) => endMs > nowMs);
  return ends.length === 0 ? undefined : Math.max(...ends);
};

/** Remembers a full counter. */
export const noteFull = (d1: D1Database, key: string, endMs: number): void => {
  const windows = known.get(d1) ?? new Map<string, number>();
  if (windows.size >= MAX_KNOWN) windows.clear();
  known.set(d1, windows.set(key, endMs));
};
