/** A turn in progress: what has been committed of it, in the form a harness resumes from. */
import * as z from "zod";
import { ToolKind } from "../contract/permission.ts";
import type { RunError, TerminalStatus, Usage } from "../contract/run.ts";
import { type EventOf, ToolCallStatus } from "../contract/transcript.ts";
import type { TurnRows } from "./stored-conversation.ts";

/** Most model calls in one turn: a model that has not finished by then is going round in circles. */
export const MAX_STEPS = 100;

/**
 * Largest message of a model, in UTF-16 units: fits a 2 MB SQLite row even when JSON needs six bytes for each. A run whose message fits no
 * row cannot end.
 */
export const MAX_MESSAGE_LENGTH = 300_000;

/** Deepest nesting of a call's input, in levels: far more than any tool takes. Storing thousands of levels would use up the stack. */
const MAX_INPUT_LEVELS = 100;

/**
 * The input of a call as a model gives it. Parts that are nested too deeply are replaced by a text. The tool refuses that text, as it would
 * have refused the parts.
 */
export const ModelInput = z
  .unknown()
  .transform((input) => withoutDepth(input, MAX_INPUT_LEVELS))
  .pipe(z.record(z.string(), z.unknown()));

const withoutDepth = (value: unknown, levels: number): unknown => {
  if (typeof value !== "object" || value === null) return value;
  if (levels === 0) return "[nested too deeply]";
  if (Array.isArray(value)) return value.map((part) => withoutDepth(part, levels - 1));
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withoutDepth(part, levels - 1)]));
};

/** How a call ended, as reported to the model. */
export const CallResult = z.object({ status: ToolCallStatus, output: z.string() });

export type CallResult = Readonly<z.infer<typeof CallResult>>;

/** The state of a call. The loop can resume from each of them except `ended`. */
export const CallState = z.discriminatedUnion("type", [
  /** Shown by `tool_start`; nothing has been decided. */
  z.object({ type: z.literal("pending") }),
  /** A person has been asked; the loop is not running. */
  z.object({ type: z.literal("asking") }),
  /** A person or a rule said yes; nothing has been done yet. */
  z.object({ type: z.literal("allowed") }),
  /** A person said no, or nobody answered in time. `reason` is for the model. */
  z.object({ type: z.literal("rejected"), reason: z.string() }),
  /** A person answered the questions that the call asks. `output` is for the model. */
  z.object({ type: z.literal("answered"), output: z.string() }),
  /** It may have taken effect. */
  z.object({ type: z.literal("started") }),
  z.object({ type: z.literal("ended"), result: CallResult }),
]);

export type CallState = z.infer<typeof CallState>;

/** One call of a model message. */
export const ToolCall = z.object({
  /** `<step>-<index>`, ours. */
  toolCallId: z.string(),
  /** The provider's id, which the result must name. */
  toolUseId: z.string(),
  messageId: z.string(),
  tool: z.string(),
  kind: ToolKind,
  title: z.string(),
  input: z.record(z.string(), z.unknown()),
  state: CallState,
});

export type ToolCall = Readonly<z.infer<typeof ToolCall>>;

/** A step that is over: a closed message of the model, and its calls in their current state. */
export type StepCheckpoint = {
  /** The `content` that the adapter closed the message with, parsed from JSON and not checked. */
  readonly content: unknown;
  readonly stopReason: string;
  readonly usage: Usage;
  /** In the order in which they were given; empty when it asked for none. */
  readonly calls: readonly ToolCall[];
};

/** What the person has said while the turn ran, and the step after which the model was given it; 0 is after the prompt. */
export type SaidMeanwhile = { readonly step: number; readonly text: string };

/** Everything committed of a turn, which is all that is left of it after a crash or a wait. */
export type TurnCheckpoint = {
  readonly prompt: string;
  /** In order. Absent: nothing. */
  readonly said?: readonly SaidMeanwhile[];
  /** Oldest first. The calls of all but the last have ended. */
  readonly steps: readonly StepCheckpoint[];
};

/**
 * What an adapter remembers during a turn, across crashes and waits: a JSON object of its own making, stored with the run. The
 * keys `told` and `unkept` are the run's.
 */
export type HarnessState = Readonly<Record<string, unknown>>;

/** Why a turn stopped. */
export type TurnOutcome =
  /** It waits for a person, and continues from its checkpoint when the answer arrives. */
  | { readonly type: "waiting" }
  | {
      readonly type: "ended";
      readonly status: TerminalStatus;
      readonly stopReason: string;
      readonly error: RunError | null;
    };

/** A finished model message, as it is kept and as it is shown. */
export type ClosedMessage = {
  readonly messageId: string;
  readonly step: number;
  /** What the adapter goes on from, as JSON. The run does not read it. */
  readonly content: unknown;
  /** All text in order, with nothing between: equals the text deltas. */
  readonly text: string;
  readonly stopReason: string;
  readonly usage: Usage;
  /** We stopped reading the message because of its length, before the provider had said how long it is. */
  readonly isCut?: true;
};

/** A summary that replaces earlier turns. */
export type NewCompaction = {
  /** The last turn it covers. */
  readonly upToRunId: string;
  /** The summary as JSON text, in a form only the adapter reads. */
  readonly block: string;
  /** The model that wrote it. */
  readonly model: string;
  /** How the transcript reports it. */
  readonly event: Omit<EventOf<"context_compacted">, "type">;
  /** What later turns depend on from then on, as JSON text. Set only when no turn is running that will report it itself. */
  readonly facts?: string;
};

/** What came of asking for a title. `usage` is what that took, even if there was no title. */
export type AskedTitle = { readonly title: string | undefined; readonly usage: Usage };

/** The summary, and the tokens before and after. Both are equal, and there is no summary, when there is nothing to summarize. */
export type ManualCompaction = {
  readonly compaction: NewCompaction | undefined;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
};

/** The provider gave no summary. `failed`: the tokens it used all the same; undefined if it read nothing. */
export type FailedCompaction = { readonly failed: Usage | undefined };

/** Something that happened to a session's conversation, as the transcript reports it. */
export type ConversationEvent = EventOf<"context_compacted"> | EventOf<"context_reset">;

/** Longest time a summary may take, in ms: a person may be waiting for it (`POST …/compact`). */
export const MAX_COMPACTION_MS = 120_000;

/**
 * Where one attempt keeps its state; everything is durable before a method resolves. `saveCompaction` and `startEpoch` change the session's
 * conversation and report it in the transcript, only once even when called repeatedly. They keep `state` as the adapter's `afterEvent`
 * changes it, and return that state.
 *
 * @throws {Superseded} once another attempt or the run's end has overtaken this one.
 */
export type TurnKeeper = {
  save(state: HarnessState): Promise<void>;
  /** Keeps a summary in the session; later turns resume with it instead of the rows that it covers. */
  saveCompaction(compaction: NewCompaction, state: HarnessState): Promise<HarnessState>;
  /** Restarts the session's conversation with these turns. The old one stays in the store. `reason` is shown to people. */
  startEpoch(turns: readonly TurnRows[], reason: string, state: HarnessState): Promise<HarnessState>;
};
