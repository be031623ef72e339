/**
 * The checkpoints of a run: model messages and tool calls as they stand. What the loop needs to go on after a crash, a
 * wait or a restart is here and nowhere else; the session gets the turn's messages from here when the run ends.
 */
import { addUsage, NO_USAGE, Usage } from "../contract/run.ts";
import type { CallEffect } from "../harness/omitted-turn.ts";
import { toolResultMessage } from "../harness/tool-results.ts";
import type { CallResult, CallState, ClosedMessage, ToolCall, TurnProgress } from "../harness/turn.ts";
import { ContentBlock, type Message } from "../model/messages.ts";
import { type Call, decodeCall, encodeCall } from "./spending.ts";

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
  /** What it has used so far, as far as the provider had said; undefined for those of earlier versions. */
  readonly call: Call | undefined;
};

/** A call with when its state last changed. */
export type StoredCall = { readonly call: ToolCall; readonly sinceMs: number };

/** The `message` and `tool_call` tables of one run. All writes are in the caller's transaction. */
export class CheckpointStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
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

  closeMessage(message: ClosedMessage, model: string, runningMs: number): void {
    this.#sql.exec(
      "UPDATE message SET content = ?, stop_reason = ?, usage = ?, running_ms = ? WHERE step = ?",
      JSON.stringify(message.content),
      message.stopReason,
      encodeCall(message.usage, model),
      runningMs,
      message.step,
    );
  }

  addCall({ state, ...call }: ToolCall, step: number, position: number, nowMs: number): void {
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
    const rows = this.#sql.exec<CallRow>(
      "SELECT call, state, since_ms FROM tool_call WHERE step = ? ORDER BY position",
      step,
    );
    return [...rows].map((row) => ({
      call: { ...JSON.parse(row.call), state: JSON.parse(row.state) },
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

  /** Calls of the whole run that changed something, or may have, oldest first. */
  effects(): CallEffect[] {
    const rows = this.#sql.exec<CallRow>("SELECT * FROM tool_call WHERE is_ended ORDER BY step, position");
    return [...rows].flatMap((row): CallEffect[] => {
      const { tool, title, kind }: ToolCall = JSON.parse(row.call);
      const state: CallState = JSON.parse(row.state);
      const status = state.type === "ended" ? state.result.status : "unknown";
      const hasEffect = kind !== "read" && (status === "completed" || status === "unknown");
      return hasEffect ? [{ tool, title, isCertain: status === "completed" }] : [];
    });
  }

  findCall(toolCallId: string): StoredCall | undefined {
    return this.calls(this.lastStep()).find(({ call }) => call.toolCallId === toolCallId);
  }

  /** Model messages that were closed. */
  steps(): number {
    return this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM message WHERE content IS NOT NULL").one().n;
  }

  /** Closed messages and ended calls: grows whenever the run gets anywhere. */
  count(): number {
    return this.#sql
      .exec<{ n: number }>(
        `SELECT (SELECT count(*) FROM message WHERE content IS NOT NULL)
              + (SELECT count(*) FROM tool_call WHERE is_ended) AS n`,
      )
      .one().n;
  }

  /** Running time at the newest checkpoint, in ms; waiting does not count. */
  runningMs(): number {
    return this.#sql
      .exec<{ ms: number }>(
        `SELECT max((SELECT coalesce(max(running_ms), 0) FROM message),
                    (SELECT coalesce(max(running_ms), 0) FROM tool_call)) AS ms`,
      )
      .one().ms;
  }

  /** Tokens of all closed messages together. */
  usage(): Usage {
    const rows = this.#sql.exec<{ usage: string }>("SELECT usage FROM message WHERE content IS NOT NULL");
    return [...rows].reduce<Usage>((sum, row) => addUsage(sum, Usage.parse(JSON.parse(row.usage))), NO_USAGE);
  }

  /** What the loop goes on from. */
  progress(prompt: string): TurnProgress {
    const rows = [...this.#sql.exec<MessageRow>("SELECT * FROM message WHERE content IS NOT NULL ORDER BY step")];
    const last = rows.at(-1);
    const messages = rows.flatMap((row): Message[] => {
      const message: Message = {
        role: "assistant",
        content: ContentBlock.array().parse(JSON.parse(row.content ?? "[]")),
      };
      const calls = row === last ? [] : this.calls(row.step).map(({ call }) => call);
      return calls.length > 0 ? [message, toolResultMessage(calls)] : [message];
    });
    return {
      messages: [{ role: "user", content: [{ type: "text", text: prompt }] }, ...messages],
      steps: rows.length,
      answer: last && { stopReason: last.stop_reason, calls: this.calls(last.step).map(({ call }) => call) },
      lastUsage: last && decodeCall(last.usage),
    };
  }
}
