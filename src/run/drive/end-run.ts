/**
 * The end of a run, in one transaction: everything open is closed, the terminal state and `run_end` are written, and the
 * outbox gets a row for each receiver. Nothing can be appended afterwards.
 */
import { log } from "../../contract/log.ts";
import { NO_USAGE } from "../../contract/run.ts";
import type { TranscriptEvent } from "../../contract/transcript.ts";
import { findHarness } from "../../harness/registry.ts";
import type { CallResult, TurnOutcome } from "../../harness/turn.ts";
import { addEndNotice, closeRequestNotice } from "../notice-due.ts";
import { asksForTitle, TITLE } from "../run-spec.ts";
import { isEnded, isLive, modelOf, startedAtMsOf, startedPart } from "../run-state.ts";
import { dropMessages, tellMessages } from "../steer-run.ts";
import type { OpenMessage } from "../store/checkpoint-store.ts";
import type { Ledger } from "../store/ledger.ts";
import { LISTS } from "../store/outbox.ts";
import { callEndEvent, replyEvent, userMessageEvent } from "../store/run-events.ts";
import type { RunRecord } from "../store/run-store.ts";
import type { ModelCall } from "../store/spending.ts";
import { undecided } from "../store/stored-request.ts";
import { passedMs } from "./running-time.ts";

/** How a run ended. */
export type RunEnd = Extract<TurnOutcome, { type: "ended" }>;

/** The end of a run that somebody stopped. */
export const ABORTED: RunEnd = { type: "ended", status: "aborted", stopReason: "aborted", error: null };

/** The end of a run that has used up its running time. */
export const OUT_OF_TIME: RunEnd = {
  type: "ended",
  status: "failed",
  stopReason: "error",
  error: { code: "run_expired", message: "The run used up its 30 minutes." },
};

/** Ends the run. Does nothing when it is already over: a terminal state is written once. */
export const endRun = (ledger: Ledger, wanted: RunEnd, nowMs: number): void => {
  const record = ledger.runs.find();
  if (record === undefined || isEnded(record.state)) return;
  const { state } = record;
  // Only `aborted` may follow `aborting`, whatever the loop found out in the meantime.
  const end = state.status === "aborting" ? ABORTED : wanted;
  const { status, stopReason, error } = end;
  ledger.commit(() => {
    const closing = [
      ...beginUnqueued(ledger, record),
      ...closeRequest(ledger),
      ...closeMessage(ledger, end, modelOf(state) ?? ""),
      ...closeCalls(ledger, nowMs),
      ...dropMessages(ledger),
    ];
    const started = isLive(state) ? { started: startedPart(state) } : {};
    const usage = ledger.checkpoints.usage();
    const costUsd = ledger.spending.costUsd(modelOf(state));
    const lastSeq = ledger.transcript.lastSeq + closing.length + 1;
    const sums = { usage, costUsd, lastSeq };
    ledger.runs.save(record, { state: { status, stopReason, error, endedAtMs: nowMs, ...sums, ...started } });
    ledger.outbox.add("session");
    ledger.outbox.add(LISTS);
    if (asksForTitle(record.spec, status)) ledger.outbox.add(TITLE);
    closeRequestNotice(ledger, state);
    addEndNotice(ledger, record, status, nowMs);
    const durationMs = passedMs(startedAtMsOf(state) ?? nowMs, nowMs);
    const steps = ledger.checkpoints.steps();
    return [...closing, { type: "run_end", status, stopReason, usage, costUsd, steps, durationMs, error }];
  });
  // The real provider reports usage with every answer; a proxy in between may drop it. A refusal may be free.
  const isAnswered = status === "completed" && stopReason !== "refusal";
  if (isAnswered && ledger.checkpoints.steps() > 0 && ledger.spending.costUsd(modelOf(state)) === "0")
    log.warn("No answer of this run said what it used, so it counts towards no budget.", { runId: record.spec.runId });
};

/** A run that ends before it had a place in the queue still begins with its prompt. The position it gives is made up. */
const beginUnqueued = (ledger: Ledger, { spec }: RunRecord): TranscriptEvent[] => {
  if (ledger.transcript.lastSeq > 0) return [];
  const { runId, threadId } = spec;
  return [
    { type: "run_queued", runId, threadId, position: 1 },
    userMessageEvent(spec, crypto.randomUUID()),
    ...tellMessages(ledger),
  ];
};

/** The system resolves an open request, because the run no longer waits for it. */
export const closeRequest = (ledger: Ledger): TranscriptEvent[] => {
  const request = ledger.requests.findOpen();
  if (request === undefined) return [];
  const reply = undecided(request, "aborted");
  ledger.requests.close(request.requestId, reply);
  return [replyEvent(request, reply)];
};

/** A message that a crash or a forced end left open keeps the text streamed so far, and its usage up to then. */
const closeMessage = (ledger: Ledger, end: RunEnd, runModel: string): TranscriptEvent[] => {
  const open = ledger.checkpoints.findOpenMessage();
  if (open === undefined) return [];
  const { messageId, step } = open;
  const { model = runModel, ...usage }: ModelCall = open.call ?? NO_USAGE;
  const text = streamedText(ledger, open);
  // A run must be able to end in a release that does not know its harness.
  const content = findHarness(ledger.record().spec.harness)?.contentOf(text) ?? [];
  const stopReason = end.status === "aborted" ? "aborted" : "error";
  const message = { messageId, step, content, text, stopReason, usage };
  ledger.checkpoints.closeMessage(message, model, ledger.checkpoints.runningMs(), ledger.spending.cutOutput(message));
  return [{ type: "message_end", messageId, text, stopReason, usage }];
};

/** A call that had no effect is `aborted`; the outcome of one that may have had an effect is unknown. */
const closeCalls = (ledger: Ledger, nowMs: number): TranscriptEvent[] =>
  ledger.checkpoints
    .calls(ledger.checkpoints.lastStep())
    .filter(({ call }) => call.state.type !== "ended")
    .map(({ call, sinceMs }) => {
      const result: CallResult =
        call.state.type === "started" && call.kind !== "read"
          ? {
              status: "unknown",
              output: "The run was ended during this call, so it is not known whether it took effect.",
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
