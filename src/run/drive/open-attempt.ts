/** Starts an attempt: the first one when a run reaches the head of the queue, a further one after a crash. */
import { AppError } from "../../contract/app-error.ts";
import { log } from "../../contract/log.ts";
import type { TranscriptEvent } from "../../contract/transcript.ts";
import { within } from "../../contract/within.ts";
import { openDb } from "../../db/db.ts";
import { findNavigation } from "../../db/navigation.ts";
import type { Env } from "../../env.ts";
import type { HarnessAdapter, TurnOpening } from "../../harness/adapter.ts";
import { readInstructions } from "../../harness/read-instructions.ts";
import { NOTHING_STORED } from "../../harness/stored-conversation.ts";
import type { HarnessState } from "../../harness/turn.ts";
import { reach } from "../../objects/reach.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { FoundScreen } from "../run-rpc.ts";
import type { RunSpec } from "../run-spec.ts";
import { type Attempts, MAX_ATTEMPTS_WITHOUT_CHECKPOINT, type RunState } from "../run-state.ts";
import { tellMessages } from "../steer-run.ts";
import type { Ledger } from "../store/ledger.ts";
import { userMessageEvent } from "../store/run-events.ts";
import { type LoadedConversation, loadConversation } from "./load-conversation.ts";
import { reportAll } from "./run-keeper.ts";
import { servedDirOf } from "./served-workspace.ts";
import { findUndone, saidElsewhere } from "./told-of-thread.ts";

/** What an attempt starts with. */
type AttemptStart = Omit<LoadedTurn, "thread" | "leftOut"> & {
  readonly harness: HarnessAdapter;
  /** The model that answers. */
  readonly model: string;
  /** Whether the conversation already contains a message. */
  readonly resumed: boolean;
  readonly nowMs: number;
  readonly newId: () => string;
};

/** Begins a queued run under its grant. Does nothing when it is no longer queued. */
export const beginRun = (ledger: Ledger, grant: number, start: AttemptStart): void => {
  if (ledger.record().state.status !== "queued") return;
  const { model, nowMs } = start;
  const attempts = { attempt: 1, streak: 1, checkpoints: 0 };
  writeAttempt(ledger, { status: "running", grant, model, startedAtMs: nowMs }, attempts, start, () => []);
};

/** Begins a further attempt. False when too many made no progress: then the run must end. */
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

/** Discards the message that a crash left open, but keeps its usage up to then, as far as that is known. */
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
  { harness: adapter, model, resumed, newId, turnState, context, reports, ...start }: AttemptStart,
  before: () => readonly TranscriptEvent[],
): void => {
  ledger.commit(() => {
    const record = ledger.record();
    const { runId, threadId, sessionId, harness, permissionMode, mode, workspaceDir } = record.spec;
    // A further attempt repeats what the first one said about a move.
    const first = ledger.transcript.events(0).find(({ type }) => type === "run_start");
    const { previousWorkspaceDir } = first?.type === "run_start" ? first : start;
    const moved = previousWorkspaceDir === undefined ? {} : { previousWorkspaceDir };
    const { attempt } = attempts;
    // A run that had to wait has already sent its prompt, after `run_queued`.
    const prompt = ledger.transcript.lastSeq === 0 ? [userMessageEvent(record.spec, newId())] : [];
    const discarded = before();
    ledger.runs.save(record, { state, attempts });
    return [
      ...discarded,
      {
        ...{ type: "run_start", runId, threadId, sessionId, resumed, harness, model, permissionMode },
        ...{ ...(mode && { mode }), workspaceDir, ...moved, attempt },
      },
      ...prompt,
      ...tellMessages(ledger),
      ...context,
      ...reportAll(ledger, adapter, reports, turnState),
    ];
  });
};

/** How long a turn waits for the screen, in ms: as long as for the project's instructions. */
const MAX_WAIT_MS = 3_000;

/** The navigation state as JSON, or undefined. It only helps the model: a turn goes on without it when D1 does not answer. */
const findScreen = async (env: Env, { ownerEmail, runId }: RunSpec): Promise<string | undefined> => {
  try {
    return await within(MAX_WAIT_MS, () => findNavigation(openDb(env.DB), ownerEmail));
  } catch (error) {
    log.warn("No screen for this turn.", { runId, error });
    return undefined;
  }
};

