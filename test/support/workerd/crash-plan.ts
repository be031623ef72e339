/**
 * Where a thread's objects die or hang in a test: right before or right after a named step, once. The objects of
 * `test-worker.ts` pass these points; the product has none.
 */
import { onTestFinished } from "vitest";

/** A step of RUN.md: a commit of the journal, a delivery of the outbox, a call to the session or to the workspace. */
export type CrashStep =
  | "openMessage"
  | "discardMessage"
  | "closeMessage"
  | "modelRetry"
  | "ask"
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
  | "write"
  | "stat"
  | "find"
  | "run";

/** A moment to die at. */
export type CrashPoint = `${"before" | "after"} ${CrashStep}`;

const plans = new Map<string, CrashPoint[]>();

/** Lets the objects of a run or session die at these points, in this order, each once. */
export const planCrashes = (id: string, points: readonly CrashPoint[]): void => {
  plans.set(id, [...points]);
};

/** Points that were planned and never reached. */
export const unusedCrashes = (id: string): readonly CrashPoint[] => plans.get(id) ?? [];

/** How often what hangs looks whether its test is over, in ms: a promise of the test's would end with the test's request. */
const HANG_LOOK_MS = 20;

type Hang = { readonly point: CrashPoint; readonly reach: () => void; isOver: boolean };

const hangs = new Map<string, Hang>();

/**
 * Lets the next object of a run or session that comes to this point hang there until the test is over. Called inside a test;
 * what it gives resolves when one has come.
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

/** Hangs or dies here when a plan says so: everything written so far is on disk, nothing after it happens. */
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
  await ctx.storage.sync();
  ctx.abort(`Crashed ${point}.`);
};
