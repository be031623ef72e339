/** Threads as the thread routes list them (CONTRACT §2). */
import * as z from "zod";
import { RunId, ThreadId } from "./ids.ts";
import { CostUsd, RunStatus } from "./run.ts";

/**
 * A thread in the caller's list, newest first. `activeRunId` is the run that is live now, if any. `costUsd` is the sum over its
 * runs of what is known, null when nothing is.
 */
export const ThreadView = z.object({
  threadId: ThreadId,
  title: z.string(),
  updatedAt: z.iso.datetime(),
  activeRunId: RunId.nullable(),
  costUsd: CostUsd.nullable(),
});
export type ThreadView = z.infer<typeof ThreadView>;

/** A run in its thread's list, oldest first. */
export const ThreadRunView = z.object({
  runId: RunId,
  status: RunStatus,
  createdAt: z.iso.datetime(),
  events: z.string(),
  /** Null while it is not over, and when a price is not known. */
  costUsd: CostUsd.nullable(),
});
export type ThreadRunView = z.infer<typeof ThreadRunView>;

/** Body of `PATCH /_framework/threads/<thread_id>`: 1 to 200 UTF-16 units after trimming. */
export const ThreadPatch = z.strictObject({ title: z.string().trim().min(1).max(200) });
export type ThreadPatch = z.infer<typeof ThreadPatch>;

/**
 * Answer of `POST /_framework/threads/<thread_id>/compact`: tokens of the conversation before and after. Both are equal when
 * there was nothing to compact, or the model cannot.
 */
export const ThreadCompaction = z.object({
  ok: z.literal(true),
  tokensBefore: z.int().nonnegative(),
  tokensAfter: z.int().nonnegative(),
});
export type ThreadCompaction = z.infer<typeof ThreadCompaction>;
