/** What a run is started with. It is stored once and never changes. */
import { z } from "zod";
import { HarnessSessionId, OwnerEmail, RunId, ThreadId } from "../contract/ids.ts";
import { PermissionMode } from "../contract/permission.ts";

/** The spec of a run (spec §4.1.7): thread, owner, session, and the input `{prompt}`. */
export const RunSpec = z.object({
  runId: RunId,
  threadId: ThreadId,
  sessionId: HarnessSessionId,
  ownerEmail: OwnerEmail,
  orgId: z.string().nullable(),
  harness: z.string(),
  workspaceDir: z.string(),
  /** Where the thread worked before, when that was elsewhere. */
  previousWorkspaceDir: z.string().exactOptional(),
  permissionMode: PermissionMode,
  prompt: z.string(),
  createdAtMs: z.int(),
});
export type RunSpec = z.infer<typeof RunSpec>;
