/**
 * The end of a run, in one transaction: everything open is closed, the terminal state and `run_end` are written, and the
 * outbox says who has to be told. From then on nothing can be appended.
 */
import { NO_USAGE } from "../contract/run.ts";
import type { TranscriptEvent } from "../contract/transcript.ts";
import type { CallResult, TurnOutcome } from "../harness/turn.ts";
import type { Message } from "../model/messages.ts";
import type { OpenMessage } from "./checkpoint-store.ts";
import type { Ledger } from "./ledger.ts";
import { passedMs } from "./passed-ms.ts";
import { callEndEvent, userMessageEvent } from "./run-events.ts";
import { isEnded, isLive, modelOf, startedAtMsOf, startedPart } from "./run-state.ts";
import type { RunRecord } from "./run-store.ts";
import type { Call } from "./spending.ts";

/** How a run ended. */
export type RunEnd = Extract<TurnOutcome, { type: "ended" }>;

/** The end of a run that somebody stopped. */
export const ABORTED: RunEnd = { type: "ended", status: "aborted", stopReason: "aborted", error: null };

/** The end of a run that has used up its running time. */
export const EXPIRED: RunEnd = {
  type: "ended",
  status: "failed",
  stopReason: "error",
  error: { code: "run_expired", message: "The run used up its 30 minutes." },
};

/** Ends the run. Does nothing when it is over already: terminal states are written once. */
export const endRun = (ledger: Ledger, wanted: RunEnd, nowMs: number): void => {
  const record = ledger.runs.find();
  if (record === undefined || isEnded(record.state)) return;
  const { state } = record;
  // After `aborting` nothing but `aborted` may come, whatever the loop found out meanwhile.
  const end = state.status === "aborting" ? ABORTED : wanted;
  const { status, stopReason, error } = end;
  ledger.commit(() => {
    const closing = [
      ...openUnheard(ledger, record),
      ...closeRequest(ledger),
      ...closeMessage(ledger, end, modelOf(state) ?? ""),
      ...closeCalls(ledger, nowMs),
    ];
    const started = isLive(state) ? { started: startedPart(state) } : {};
    const usage = ledger.checkpoints.usage();
    const costUsd = ledger.spending.costUsd(modelOf(state));
    const lastSeq = ledger.transcript.lastSeq + closing.length + 1;
    const sums = { usage, costUsd, lastSeq };
    ledger.runs.save(record, { state: { status, stopReason, error, endedAtMs: nowMs, ...sums, ...started } });
    ledger.outbox.add("session");
    ledger.outbox.add("index");
    const durationMs = passedMs(startedAtMsOf(state) ?? nowMs, nowMs);
    const steps = ledger.checkpoints.steps();
    return [...closing, { type: "run_end", status, stopReason, usage, costUsd, steps, durationMs, error }];
  });
};

/** A run that ends before it had any place in the queue still begins as every run does. */
const openUnheard = (ledger: Ledger, { spec }: RunRecord): TranscriptEvent[] => {
  if (ledger.transcript.lastSeq > 0) return [];
  const { runId, threadId } = spec;
  return [{ type: "run_queued", runId, threadId, position: 1 }, userMessageEvent(spec, crypto.randomUUID())];
};

/** An open request is resolved by the system: the run is not waiting any more. */
export const closeRequest = (ledger: Ledger): TranscriptEvent[] => {
  const request = ledger.requests.findOpen();
  if (request === undefined) return [];
  const { requestId, toolCallId } = request;
  ledger.requests.close(requestId, { decision: "aborted", by: "system" });
  return [{ type: "permission_reply", requestId, toolCallId, decision: "aborted", by: "system" }];
};

/** A message that a crash or a forced end left open keeps what was streamed of it, and what it had used by then. */
const closeMessage = (ledger: Ledger, end: RunEnd, runModel: string): TranscriptEvent[] => {
  const open = ledger.checkpoints.findOpenMessage();
  if (open === undefined) return [];
  const { messageId, step } = open;
  const { model = runModel, ...usage }: Call = open.call ?? NO_USAGE;
  const text = streamedText(ledger, open);
  const content: Message["content"] = text.trim() === "" ? [] : [{ type: "text", text }];
  const stopReason = end.status === "aborted" ? "aborted" : "error";
  const message = { messageId, step, content, text, stopReason, usage };
  ledger.checkpoints.closeMessage(message, model, ledger.checkpoints.runningMs());
  return [{ type: "message_end", messageId, text, stopReason, usage }];
};

/** A call that had no effect is `aborted`; of one that may have had it nobody knows. */
const closeCalls = (ledger: Ledger, nowMs: number): TranscriptEvent[] =>
  ledger.checkpoints
    .calls(ledger.checkpoints.lastStep())
    .filter(({ call }) => call.state.type !== "ended")
    .map(({ call, sinceMs }) => {
      const result: CallResult =
        call.state.type === "started" && call.kind !== "read"
          ? {
              status: "unknown",
              output: "It is not known whether this had its effect: the run was ended in the middle.",
            }
          : { status: "aborted", output: "Not run: the run was ended first." };
      ledger.checkpoints.endCall(call.toolCallId, result, ledger.checkpoints.runningMs());
      return callEndEvent(call.toolCallId, result, passedMs(sinceMs, nowMs));
    });

const streamedText = (ledger: Ledger, { messageId, startSeq }: OpenMessage): string => {
  let text = "";
  for (const event of ledger.transcript.events(startSeq)) {
    if (event.type === "text_delta" && event.messageId === messageId) text += event.text;
  }
  return text;
};
