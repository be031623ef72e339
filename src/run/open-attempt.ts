/** The start of an attempt: the first one when a run's turn has come, a further one after a crash. */
import type { TranscriptEvent } from "../contract/transcript.ts";
import type { Ledger } from "./ledger.ts";
import { userMessageEvent } from "./run-events.ts";
import { type Attempts, MAX_ATTEMPTS_WITHOUT_CHECKPOINT, type RunState } from "./run-state.ts";

/** What an attempt starts with. */
export type AttemptStart = {
  /** The model that answers it. */
  readonly model: string;
  /** Whether the conversation already holds a message. */
  readonly resumed: boolean;
  readonly nowMs: number;
  readonly newId: () => string;
};

/** Begins a queued run under its grant. Does nothing when it is queued no more. */
export const beginRun = (ledger: Ledger, grant: number, start: AttemptStart): void => {
  if (ledger.record().state.status !== "queued") return;
  const { model, nowMs } = start;
  const attempts = { attempt: 1, streak: 1, checkpoints: 0 };
  writeAttempt(ledger, { status: "running", grant, model, startedAtMs: nowMs }, attempts, start, []);
};

/** Begins a further attempt. False when too many have got nowhere: then the run must end. */
export const recoverRun = (ledger: Ledger, start: AttemptStart): boolean => {
  const { state, attempts } = ledger.record();
  if (state.status !== "running") return true;
  const checkpoints = ledger.checkpoints.count();
  const streak = checkpoints > attempts.checkpoints ? 1 : attempts.streak + 1;
  if (streak > MAX_ATTEMPTS_WITHOUT_CHECKPOINT) return false;
  const open = ledger.checkpoints.findOpenMessage();
  const discard: TranscriptEvent[] =
    open === undefined ? [] : [{ type: "message_discard", messageId: open.messageId, reason: "restart" }];
  const next = { attempt: attempts.attempt + 1, streak, checkpoints };
  writeAttempt(ledger, { ...state, model: start.model }, next, start, discard);
  return true;
};

const writeAttempt = (
  ledger: Ledger,
  state: Extract<RunState, { status: "running" }>,
  attempts: Attempts,
  { model, resumed, newId }: AttemptStart,
  before: readonly TranscriptEvent[],
): void => {
  ledger.commit(() => {
    const record = ledger.record();
    const { runId, threadId, sessionId, permissionMode, workspaceDir, previousWorkspaceDir } = record.spec;
    const moved = previousWorkspaceDir === undefined ? {} : { previousWorkspaceDir };
    const { attempt } = attempts;
    // A run that had to wait has told its prompt behind `run_queued`.
    const prompt = ledger.transcript.lastSeq === 0 ? [userMessageEvent(record.spec, newId())] : [];
    ledger.checkpoints.discardOpenMessage();
    ledger.runs.save(record, { state, attempts });
    return [
      ...before,
      {
        ...{ type: "run_start", runId, threadId, sessionId, resumed, model, permissionMode },
        ...{ workspaceDir, ...moved, attempt },
      },
      ...prompt,
    ];
  });
};
