/** When a fault comes: at a time, at an event that clients have seen, or at a model call. */
import { setTimeout as delay } from "node:timers/promises";
import type { Random } from "../random.ts";
import type { Beat, Pulse } from "../world/pulse.ts";

/** A moment of a case. `thenMs`: how long after it, so that faults do not only come right behind a frame. */
export type Moment = {
  readonly at: "ms" | Beat;
  readonly count: number;
  readonly thenMs: number;
};

/** Draws one: early ones by time hit the start of turns, the others anywhere in them. */
export const drawMoment = (random: Random): Moment => {
  const thenMs = random.chance(0.5) ? 0 : random.int(1, 60);
  const chance = random.next();
  if (chance < 0.15) return { at: "ms", count: random.int(0, 300), thenMs: 0 };
  if (chance < 0.35) return { at: "ms", count: random.int(300, 3_500), thenMs: 0 };
  if (chance < 0.8) return { at: "events", count: random.int(1, 160), thenMs };
  return { at: "requests", count: random.int(1, 14), thenMs };
};

/** Some wait for the fault to be over: a moment not reached by then counts as reached now. */
const MAX_WAIT_MS = 12_000;

/** Resolves when it has come, or when `over` aborts: all that could happen has happened. */
export const reachMoment = async ({ at, count, thenMs }: Moment, pulse: Pulse, isOver: AbortSignal): Promise<void> => {
  const over = AbortSignal.any([isOver, AbortSignal.timeout(MAX_WAIT_MS)]);
  // An abort rejects the wait, and then the moment is now.
  if (at === "ms") await delay(count, undefined, { signal: over }).catch(() => undefined);
  else await pulse.until(at, count, over);
  await delay(thenMs);
};

/** For the report. */
export const describeMoment = ({ at, count, thenMs }: Moment): string =>
  at === "ms" ? `after ${count} ms` : `at ${at.slice(0, -1)} ${count}${thenMs > 0 ? ` +${thenMs} ms` : ""}`;
