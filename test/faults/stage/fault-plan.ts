/** Which call to D1 fails next. One plan for the Worker and its objects: they share an isolate. */
import { z } from "zod";

/**
 * `before`: the statement is never run. `after`: it is run, and its answer is lost. `outage`: it and the next four are not
 * run. `hang`: it and all that follow wait until there is another plan, and are run then. `nth` counts calls to D1 from 1; a
 * batch is one call. 0 fails none.
 */
export const FaultPlan = z.object({ nth: z.int().nonnegative(), how: z.enum(["before", "after", "outage", "hang"]) });
export type FaultPlan = z.infer<typeof FaultPlan>;

/** What was called since the plan was set, and whether it has struck. */
export const FaultState = z.object({ calls: z.array(z.string()), struck: z.int() });
export type FaultState = z.infer<typeof FaultState>;

/** Calls that are struck. */
const STRUCK_CALLS = { before: 1, after: 1, outage: 5, hang: Number.POSITIVE_INFINITY } as const;

/** How often a call that hangs looks whether it may go on, in ms. It cannot be called: that would be another request's. */
const HANG_POLL_MS = 50;

let plan: FaultPlan = { nth: 0, how: "before" };
let state: { calls: string[]; struck: number } = { calls: [], struck: 0 };

/** Sets the plan and begins to count anew. */
export const setFaultPlan = (next: FaultPlan): void => {
  plan = next;
  state = { calls: [], struck: 0 };
};

export const faultState = (): FaultState => state;

/** Makes a call to D1, or fails it as planned, in D1's own words. `name` is its SQL. */
export const callD1 = async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
  state.calls.push(name);
  const at = state.calls.length;
  const isStruck = plan.nth > 0 && at >= plan.nth && at < plan.nth + STRUCK_CALLS[plan.how];
  if (!isStruck) return await work();
  state.struck += 1;
  if (plan.how === "hang") return await whenReplaced(plan, work);
  if (plan.how === "after") await work();
  throw new Error("D1_ERROR: Network connection lost.");
};

const whenReplaced = async <Result>(own: FaultPlan, work: () => Promise<Result>): Promise<Result> => {
  while (plan === own) await scheduler.wait(HANG_POLL_MS);
  return await work();
};
