/** When a walk through a durable workspace ends before it has seen all: other calls to the object wait behind it. */

/** Longest walk, in ms: the largest workspace takes a few seconds, and nobody waits longer for a list. */
const MAX_WALK_MS = 20_000;

/** Whether the walk that begins now has to end; once it had to, it stays so. The clock stands still between accesses. */
export const walkStop = (signal: AbortSignal, nowMs: () => number = Date.now): (() => boolean) => {
  const endMs = nowMs() + MAX_WALK_MS;
  let isStopped = false;
  return () => {
    isStopped ||= signal.aborted || nowMs() > endMs;
    return isStopped;
  };
};
