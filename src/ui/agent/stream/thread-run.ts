import type { RunStatus } from "../../../contract/run.ts";
import type { ThreadRunView } from "../../../contract/thread.ts";
import type { NumberedEvent } from "../../../contract/transcript.ts";
import type { ListState } from "./run-list.ts";
import type { RunStream } from "./run-stream.ts";
import type { RunStreamOptions, StreamConnection, StreamEnvironment } from "./stream-environment.ts";
import { newTranscript, type TranscriptState } from "./transcript-state.ts";

/** A run within its thread. A new object whenever anything in it changes, and only then. */
export type ThreadRun = {
  readonly runId: string;
  /** ISO 8601 UTC; undefined until the thread's list names the run. */
  readonly createdAt: string | undefined;
  /** The person has gone back to before it. */
  readonly isReplaced: boolean;
  /** The list says that the person has asked to undo it. */
  readonly isUndone: boolean;
  readonly transcript: TranscriptState;
  /**
   * Undefined while its stream is not read: it will be loaded later, or it is queued behind other runs. Closed as
   * `expired` or `not_found`, its transcript is gone for good.
   */
  readonly connection: StreamConnection | undefined;
};

/** The thread at one moment. A new object after each change and only then. */
export type ThreadSnapshot = {
  readonly list: ListState;
  /** The newest runs, oldest of them first. */
  readonly runs: readonly ThreadRun[];
  /** There are older runs than those shown. */
  readonly hasOlder: boolean;
};

/** The change of workspace between two runs; undefined when there is none, or when either workspace is unknown. */
export const workspaceChange = (
  before: ThreadRun | undefined,
  run: ThreadRun,
): { readonly from: string; readonly to: string } | undefined => {
  const from = before?.transcript.workspaceDir;
  const to = run.transcript.workspaceDir;
  return from === undefined || to === undefined || from === to ? undefined : { from, to };
};

export type ThreadOptions = Pick<RunStreamOptions, "environment" | "stallMs"> & {
  /**
   * Called with the events of runs that had not ended when this thread learned of them, once the snapshot has them. What is older than
   * `missedUntilMs` happened while the stream was away.
   */
  readonly onLiveEvents?: (runId: string, events: readonly NumberedEvent[], missedUntilMs: number) => void;
};

/**
 * A run that was just started: the response to the turn, with the prompt to show before its first event. `isAgain`: an earlier response may
 * have been lost, so it may have been started long before.
 */
export type StartedRun = {
  readonly runId: string;
  readonly events: string;
  readonly prompt?: string;
  readonly isAgain?: boolean;
};

/** What a thread's transcript keeps for one run. `run` is replaced when it changes; the rest is internal. */
export type ThreadEntry = {
  run: ThreadRun;
  readonly eventsPath: string;
  /** It had ended when this client learned of it: it is read once, and closes by itself. */
  readonly isHistory: boolean;
  /** Somebody is waiting to see this run. */
  isUrgent: boolean;
  /** Set while its stream is read. */
  stream: RunStream | undefined;
  /**
   * When its stream last opened or brought something, in ms of the environment's clock. Until it has, when the run was started here or
   * was first named by the list; -Infinity for a run that may have been started here long before.
   */
  aliveAtMs: number;
  /** What happened before this time, in ms, was missed: the stream brings it only afterwards. */
  missedUntilMs: number;
};

/**
 * If a stream was away for longer, in ms, what it brings first counts as missed. A hidden page stays connected for the same time
 * (`run-stream.ts`).
 */
const AWAY_MS = 30_000;

/** How far the clocks of the server and this device may be apart, in ms, before something new counts as missed. */
const SKEW_MS = 10_000;

/** Notes that the entry's stream has opened. */
export const noteOpened = (entry: ThreadEntry, nowMs: number): void => {
  if (nowMs - entry.aliveAtMs > AWAY_MS) entry.missedUntilMs = nowMs - SKEW_MS;
  entry.aliveAtMs = nowMs;
};

