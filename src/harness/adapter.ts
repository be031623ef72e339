/**
 * The seam to a coding agent. A harness adapter makes sessions; a session streams turns into a journal. The built-in
 * adapter is our own loop; another one (an agent in a container, say) would fill the same two functions.
 */
import type { Effort } from "../contract/models.ts";
import type { PermissionMode } from "../contract/permission.ts";
import type { Model } from "../model/model.ts";
import type { Budget } from "./budget.ts";
import type { ResumeState, TurnState } from "./conversation.ts";
import type { PermissionGate, TurnJournal } from "./journal.ts";
import type { OpenedTurn, TurnOpening } from "./open-turn.ts";
import type { ReadInstructions } from "./read-instructions.ts";
import type { RequestPrefix } from "./request-prefix.ts";
import type { SettleDeps } from "./settle-calls.ts";
import type { Tool } from "./tools/tool.ts";
import type { TurnOutcome, TurnProgress } from "./turn.ts";
import type { TurnKeeper } from "./turn-keeper.ts";

/** A way to run turns. Sessions are looked up by owner, thread and `name`, so resume state never crosses harnesses. */
export type HarnessAdapter = {
  /** Stored with the session; never changes for an adapter. */
  readonly name: string;
  /** What a new turn begins with: made once, and kept by the run until the turn is over. */
  openTurn(opening: TurnOpening): OpenedTurn;
  createSession(spec: HarnessSessionSpec): HarnessSession;
};

/** What a session is made of: the thread's resume state and the world its turns run in. */
export type HarnessSessionSpec = {
  readonly runId: string;
  /** The conversation so far. It is never replayed to clients. */
  readonly resumeState: ResumeState;
  /** What the turn remembers of its own requests. */
  readonly turnState: TurnState;
  readonly keeper: TurnKeeper;
  readonly readInstructions: ReadInstructions;
  readonly permissionMode: PermissionMode;
  readonly model: Model;
  /** How hard the model is to think, where the person chose. */
  readonly effort?: Effort | undefined;
  readonly tools: readonly Tool[];
  /** The rules and those tools, as every request begins with them. */
  readonly prefix: RequestPrefix;
  readonly gate: PermissionGate;
  /** Undefined where turns may spend what they take. */
  readonly budget?: Budget | undefined;
  readonly journal: TurnJournal;
  readonly callKey: SettleDeps["callKey"];
  readonly isSubjectCut: SettleDeps["isSubjectCut"];
  readonly newId: () => string;
};

/** A session that can run turns, one at a time. */
type HarnessSession = {
  /**
   * Runs a turn from where it stands. Resolves when it ended or waits for a person; never rejects for model or tool
   * failures. Rejects with `Superseded` when another attempt has taken over.
   */
  streamTurn(progress: TurnProgress, signal: AbortSignal): Promise<TurnOutcome>;
};
