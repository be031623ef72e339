/**
 * Where a thread's objects die in a test: right before or right after a named step, once. The objects of
 * `test-worker.ts` pass these points; the product has none.
 */
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

/** Dies here when the plan says so: everything written so far is on disk, nothing after it happens. */
export const passCrashPoint = async (id: string, point: CrashPoint, ctx: DurableObjectState): Promise<void> => {
  const plan = plans.get(id);
  if (plan?.[0] !== point) return;
  plan.shift();
  await ctx.storage.sync();
  ctx.abort(`Crashed ${point}.`);
};
