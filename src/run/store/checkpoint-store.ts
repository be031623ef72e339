/**
 * The checkpoints of a run: model messages and tool calls in their current state. Everything the loop needs to continue after a
 * crash, a wait or a restart is here and nowhere else; when the run ends, the session gets the turn's messages from here.
 */
import { parseJson } from "../../contract/parse-json.ts";
import { addUsage, NO_USAGE, Usage } from "../../contract/run.ts";
import {
  type CallResult,
  CallState,
  type ClosedMessage,
  type SaidMeanwhile,
  ToolCall,
  type TurnCheckpoint,
} from "../../harness/turn.ts";
import type { ObjectTables } from "../../objects/object-tables.ts";
import { CALL_TABLES } from "./run-schema.ts";
import { decodeCall, encodeCall, type ModelCall } from "./spending.ts";

/** A call without its state, which has a column of its own. */
const StoredToolCall = ToolCall.omit({ state: true });

type MessageRow = {
  step: number;
  message_id: string;
  start_seq: number;
  content: string | null;
  stop_reason: string;
  usage: string | null;
};
type CallRow = { step: number; call: string; state: string; since_ms: number };

/** A model message that was begun and is neither closed nor discarded. */
export type OpenMessage = {
  readonly messageId: string;
  readonly step: number;
  /** The seq of its `message_start`. */
  readonly startSeq: number;
  /** What the provider has reported as used so far; undefined for messages of earlier versions. */
  readonly call: ModelCall | undefined;
};

/** A call, and when its state last changed. */
export type StoredCall = { readonly call: ToolCall; readonly sinceMs: number };

/** Created with the first call: many runs have none. */
const CALLS = "tool_call";

/** The `message` and `tool_call` tables of one run. All writes are in the caller's transaction. */
export class CheckpointStore {
  readonly #tables: ObjectTables;
  readonly #sql: SqlStorage;

  constructor(tables: ObjectTables) {
    this.#tables = tables;
    this.#sql = tables.sql;
  }

  openMessage(message: Omit<OpenMessage, "call">, usage: Usage, model: string): void {
    this.#sql.exec(
      "INSERT INTO message (step, message_id, start_seq, usage) VALUES (?, ?, ?, ?)",
      message.step,
      message.messageId,
      message.startSeq,
      encodeCall(usage, model),
    );
  }

  findOpenMessage(): OpenMessage | undefined {
    const [row] = this.#sql.exec<MessageRow>("SELECT * FROM message WHERE content IS NULL");
    if (row === undefined) return undefined;
    return { messageId: row.message_id, step: row.step, startSeq: row.start_seq, call: decodeCall(row.usage) };
  }

  discardOpenMessage(): void {
    this.#sql.exec("DELETE FROM message WHERE content IS NULL");
  }

  /** `cutOutputTokens`: the estimated output of a message that was cut. */
  closeMessage(message: ClosedMessage, model: string, runningMs: number, cutOutputTokens?: number): void {
    this.#sql.exec(
      "UPDATE message SET content = ?, stop_reason = ?, usage = ?, running_ms = ? WHERE step = ?",
      JSON.stringify(message.content),
      message.stopReason,
      encodeCall(message.usage, model, cutOutputTokens),
      runningMs,
      message.step,
    );
  }

  addCall({ state, ...call }: ToolCall, step: number, position: number, nowMs: number): void {
    this.#tables.make(CALL_TABLES);
    this.#sql.exec(
      "INSERT INTO tool_call (tool_call_id, step, position, call, state, since_ms) VALUES (?, ?, ?, ?, ?, ?)",
      call.toolCallId,
      step,
      position,
      JSON.stringify(call),
      JSON.stringify(state),
      nowMs,
    );
  }

  saveCallState(toolCallId: string, state: CallState, nowMs: number): void {
    this.#sql.exec(
      "UPDATE tool_call SET state = ?, since_ms = ? WHERE tool_call_id = ?",
      JSON.stringify(state),
      nowMs,
      toolCallId,
    );
  }

  endCall(toolCallId: string, result: CallResult, runningMs: number): void {
    const state: CallState = { type: "ended", result };
    this.#sql.exec(
      "UPDATE tool_call SET state = ?, is_ended = 1, running_ms = ? WHERE tool_call_id = ?",
      JSON.stringify(state),
      runningMs,
      toolCallId,
    );
  }

  /** Calls of a step in the model's order. */
  calls(step: number): StoredCall[] {
    if (!this.#tables.has(CALLS)) return [];
    const rows = this.#sql.exec<CallRow>("SELECT * FROM tool_call WHERE step = ? ORDER BY position", step);
    return [...rows].map((row) => ({
      call: { ...StoredToolCall.parse(parseJson(row.call)), state: CallState.parse(parseJson(row.state)) },
      sinceMs: row.since_ms,
    }));
  }

  /** The newest step that has a closed message; 0 before the first. */
  lastStep(): number {
    const [row] = this.#sql.exec<{ step: number | null }>(
      "SELECT max(step) AS step FROM message WHERE content IS NOT NULL",
    );
    return row?.step ?? 0;
  }

  /** Seq of the newest `message_start`; 0 before the first. */
  lastStartSeq(): number {
    return this.#sql.exec<{ seq: number | null }>("SELECT max(start_seq) AS seq FROM message").one().seq ?? 0;
  }

  findCall(toolCallId: string): StoredCall | undefined {
    return this.calls(this.lastStep()).find(({ call }) => call.toolCallId === toolCallId);
  }

  /** Model messages that were closed. */
  steps(): number {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM message WHERE content IS NOT NULL").one().n;
  }

  /** Closed messages and ended calls: grows whenever the run makes progress. */
  count(): number {
    if (!this.#tables.has(CALLS)) return this.steps();
    const { n } = this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM tool_call WHERE is_ended").one();
    return this.steps() + n;
  }

  /** Running time at the newest checkpoint, in ms; waiting does not count. */
  runningMs(): number {
    const calls = this.#tables.has(CALLS) ? " UNION ALL SELECT running_ms FROM tool_call" : "";
    const ms = `SELECT coalesce(max(running_ms), 0) AS ms FROM (SELECT running_ms FROM message${calls})`;
    return this.#sql.exec<{ ms: number }>(ms).one().ms;
  }

  /** Tokens of all closed messages together. */
  usage(): Usage {
    const rows = this.#sql.exec<{ usage: string }>("SELECT usage FROM message WHERE content IS NOT NULL ORDER BY step");
    return [...rows].reduce<Usage>((sum, row) => addUsage(sum, Usage.parse(parseJson(row.usage))), NO_USAGE);
  }

  /** All that was committed of the turn. What its messages consist of is known to the harness alone. */
  turn(prompt: string, said: readonly SaidMeanwhile[]): TurnCheckpoint {
    const rows = this.#sql.exec<MessageRow>("SELECT * FROM message WHERE content IS NOT NULL ORDER BY step");
    const steps = [...rows].map((row) => ({
      content: parseJson(row.content ?? "[]"),
      stopReason: row.stop_reason,
      usage: decodeCall(row.usage) ?? NO_USAGE,
      calls: this.calls(row.step).map(({ call }) => call),
    }));
    return { prompt, said, steps };
  }
}
