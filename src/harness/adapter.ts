/**
 * The interface of a harness (docs/harness.md). A run looks up its adapter by the name in its spec, gives it what the session stored,
 * and passes on what the adapter returns without reading it. An adapter knows no D1, no object and no HTTP route; whatever it needs
 * from there is a field of `TurnWorld`.
 */
import type { Effort } from "../contract/models.ts";
import type { PermissionMode } from "../contract/permission.ts";
import type { RunError } from "../contract/run.ts";
import type { EventOf } from "../contract/transcript.ts";
import type { Model } from "../model/model.ts";
import type { AgentHost } from "./agent-sdk/agent-host.ts";
import type { Budget } from "./budget.ts";
import type { TurnJournal } from "./journal.ts";
import type { PermissionGate } from "./permission-gate.ts";
import type { ReadInstructions } from "./read-instructions.ts";
import type { SettleDeps } from "./settle-calls.ts";
import type { KeptTurn, StoredConversation } from "./stored-conversation.ts";
import type { Tool } from "./tools/tool.ts";
import type { HarnessTraits } from "./traits.ts";
import type {
  AskedTitle,
  ConversationEvent,
  FailedCompaction,
  HarnessState,
  ManualCompaction,
  TurnCheckpoint,
  TurnKeeper,
  TurnOutcome,
} from "./turn.ts";
import type { UndoneTurn } from "./undone.ts";

/**
 * A way to run turns. Each method may be called in another instance, or in a later release, than the call before: whatever a later call
 * needs to know must be in the values that earlier calls returned. These are stored as JSON, and the adapter must be able to read those
 * that every earlier release stored.
 */
export type HarnessAdapter = HarnessTraits & {
  /**
   * The facts of a branch, made from the facts of its thread. Whatever the two would otherwise share under one name gets a new name. Absent
   * if they share nothing but copied rows.
   */
  branchFacts?(facts: string): string;
  /** Whether a turn can do without older rows than those loaded. Asked after each page, newest first. Absent: up to the run's limit. */
  hasEnough?(loaded: StoredConversation): boolean;
  /**
   * Resumes a thread from what its session stored. Throws when that cannot be read: the run then leaves the conversation behind in a closed
   * epoch, says so in the transcript (`context_reset`), and resumes from `NOTHING_STORED`, which never throws.
   */
  resume(stored: StoredConversation): ResumedThread;
  /**
   * The state after an event in the session's conversation that this run reports: a compaction, or a new epoch. `steps`: how many messages
   * the run has closed by then.
   */
  afterEvent(state: HarnessState, event: ConversationEvent, steps: number): HarnessState;
  /**
   * What to hand over to the session when a turn has ended, however it ended: the next turn must be able to resume from it.
   * Called again with the same values when the session did not answer.
   */
  keepTurn(ended: EndedTurn): KeptTurn;
  /** Asks the model for the title of a thread whose first turn this was. Never rejects. Absent if the harness calls its model by itself. */
  askTitle?(model: Model, said: Pick<SaidTurn, "prompt" | "answer">, signal: AbortSignal): Promise<AskedTitle>;
  /**
   * The id of the session that the harness keeps on the person's own machine, so that it can be deleted there with its thread. Undefined if
   * the facts or the state are not this harness's, or cannot be read. Absent if the harness keeps nothing there.
   */
  hostSession?(kept: { readonly facts: string } | { readonly state: HarnessState }): string | undefined;
};

/** A thread, ready for its next turn. Lives as long as one attempt. */
export type ResumedThread = {
  /** Whether the agent already remembers anything (`run_start.resumed`). */
  readonly isResumed: boolean;
  /** The model of the newest turn; undefined when there is none. */
  readonly lastModel: string | undefined;
  /** Prepares a new turn. Called once a turn; the run stores the state together with `run_start`. */
  openTurn(opening: TurnOpening): Promise<OpenedTurn>;
  /** The state of a turn that was not opened: an earlier release began it, or it was stopped before its thread was loaded. */
  stateWithoutOpening(): HarnessState;
  /**
   * Runs the turn from where the checkpoint left off: from its prompt, after a person's answer, or after a crash. Resolves when
   * the turn has ended or is waiting for a person, and then holds nothing: no process, no connection, no timer.
   *
   * A call in state `pending` is undecided, and one that is `asking` waits; `allowed`, `rejected` and `answered` are answers to act on.
   * One that is `started` was interrupted and may have had its effect: it must be looked into (`recover` of its tool), never simply
   * repeated. Whatever ran for an earlier attempt of this run must have stopped before anything else is done.
   *
   * Never rejects for model or tool failures: those are an outcome or a tool's result. Rejects with `Superseded` when a method
   * of the world does. After `signal` aborts it ends within 10 s, and calls under way end with their true status.
   */
  runTurn(world: TurnWorld, checkpoint: TurnCheckpoint, signal: AbortSignal): Promise<TurnOutcome>;
  /** Summarizes earlier turns because a person asked for it. Absent if the harness cannot. */
  compact?(model: Model, tools: Toolset): Promise<ManualCompaction | FailedCompaction>;
  /** What was said, oldest first, as text: for another harness that takes over the thread. Asks no model. */
  saidTurns(): readonly SaidTurn[];
};

