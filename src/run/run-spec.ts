/** What a run is started with. It is stored once and never changes. */
import * as z from "zod";
import { HarnessSessionId, OwnerEmail, RunId, ThreadId } from "../contract/ids.ts";
import { Effort } from "../contract/models.ts";
import { PermissionMode } from "../contract/permission.ts";
import { CostUsd } from "../contract/run.ts";
import { ModelFacts } from "../model/model-facts.ts";

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
  /** The model that answers. Runs of earlier versions have none: they get what the environment names. */
  model: z.string().exactOptional(),
  /** How hard it is to think, where the person chose. */
  effort: Effort.exactOptional(),
  /** What was stored of the model when the run was started; the committed table speaks for it where nothing was. */
  modelFacts: ModelFacts.exactOptional(),
  /** What the day's budgets left when the run was started; runs without one may spend what they take. */
  dayLeftUsd: CostUsd.exactOptional(),
  createdAtMs: z.int(),
});
export type RunSpec = z.infer<typeof RunSpec>;
