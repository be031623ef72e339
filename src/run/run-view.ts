/** A run as its routes show it. */

import type { RequestId } from "../contract/ids.ts";
import type { RunStatus, RunView } from "../contract/run.ts";
import type { NumberedEvent } from "../contract/transcript.ts";
import type { RunEnding } from "../db/runs.ts";
import type { AnyRequestView } from "./run-rpc.ts";
import { endingOf, isEnded, modelOf, startedAtMsOf } from "./run-state.ts";
import type { Ledger } from "./store/ledger.ts";
import type { RequestStore } from "./store/request-store.ts";
import type { RunRecord } from "./store/run-store.ts";

/** The answer of `GET /_framework/runs/<run_id>`. */
export const runView = (ledger: Ledger): RunView => {
  const { spec, state } = ledger.record();
  const startedAtMs = startedAtMsOf(state);
  const open = openRequestEvents(ledger);
  return {
    runId: spec.runId,
    threadId: spec.threadId,
    sessionId: spec.sessionId,
    harness: spec.harness,
    status: state.status,
    lastSeq: isEnded(state) ? state.lastSeq : ledger.transcript.durableSeq,
    pendingPermissions: open.filter(({ type }) => type !== "question_request"),
    pendingQuestions: open.filter(({ type }) => type === "question_request"),
    usage: isEnded(state) ? state.usage : ledger.checkpoints.usage(),
    costUsd: isEnded(state) ? state.costUsd : ledger.spending.costUsd(modelOf(state)),
    error: isEnded(state) ? state.error : null,
    createdAt: isoTime(spec.createdAtMs),
    startedAt: startedAtMs === undefined ? null : isoTime(startedAtMs),
    finishedAt: isEnded(state) ? isoTime(state.endedAtMs) : null,
  };
};

/** A run's status and ending, for whoever holds a copy of them. */
export const statusOf = (
  record: RunRecord | undefined,
): { status: RunStatus; ending: RunEnding | undefined } | undefined =>
  record && { status: record.state.status, ending: endingOf(record.state) };

const ASKING: ReadonlySet<string> = new Set(["permission_request", "question_request", "plan_proposed"]);

/** The open request as it was sent, read from the log: the view and the stream must not differ. */
const openRequestEvents = (ledger: Ledger): NumberedEvent[] => {
  const request = ledger.requests.findOpen();
  if (request === undefined) return [];
  const asked = ledger.transcript
    .events(ledger.checkpoints.lastStartSeq())
    .find((event) => ASKING.has(event.type) && "requestId" in event && event.requestId === request.requestId);
  return asked === undefined ? [] : [asked];
};

const isoTime = (ms: number): string => new Date(ms).toISOString();

/** The answer of `GET` on the request's own route, or undefined for an unknown id. */
export const requestView = (requests: RequestStore, requestId: RequestId): AnyRequestView | undefined => {
  const questions = requests.findQuestion(requestId);
  if (questions !== undefined) {
    const { askedAtMs: _, reply, ...shown } = questions;
    return { ...shown, ...(reply && { answers: reply.answers, by: reply.by }) };
  }
  const request = requests.find(requestId);
  if (request === undefined) return undefined;
  const { rule: _, basis: __, askedAtMs: ___, reply, ...shown } = request;
  return { ...shown, ...reply };
};
