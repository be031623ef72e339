/** What happened to a thread's conversation outside any run, or in one that died: its next run reports it. */
import * as z from "zod";
import { Usage } from "../contract/run.ts";
import type { NewCompaction } from "../harness/turn.ts";

/** An event that a run has to report: a row of the table `notice`. */
export type Report = { readonly id: number; readonly event: string };

/** The value of `is_told` for what no run has reported yet. */
export const UNTOLD = 0;

/** The same for a `DroppedCall`. An earlier release, which could not report one, takes this value for reported. */
export const UNTOLD_BILL = 2;

/** The report of a summary. `model` is the one that wrote it. */
export const compactionReport = ({ model, event }: Pick<NewCompaction, "model" | "event">): string =>
  JSON.stringify({ type: "context_compacted", model, ...event });

/** A model call that was paid for in vain, for a summary that failed or no longer holds. The next run reports it. */
export const DroppedCall = z.object({
  type: z.literal("dropped_call"),
  /** Empty when it is not known. */
  model: z.string(),
  usage: Usage,
  /** A person asked for it: the day's counters have it already. */
  isByHand: z.boolean(),
});
export type DroppedCall = z.infer<typeof DroppedCall>;
