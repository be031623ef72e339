/** The start of an attempt: the first one when a run's turn has come, a further one after a crash. */
import type { TranscriptEvent } from "../contract/transcript.ts";
import type { TurnState } from "../harness/conversation.ts";
import type { Notice } from "../session/conversation-store.ts";
import type { Ledger } from "./ledger.ts";
import { tell } from "./notices.ts";
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
  /** What the turn remembers of its requests, and the events that tell what the model is given. */
  readonly turnState: TurnState;
  readonly context: readonly TranscriptEvent[];
  /** What happened to the conversation and no run has told yet. */
  readonly notices: readonly Notice[];
};

/** Begins a queued run under its grant. Does nothing when it is queued no more. */
export const beginRun = (ledger: Ledger, grant: number, start: AttemptStart): void => {
  if (ledger.record().state.status !== "queued") return;
  const { model, nowMs } = start;
  const attempts = { attempt: 1, streak: 1, checkpoints: 0 };
  writeAttempt(ledger, { status: "running", grant, model, startedAtMs: nowMs }, attempts, start, () => []);
};

/** Begins a further attempt. False when too many have got nowhere: then the run must end. */
export const recoverRun = (ledger: Ledger, start: AttemptStart): boolean => {
  const { state, attempts } = ledger.record();
  if (state.status !== "running") return true;
  const checkpoints = ledger.checkpoints.count();
  const streak = checkpoints > attempts.checkpoints ? 1 : attempts.streak + 1;
  if (streak > MAX_ATTEMPTS_WITHOUT_CHECKPOINT) return false;
  const next = { attempt: attempts.attempt + 1, streak, checkpoints };
  writeAttempt(ledger, { ...state, model: start.model }, next, start, () => discardOpenMessage(ledger, state.model));
  return true;
};

/** The message that a crash left open goes, but for what it had used by then, as far as that is known. */
const discardOpenMessage = (ledger: Ledger, runModel: string): TranscriptEvent[] => {
  const open = ledger.checkpoints.findOpenMessage();
  if (open === undefined) return [];
  ledger.checkpoints.discardOpenMessage();
  const discard = { type: "message_discard", messageId: open.messageId, reason: "restart" } as const;
  if (open.call === undefined) return [discard];
  const { model = runModel, ...usage } = open.call;
  ledger.spending.add("discard", usage, model);
  return [{ ...discard, usage }];
};

const writeAttempt = (
  ledger: Ledger,
  state: Extract<RunState, { status: "running" }>,
  attempts: Attempts,
  { model, resumed, newId, turnState, context, notices }: AttemptStart,
  before: () => readonly TranscriptEvent[],
): void => {
  ledger.commit(() => {
    const record = ledger.record();
    const { runId, threadId, sessionId, permissionMode, workspaceDir, previousWorkspaceDir } = record.spec;
    const moved = previousWorkspaceDir === undefined ? {} : { previousWorkspaceDir };
    const { attempt } = attempts;
    // A run that had to wait has told its prompt behind `run_queued`.
    const prompt = ledger.transcript.lastSeq === 0 ? [userMessageEvent(record.spec, newId())] : [];
    const discarded = before();
    ledger.runs.save(record, { state, attempts });
    return [
      ...discarded,
      {
        ...{ type: "run_start", runId, threadId, sessionId, resumed, model, permissionMode },
        ...{ workspaceDir, ...moved, attempt },
      },
      ...prompt,
      ...context,
      ...tell(ledger, notices, turnState),
    ];
  });
};
