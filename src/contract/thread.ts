/** Threads as the thread routes list them (api.md §2). */
import * as z from "zod";
import { RunId, ThreadId } from "./ids.ts";
import { wellFormed } from "./plain-text.ts";
import { CostUsd, RunStatus } from "./run.ts";

/**
 * A thread in the caller's list, newest first. `activeRunId` is the run that is live now, if any, and `status` that run's, so that
 * `waiting_permission` is known without its stream. `costUsd` is the sum of the known costs of its runs, null when none is known.
 */
export const ThreadView = z.object({
  threadId: ThreadId,
  title: z.string(),
  updatedAt: z.iso.datetime(),
  activeRunId: RunId.nullable(),
  status: RunStatus.nullable(),
  costUsd: CostUsd.nullable(),
});
export type ThreadView = z.infer<typeof ThreadView>;

/** A thread in the answer of a search. `match`: the text around what was found, in one line, without markup. */
export const FoundThread = ThreadView.extend({ match: z.string() });
export type FoundThread = z.infer<typeof FoundThread>;

/** Longest search of threads, in UTF-16 units after trimming. */
export const MAX_SEARCH_LENGTH = 200;

/** A run in its thread's list, oldest first. */
export const ThreadRunView = z.object({
  runId: RunId,
  status: RunStatus,
  createdAt: z.iso.datetime(),
  events: z.string(),
  /** Null while the run is not over, and when a price is unknown. */
  costUsd: CostUsd.nullable(),
  /** The person has gone back to a point before it: it can be read, but is no longer sent to the model. */
  replaced: z.literal(true).exactOptional(),
  /** It is a run of the chat that this one was branched from. */
  inherited: z.literal(true).exactOptional(),
  /** The person has asked to undo it: a preview of the undo says which of its changes are undone. */
  undone: z.literal(true).exactOptional(),
});
export type ThreadRunView = z.infer<typeof ThreadRunView>;

/** Body of `PATCH /_framework/threads/<thread_id>`: 1 to 200 UTF-16 units after trimming. */
export const ThreadPatch = z.strictObject({ title: z.string().overwrite(wellFormed).trim().min(1).max(200) });
export type ThreadPatch = z.infer<typeof ThreadPatch>;

/** Body of `POST /_framework/threads/<thread_id>/rewind` and of `…/fork`. */
export const BeforeRun = z.strictObject({ beforeRunId: z.string() });
export type BeforeRun = z.infer<typeof BeforeRun>;

/** Answer of `POST /_framework/threads/<thread_id>/fork`: the new thread. */
export const ForkedThread = z.object({ threadId: ThreadId });
export type ForkedThread = z.infer<typeof ForkedThread>;

/**
 * Answer of `POST /_framework/threads/<thread_id>/compact`: tokens of the conversation before and after. Both are equal when there
 * was nothing to compact, or the model cannot do it.
 */
export const ThreadCompaction = z.object({
  ok: z.literal(true),
  tokensBefore: z.int().nonnegative(),
  tokensAfter: z.int().nonnegative(),
});
export type ThreadCompaction = z.infer<typeof ThreadCompaction>;
