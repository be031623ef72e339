/**
 * Where a thread's objects die or hang in a test: right before or right after a named step, once. Only the
 * objects of `test-worker.ts` have these points, not the product's.
 */
import { expect, onTestFinished } from "vitest";

/** A step of run.md: a commit of the journal, a delivery of the outbox, a call to the session or to the workspace. */
export type CrashStep =
  | "openMessage"
  | "discardMessage"
  | "closeMessage"
  | "modelRetry"
  | "ask"
  | "askQuestions"
  | "takeMessages"
  | "allowByRule"
  | "markStarted"
  | "endCall"
  | `send ${string}`
  | "enqueue"
  | "load"
  | "listRules"
  | "finish"
  | "saveCompaction"
  | "startEpoch"
  | "reserve"
  | "rewind"
  | "write"
  | "keep"
  | "keptContent"
  | "stat"
  | "find"
  | "run"
  | "undo";

/** A moment to die at. */
export type CrashPoint = `${"before" | "after"} ${CrashStep}`;

const plans = new Map<string, CrashPoint[]>();

/** The ids of objects that have reached a point and are not gone yet. */
const dying = new Map<DurableObjectState, string>();

/** Makes the objects of a run or session die at these points, in this order, each once. Call it inside a test, with which the plan ends. */
export const planCrashes = (id: string, points: readonly CrashPoint[]): void => {
  plans.set(id, [...points]);
  onTestFinished(() => {
    plans.delete(id);
  });
};

/** Deaths that were planned and have not happened so far. */
const livesLeft = (id: string): readonly string[] => [
  ...(plans.get(id) ?? []),
  ...[...dying.values()].filter((one) => one === id),
];

/** Longest wait for a planned death, in ms: some come only after the run has reported its end, or after the first load of a harness. */
const MAX_DEATH_MS = 20_000;

/** Resolves when an object has died at every planned point; fails when one never does. */
export const died = async (id: string): Promise<void> => {
  await expect.poll(() => livesLeft(id), { timeout: MAX_DEATH_MS }).toEqual([]);
};

/** How often a hanging point checks whether its test is over, in ms: a promise of the test would end with the test's request. */
const HANG_LOOK_MS = 20;

type Hang = { readonly point: CrashPoint; readonly reach: () => void; isOver: boolean };

const hangs = new Map<string, Hang>();

/**
 * Makes the next object of a run or session that reaches this point hang there until the test is over. Call it inside a test;
 * the result resolves when one has arrived.
 */
export const planHang = (id: string, point: CrashPoint): { readonly reached: Promise<void> } => {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const hang: Hang = { point, reach: resolve, isOver: false };
  hangs.set(id, hang);
  onTestFinished(() => {
    hangs.delete(id);
    hang.isOver = true;
  });
  return { reached };
};

/** Hangs or dies here when a plan says so: everything written so far is on disk, and nothing later happens. */
export const passCrashPoint = async (id: string, point: CrashPoint, ctx: DurableObjectState): Promise<void> => {
  const hang = hangs.get(id);
  if (hang?.point === point) {
    hangs.delete(id);
    hang.reach();
    while (!hang.isOver) await scheduler.wait(HANG_LOOK_MS);
  }
  const plan = plans.get(id);
  if (plan?.[0] !== point) return;
  plan.shift();
  dying.set(ctx, id);
  try {
    await ctx.storage.sync();
  } finally {
    dying.delete(ctx);
  }
  ctx.abort(`Crashed ${point}.`);
};
