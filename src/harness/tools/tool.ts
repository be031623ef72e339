/**
 * What the model can call. A tool turns the model's input into a prepared call once. Everything later (the permission request,
 * the run, the recovery after a crash) works on that prepared call, so what was shown is what runs.
 */
import type { Question } from "../../contract/guidance/question.ts";
import type { Todo } from "../../contract/guidance/todo.ts";
import type { PermissionSubject, ToolKind } from "../../contract/permission.ts";
import type { EventOf } from "../../contract/transcript.ts";

/** A tool of the agent. `kind` and `asksPerson` decide whether it asks (api.md §4). */
export type Tool = {
  /** The name the model uses; unique among a turn's tools. */
  readonly name: string;
  readonly kind: ToolKind;
  readonly description: string;
  /** Each of its calls asks the person, though it changes nothing: with `questions`, or with what it proposes. */
  readonly asksPerson?: true;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Checks the model's input. A `problem` goes back to the model, and nothing is asked or run. */
  prepare(input: Readonly<Record<string, unknown>>): PreparedCall | { readonly problem: string };
};

/** A call whose input is valid. Preparing the same input twice gives the same call. */
export type PreparedCall = {
  /** One line for people, such as `Add AAPL`. */
  readonly title: string;
  /** Whether "always allow" may be offered for it. */
  readonly mayBecomeRule: boolean;
  /** What the call asks the person. It ends with their answers, and is never run. */
  readonly questions?: readonly Question[];
  /** What a person is shown. Absent for a call that proposes nothing. If it fails, the model is told and nobody is asked. */
  propose?(): Promise<Proposal>;
  /**
   * Executes the call. Never rejects for what the model can act on: that is a result with `isError`. `no_effect` when the run
   * was stopped before the call did anything.
   */
  run(ctx: ToolContext): Promise<ToolResult | "no_effect">;
  /**
   * Called instead of `run` when a crash left it open whether the call took effect. Returns the true result, or `rerun` when
   * running it again is safe, or `no_effect` when it provably did nothing, or `unknown`. In a run that is being stopped it must
   * not cause the effect. Absent: `unknown`.
   */
  recover?(ctx: ToolContext): Promise<ToolResult | "rerun" | "no_effect" | "unknown">;
};

/** What a call would do. It is stored with the request and handed back to the call when it is allowed to run. */
export type Proposal = {
  /** What a person is shown. `truncated` when it does not show everything; then it can never become a rule. */
  readonly subject: PermissionSubject;
  /** What the subject was made from, in a form only the tool reads, such as the hash of a file. */
  readonly basis?: string;
};

/** What a call is given to run with. */
export type ToolContext = {
  /** `run:<runId>:<toolCallId>`: the same for every try of this call, and unique to it. */
  readonly callKey: string;
  /** Aborts when the run is stopped. */
  readonly signal: AbortSignal;
  /** What a person or a rule agreed to. Absent for reads. */
  readonly shown?: Proposal;
  /** Shows the person what the agent has to do. Absent where nobody can see it. */
  showTodos?(items: readonly Todo[]): void;
  /** Keeps a file before the call changes it, so that a person can undo the change. Durable before it resolves. */
  keepBefore?(file: FileBefore): Promise<void>;
  /** Sends output while the call runs. */
  output(stream: "stdout" | "stderr", text: string): void;
};

/** The result of a call, as the model reads it. */
export type ToolResult = {
  readonly output: string;
  readonly isError: boolean;
  /** It took effect in part, or nobody can tell: the call ends as `unknown`, with this output. */
  readonly isUnknown?: true;
  readonly fileChange?: FileChange;
};

/** A change of a file, about to be made. States are those of `file-state.ts`. */
export type FileBefore = {
  /** A real path. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Undefined for a file that does not exist, or is too large to be read whole. */
  readonly bytes: Uint8Array | undefined;
};

/** What happened to a file, for the transcript. */
export type FileChange = Omit<EventOf<"file_change">, "type" | "toolCallId">;