/** The tools a turn can call, in the order in which the agent is told about them. */
export type Toolset = {
  /** Actions on the person's stocks, and moving their screen. They run in the Worker, whichever harness calls them. */
  readonly app: readonly Tool[];
  /** Files and commands. A harness that brings its own leaves these out. */
  readonly workspace: readonly Tool[];
  /** Asking the person, plans and to-dos. They run in the Worker as well. */
  readonly person: readonly Tool[];
};

/** What a new turn is opened with. */
export type TurnOpening = {
  /** The model that answers. */
  readonly model: string;
  /** How hard the model should think, if the person chose. */
  readonly effort?: Effort | undefined;
  readonly tools: Toolset;
  readonly nowMs: number;
  readonly timeZone?: string | undefined;
  /** The navigation state as JSON, or undefined when unknown. */
  readonly screen: string | undefined;
  /** The turn begins in plan mode, and the agent has to be told. */
  readonly isPlanning?: boolean;
  readonly workspaceDir: string;
  /** The workspace is durable storage. `isLost`: what was said before could not be read. */
  readonly isDurable?: boolean;
  readonly isLost?: boolean;
  /** Where the thread worked before, for a thread whose facts do not say. */
  readonly previousWorkspaceDir: string | undefined;
  readonly instructions: Awaited<ReturnType<ReadInstructions>>;
  /** What was said with the thread's other harnesses since this one's last turn, oldest first. */
  readonly elsewhere: readonly SaidTurn[];
  /** What the person has undone, in at most the five turns that were undone last. The agent may have been told of it. Oldest first. */
  readonly undone: readonly UndoneTurn[];
};

/** The state a turn begins with, and the events that report what the agent is given. */
export type OpenedTurn = {
  readonly state: HarnessState;
  readonly events: readonly EventOf<"context_added">[];
  /** The directory that the agent is told the thread has left. */
  readonly previousWorkspaceDir: string | undefined;
};

/** The world of one attempt. All writes are through `journal` and `keeper`. */
export type TurnWorld = {
  readonly runId: string;
  /** The turn's state as last saved. */
  readonly state: HarnessState;
  readonly keeper: TurnKeeper;
  readonly journal: TurnJournal;
  /** Decides which calls need permission. */
  readonly gate: PermissionGate;
  readonly permissionMode: PermissionMode;
  readonly tools: Toolset;
  /** The model to use. A harness with a client of its own needs only its name and its facts. */
  readonly model: Model;
  /** How hard the model should think, if the person chose. */
  readonly effort?: Effort | undefined;
  /** Undefined when the turn's spending is not limited. */
  readonly budget?: Budget | undefined;
  readonly readInstructions: ReadInstructions;
  /** Runs an agent on the owner's own machine. Undefined when none is served to them. */
  readonly host?: AgentHost | undefined;
  /** Keeps a copy of a file in the thread's session, for a harness whose own file may be lost. */
  readonly sessionCopy: SessionCopy;
  readonly callKey: SettleDeps["callKey"];
  readonly isSubjectCut: SettleDeps["isSubjectCut"];
  readonly newId: () => string;
};

/** A copy of a file that only grows. Offsets and sizes are in bytes. Throws `AppError` when the session does not answer. */
export type SessionCopy = {
  size(): Promise<number>;
  /** The first piece at or after `offset`. */
  piece(offset: number): Promise<{ readonly offset: number; readonly bytes: ArrayBuffer } | undefined>;
  /**
   * Adds a piece of at most 1 MiB at the end. At offset 0 it replaces the copy, and an empty piece there only removes the copy. False: this
   * attempt was overtaken, or the piece would leave a gap.
   */
  add(offset: number, bytes: ArrayBuffer): Promise<boolean>;
};

/** A turn that is over. */
export type EndedTurn = {
  readonly runId: string;
  /** The model of its last attempt. */
  readonly model: string;
  /** All calls in it have ended, and all messages are closed. */
  readonly checkpoint: TurnCheckpoint;
  /** Undefined for a run that an earlier release began. */
  readonly state: HarnessState | undefined;
  readonly error: RunError | null;
};

/** A turn as people would retell it. */
export type SaidTurn = {
  readonly runId: string;
  /** What the person wrote, without the context before it. Our own harness adds what they sent meanwhile, with the app's line before it. */
  readonly prompt: string;
  /** The final answer; empty when there was none. `isRefused`: the model refused, and the harness keeps the turn all the same. */
  readonly answer: string;
  readonly isRefused?: true;
};
