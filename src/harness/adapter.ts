/**
 * The seam to a coding agent. A harness adapter makes sessions; a session streams turns into a journal. The built-in
 * adapter is our own loop; another one (an agent in a container, say) would fill the same two functions.
 */
import type { PermissionMode } from "../contract/permission.ts";
import type { Model } from "../model/model.ts";
import type { ResumeState } from "./fit-conversation.ts";
import type { PermissionGate, TurnJournal } from "./journal.ts";
import type { SettleDeps } from "./settle-calls.ts";
import type { Tool } from "./tools/tool.ts";
import type { TurnOutcome, TurnProgress } from "./turn.ts";

/** A way to run turns. Sessions are looked up by owner, thread and `name`, so resume state never crosses harnesses. */
export type HarnessAdapter = {
  /** Stored with the session; never changes for an adapter. */
  readonly name: string;
  createSession(spec: HarnessSessionSpec): HarnessSession;
};

/** What a session is made of: the thread's resume state and the world its turns run in. */
export type HarnessSessionSpec = {
  /** The conversation so far. It is never replayed to clients. */
  readonly resumeState: ResumeState;
  readonly workspaceDir: string;
  /** Where the thread worked before, when that was elsewhere. */
  readonly previousWorkspaceDir: string | undefined;
  readonly permissionMode: PermissionMode;
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly gate: PermissionGate;
  readonly journal: TurnJournal;
  /** The navigation state as JSON, or undefined when there is none. */
  readonly screen: string | undefined;
  readonly callKey: SettleDeps["callKey"];
  readonly isSubjectCut: SettleDeps["isSubjectCut"];
  readonly newId: () => string;
  readonly nowMs: () => number;
};

/** A session that can run turns, one at a time. */
type HarnessSession = {
  /**
   * Runs a turn from where it stands. Resolves when it ended or waits for a person; never rejects for model or tool
   * failures. Rejects with `Superseded` when another attempt has taken over.
   */
  streamTurn(progress: TurnProgress, signal: AbortSignal): Promise<TurnOutcome>;
};
