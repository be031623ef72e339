/** What a run is started with. It is stored once and never changes. */
import * as z from "zod";
import { HarnessSessionId, OwnerEmail, RunId, ThreadId } from "../contract/ids.ts";
import { Effort } from "../contract/models.ts";
import { PermissionMode } from "../contract/permission.ts";
import { CostUsd, RunMode } from "../contract/run.ts";
import { ModelFacts } from "../model/model-facts.ts";
import type { EndedState } from "./run-state.ts";

/** The spec of a run (run.md, Starting): thread, owner, session, and the input `{prompt}`. */
export const RunSpec = z.object({
  runId: RunId,
  threadId: ThreadId,
  sessionId: HarnessSessionId,
  /** The thread's first session, which has the queue and the rules of all its harnesses; absent when it is the run's own. */
  queueSessionId: HarnessSessionId.exactOptional(),
  /** Another harness has had turns of this thread. */
  hasOtherHarness: z.literal(true).exactOptional(),
  ownerEmail: OwnerEmail,
  orgId: z.string().nullable(),
  harness: z.string(),
  workspaceDir: z.string(),
  /**
   * The thread's directory as D1 has it, if it is not `workspaceDir` (decision 0221): standing rules that name no directory were made
   * there. What the harness knows of its last turn is newer.
   */
  previousWorkspaceDir: z.string().exactOptional(),
  permissionMode: PermissionMode,
  /** The mode in which the turn begins; without one, the turn may change things at once, as far as it is allowed to. */
  mode: RunMode.exactOptional(),
  prompt: z.string(),
  /** The model that answers. Runs of earlier versions have none and use the environment's. */
  model: z.string().exactOptional(),
  /** How hard the model should think, if the person chose. */
  effort: Effort.exactOptional(),
  /** The model's stored facts when the run was started; without them, the committed table applies. */
  modelFacts: ModelFacts.exactOptional(),
  /** What was left of the day's budgets when the run was started; without it, the run's spending is not limited by the day. */
  dayLeftUsd: CostUsd.exactOptional(),
  /** It is its thread's first turn: once it is over, the model is asked for a title. */
  wantsTitle: z.literal(true).exactOptional(),
  /** The person's time zone, or the schedule's; without one, the agent is told the day in UTC (decision 0228). */
  timeZone: z.string().exactOptional(),
  /** The log-in that sent the prompt. Set only where its first command needs a fresh code, so not on this machine (decision 0083). */
  loginId: z.string().exactOptional(),
  /** The schedule that started it; a person's own prompt has none. */
  scheduleId: z.string().exactOptional(),
  createdAtMs: z.int(),
});
export type RunSpec = z.infer<typeof RunSpec>;

/** The session that has the thread's queue and its rules. */
export const queueSessionOf = ({
  sessionId,
  queueSessionId,
}: Pick<RunSpec, "sessionId" | "queueSessionId">): HarnessSessionId => queueSessionId ?? sessionId;

/** The outbox receiver of a title: comes last, since nothing may wait for a model. */
export const TITLE = "title";

/** Whether a run that ended like this asks for a title: what was stopped or failed may not be what the chat will be about. */
export const asksForTitle = ({ wantsTitle }: RunSpec, status: EndedState["status"]): boolean =>
  wantsTitle === true && status === "completed";
