/** How long something took by a calendar clock, which may be put back meanwhile. */

/** Milliseconds between two times, never less than 0. */
export const passedMs = (sinceMs: number, nowMs: number): number => Math.max(0, nowMs - sinceMs);
