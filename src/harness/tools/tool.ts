/**
 * What the model can call. A tool turns the model's input into a prepared call once; everything that happens later (the
 * permission request, the run, the recovery after a crash) works on that, so what was shown is what runs.
 */
import type { PermissionSubject, ToolKind } from "../../contract/permission.ts";
import type { EventOf } from "../../contract/transcript.ts";

/** A tool of the agent. `kind` decides whether it asks (CONTRACT §4). */
export type Tool = {
  /** As the model calls it; unique among a turn's tools. */
  readonly name: string;
  readonly kind: ToolKind;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Checks the model's input. A `problem` is told to the model and nothing is asked or run. */
  prepare(input: Readonly<Record<string, unknown>>): PreparedCall | { readonly problem: string };
};

/** A call whose input is sound. Preparing the same input twice gives the same call. */
export type PreparedCall = {
  /** One line for people, such as `Add AAPL`. */
  readonly title: string;
  /** Whether "always allow" may be offered for it. */
  readonly mayBecomeRule: boolean;
  /** What a person is shown. Absent for reads. A failure here is told to the model instead of asking. */
  propose?(): Promise<Proposal>;
  /**
   * Does it. Never rejects for what the model can act on: that is a result with `isError`. `no_effect` when the run was
   * stopped before it did anything.
   */
  run(ctx: ToolContext): Promise<ToolResult | "no_effect">;
  /**
   * Called instead of `run` when a crash left it open whether the call had its effect. Gives the true result, or
   * `rerun` when running it again is safe, or `no_effect` when it provably did nothing, or `unknown`. In a run that is
   * being stopped it must not cause the effect. Absent: `unknown`.
   */
  recover?(ctx: ToolContext): Promise<ToolResult | "rerun" | "no_effect" | "unknown">;
};

/** What a call would do. It is stored with the request and handed back to the call when that may run. */
export type Proposal = {
  /** What a person is shown; `truncated` where it does not say all, and then it never becomes a rule. */
  readonly subject: PermissionSubject;
  /** What the subject was made from, in the tool's own words, such as the hash of a file. Nobody else reads it. */
  readonly basis?: string;
};

/** The world of one call. */
export type ToolContext = {
  /** `run:<runId>:<toolCallId>`: the same for every try of this call, and for no other. */
  readonly callKey: string;
  /** Aborts when the run is stopped. */
  readonly signal: AbortSignal;
  /** What a person or a rule agreed to. Absent for reads. */
  readonly shown?: Proposal;
  /** Sends output while the call runs. */
  output(stream: "stdout" | "stderr", text: string): void;
};

/** What a call came to, as the model reads it. */
export type ToolResult = {
  readonly output: string;
  readonly isError: boolean;
  /** It had its effect in part, or nobody can tell: the call ends `unknown`, with these words. */
  readonly isUnknown?: true;
  readonly fileChange?: FileChange;
};

/** What happened to a file, for the transcript. */
export type FileChange = Omit<EventOf<"file_change">, "type" | "toolCallId">;
