/** A turn that is asked for, and its run as D1 sees it. */
import { AppError } from "../contract/app-error.ts";
import { contentHash } from "../contract/digest.ts";
import { type Caller, HarnessSessionId, RunId, ThreadId } from "../contract/ids.ts";
import { Effort } from "../contract/models.ts";
import { eventsPath, MAX_PROMPT_LENGTH, requireThreadId, type TurnStartRequest } from "../contract/turn.ts";
import type { NewRun } from "../db/start/insert-run.ts";
import type { Occurrence } from "../db/start/start-conditions.ts";
import type { Env } from "../env.ts";
import { workspaceDirOf } from "../run/drive/served-workspace.ts";
import { chosenHarness, chosenMode, chosenTimeZone } from "./harness-choice.ts";
import { chosenModel } from "./model-choice.ts";

/** What a turn is started with. */
export type TurnRequest = TurnStartRequest & {
  readonly idempotencyKey: string | undefined;
  /** The log-in that speaks to the run (`http/fresh-code`); undefined where nobody is asked for a code. */
  readonly loginId?: string | undefined;
  /** The occurrence of a schedule that the turn is for. The turn starts only while the occurrence is due. */
  readonly occurrence?: Occurrence;
};

/** The spec of a run with a new id, in the workspace directory and permission mode of the service. */
export const newRun = async (env: Env, caller: Caller, request: TurnRequest): Promise<NewRun> => {
  const { threadId, prompt, idempotencyKey } = request;
  if (prompt.length > MAX_PROMPT_LENGTH) throw new AppError(413, "Request is too large.");
  requireThreadId(threadId);
  const model = chosenModel(env, request.model);
  const effort = Effort.safeParse(request.effort).data;
  const harness = chosenHarness(env);
  const mode = chosenMode(request.mode);
  const timeZone = chosenTimeZone(request.timeZone);
  const runId = RunId.parse(crypto.randomUUID());
  return {
    runId,
    threadId: ThreadId.parse(threadId),
    sessionId: HarnessSessionId.parse(crypto.randomUUID()),
    ownerEmail: caller.ownerEmail,
    orgId: caller.orgId,
    harness,
    workspaceDir: workspaceDirOf(env, caller.ownerEmail),
    permissionMode: "allow-reads",
    ...(mode && { mode }),
    ...(timeZone !== undefined && { timeZone }),
    prompt,
    model,
    ...(effort !== undefined && { effort }),
    ...(request.loginId !== undefined && { loginId: request.loginId }),
    ...(request.occurrence && { scheduleId: request.occurrence.scheduleId }),
    createdAtMs: Date.now(),
    idempotency:
      idempotencyKey === undefined
        ? undefined
        : { key: idempotencyKey, requestHash: await contentHash([threadId, prompt]), events: eventsPath(runId) },
  };
};