/** A turn, ready to begin or to continue. */
export type LoadedTurn = LoadedConversation & {
  readonly turnState: HarnessState;
  /** Events that report what the model is given; empty for a turn that continues. */
  readonly context: readonly TranscriptEvent[];
  /** Where the thread's last turn worked, for a turn that begins elsewhere. */
  readonly previousWorkspaceDir?: string | undefined;
};

/** For a run that only has to close what is open: it sends nothing to the model. */
export const nothingLoaded = (harness: HarnessAdapter): LoadedTurn => {
  const loaded = newConversation(harness);
  return { ...loaded, turnState: loaded.thread.stateWithoutOpening(), context: [] };
};

const newConversation = (harness: HarnessAdapter): LoadedConversation => ({
  thread: harness.resume(NOTHING_STORED),
  reports: [],
  leftOut: [],
});

/** What a turn is loaded with. `isFirst`: its session is new, so it has no conversation to ask for. A known `screen` is not asked for. */
type LoadWorld = Pick<TurnOpening, "model" | "tools" | "nowMs"> & {
  readonly harness: HarnessAdapter;
  readonly workspace: () => Promise<Workspace>;
  readonly isFirst: boolean;
  readonly screen: FoundScreen;
};

/** Takes a session for a holder queued in another session, and leaves out replaced turns there. False: the grant is out of date. */
export const holdSession = async (
  env: Env,
  { sessionId, queueSessionId }: { sessionId: string; queueSessionId?: string | undefined },
  holder: string,
  grant: number,
): Promise<boolean> => {
  if (queueSessionId === undefined) return true;
  const replaced = await reach(async () => await env.SESSIONS.getByName(queueSessionId).replacedRuns(holder, grant));
  if (replaced === undefined) return false;
  return await reach(async () => await env.SESSIONS.getByName(sessionId).hold(holder, grant, replaced));
};

/**
 * Loads what a turn continues from: the thread's conversation, and for a new turn what its context is made of. `refused` when
 * another run has the thread, `unreachable` when the session does not answer.
 */
export const loadTurn = async (
  env: Env,
  ledger: Ledger,
  grant: number,
  world: LoadWorld,
): Promise<LoadedTurn | "refused" | "unreachable"> => {
  const { spec, state } = ledger.record();
  const isNew = state.status === "queued";
  const loader = { sessionId: spec.sessionId, harness: world.harness, holder: spec.runId, grant };
  try {
    if (!(await holdSession(env, spec, spec.runId, grant))) return "refused";
    const loading = world.isFirst ? Promise.resolve(newConversation(world.harness)) : loadConversation(env, loader);
    const elsewhereOf = (loaded?: LoadedConversation) => saidElsewhere(env, spec, loaded?.leftOut ?? []);
    const [conversation, screen, instructions, elsewhere, undone] = await Promise.all([
      loading,
      isNew && world.screen === undefined ? findScreen(env, spec) : (world.screen ?? undefined),
      isNew ? readInstructions(world.workspace) : ("unknown" as const),
      isNew && spec.hasOtherHarness === true ? loading.then(elsewhereOf) : [],
      isNew && !world.isFirst ? findUndone(env, spec) : [],
    ]);
    if (conversation === undefined) return "refused";
    const { thread, isLost = false } = conversation;
    if (!isNew) {
      const turnState = ledger.turnState.find()?.state ?? thread.stateWithoutOpening();
      return { ...conversation, turnState, context: [] };
    }
    const { model, tools, nowMs } = world;
    const { workspaceDir, previousWorkspaceDir, mode, effort, timeZone } = spec;
    const asked = { model, tools, nowMs, timeZone, screen, isPlanning: mode === "plan", effort };
    const place = { workspaceDir, previousWorkspaceDir, isDurable: servedDirOf(env, spec.ownerEmail) === undefined };
    const opened = await thread.openTurn({ ...asked, ...place, instructions, elsewhere, undone, isLost });
    const { state: turnState, events: context } = opened;
    return { ...conversation, turnState, context, previousWorkspaceDir: opened.previousWorkspaceDir };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Unreachable: the run stays as it is, and the alarm tries again.
    log.warn("Session unreachable.", { runId: spec.runId, error });
    return "unreachable";
  }
};