type NewRun = Pick<ThreadEntry, "eventsPath" | "isHistory" | "aliveAtMs"> & {
  readonly runId: string;
  readonly prompt?: string | undefined;
};

/** The entry of a run whose events are not known yet, only its prompt at most. */
export const newEntry = ({ runId, prompt, ...entry }: NewRun): ThreadEntry => ({
  run: {
    ...{ runId, createdAt: undefined, isReplaced: false, isUndone: false },
    ...{ transcript: newTranscript(runId, prompt), connection: undefined },
  },
  ...entry,
  isUrgent: false,
  stream: undefined,
  missedUntilMs: 0,
});

/** The entry of a listed run, with what the list says of it now. */
export const listedEntry = (
  known: ThreadEntry | undefined,
  view: ThreadRunView,
  environment: Pick<StreamEnvironment, "nowMs">,
): ThreadEntry => {
  const { runId, createdAt, events: eventsPath } = view;
  const entry =
    known ?? newEntry({ runId, eventsPath, isHistory: isOver(view.status), aliveAtMs: environment.nowMs() });
  const { run } = entry;
  const [isReplaced, isUndone] = [view.replaced === true, view.undone === true];
  const isSame = run.createdAt === createdAt && run.isReplaced === isReplaced && run.isUndone === isUndone;
  if (!isSame) entry.run = { ...run, createdAt, isReplaced, isUndone };
  // A run that was stopped in the queue has no open stream to say so.
  if (!entry.isHistory && isOver(view.status)) entry.isUrgent = true;
  return entry;
};

const OPEN_STATUSES: ReadonlySet<RunStatus> = new Set(["queued", "running", "waiting_permission", "aborting"]);

/** Whether a status is final. The contract's own `isTerminal` would bring zod into the browser. */
const isOver = (status: RunStatus): boolean => !OPEN_STATUSES.has(status);

/** Whether retrying can help, after a new sign-in or a new version of the server. */
export const isWorthAnotherTry = ({ connection }: ThreadRun): boolean =>
  connection?.state === "closed" && (connection.reason === "signed_out" || connection.reason === "refused");

/**
 * Most streams read at once. Without HTTP/2, all tabs of a browser share six connections to a host, and the rest of the app
 * needs some of them.
 */
const MAX_STREAMS = 3;

/** `run_queued` and `user_message`: all the events that a queued run has. */
const EVENTS_OF_A_WAITING_RUN = 2;

/** What decides whether a run is read now. */
type Candidate = Pick<ThreadEntry, "run" | "isHistory" | "isUrgent">;

/**
 * Ids of the runs to read now; `candidates` are oldest first. The oldest live run comes first, because it is the one at
 * work. Then come the urgent runs, and then those not loaded yet, newest first, because they are in view. A queued run that has been
 * read is left until it is the oldest: before that, it would only keep a connection from the rest of the app.
 */
export const chooseStreams = (candidates: readonly Candidate[]): ReadonlySet<string> => {
  const open = candidates.filter(({ run }) => run.connection?.state !== "closed");
  const head = open.find(({ isHistory }) => !isHistory);
  const urgent = open.filter(({ isUrgent }) => isUrgent);
  const loading = open.filter(isLoading).reverse();
  const inOrder = [...(head ? [head] : []), ...urgent, ...loading].map(({ run }) => run.runId);
  return new Set([...new Set(inOrder)].slice(0, MAX_STREAMS));
};

const isLoading = ({ run, isHistory }: Candidate): boolean =>
  isHistory || run.transcript.lastSeq < EVENTS_OF_A_WAITING_RUN;

/** Whether the agent can be told something while it works (docs/harness.md). For a run that has not begun, the server decides. */
export const takesMessages = ({ transcript }: Pick<ThreadRun, "transcript">): boolean =>
  transcript.harness !== "agent-sdk";
