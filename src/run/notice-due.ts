/**
 * Which notices a run causes, and when. People are told only what they cannot be seeing, that is, while nobody is known to be reading. That
 * is judged some seconds later, so that a client that was cut off has time to come back.
 */
import type { RequestId } from "../contract/ids.ts";
import type { TerminalStatus } from "../contract/run.ts";
import { type RunState, startedAtMsOf } from "./run-state.ts";
import type { Ledger } from "./store/ledger.ts";
import { NOTICE } from "./store/outbox.ts";
import type { RunRecord } from "./store/run-store.ts";
import { REQUEST_TTL_MS } from "./store/stored-request.ts";

/** Before a notice: how long nobody must have been watching, and how long a request must have been open, in ms. */
const UNSEEN_MS = 5_000;

/**
 * How often a watched request is looked at again, in ms: its watchers' connections may have died with an instance, or with their
 * machine. After the same time, streams older than the request are ended: whoever comes back has seen it (decision 0222).
 */
const WATCHED_MS = 60_000;

/** The end of a run that took longer than this is worth a notice, in ms. */
const LONG_RUN_MS = 30_000;

/** Outbox receivers: a request that is open, one that was decided, the run's end. */
export const requestNotice = (requestId: RequestId): string => `${NOTICE}request:${requestId}`;
export const CLOSING = `${NOTICE}close:`;
export const closingNotice = (requestId: RequestId): string => `${CLOSING}${requestId}`;
export const END_NOTICE = `${NOTICE}end`;

/** When to check whether the open request needs a notice; undefined if it has had one, or there is none. */
export const requestNoticeDueMs = (ledger: Ledger, { state }: RunRecord, nowMs: number): number | undefined => {
  if (state.status !== "waiting_permission" || state.isTold === true) return undefined;
  const { subscribers } = ledger;
  const askedAtMs = askedAt(ledger, nowMs);
  if (subscribers.emptySinceMs !== undefined) return Math.max(askedAtMs, subscribers.emptySinceMs) + UNSEEN_MS;
  return subscribers.hasSince(askedAtMs) ? nowMs + WATCHED_MS : Math.max(nowMs, askedAtMs + WATCHED_MS);
};

const askedAt = (ledger: Ledger, nowMs: number): number => {
  const request = ledger.requests.findOpen();
  if (request === undefined) return nowMs;
  // A request of an earlier release stores only when it expires.
  return request.askedAtMs ?? Date.parse(request.expiresAt) - REQUEST_TTL_MS;
};

/** Writes the notice of the open request if it is due. */
export const settleRequestNotice = (ledger: Ledger, record: RunRecord, nowMs: number): void => {
  const { state } = record;
  if (state.status !== "waiting_permission" || state.isTold === true) return;
  const askedAtMs = askedAt(ledger, nowMs);
  if (nowMs >= askedAtMs + WATCHED_MS) ledger.subscribers.endBefore(askedAtMs);
  const dueAtMs = requestNoticeDueMs(ledger, record, nowMs);
  if (dueAtMs === undefined || nowMs < dueAtMs) return;
  ledger.commit(() => {
    ledger.runs.save(record, { state: { ...state, isTold: true } });
    ledger.outbox.add(requestNotice(state.requestId));
    return [];
  });
};

/** Takes back the notice of a request, if there was one. In the transaction that decides the request, with the state before it. */
export const closeRequestNotice = (ledger: Ledger, state: RunState): void => {
  if (state.status !== "waiting_permission" || state.isTold !== true) return;
  ledger.outbox.drop(requestNotice(state.requestId));
  ledger.outbox.add(closingNotice(state.requestId));
};

/** Writes the notice of the run's end if nobody watches it and it is worth one. In the transaction of the end. */
export const addEndNotice = (
  ledger: Ledger,
  { spec, state }: RunRecord,
  status: TerminalStatus,
  nowMs: number,
): void => {
  const isLong = nowMs - (startedAtMsOf(state) ?? nowMs) > LONG_RUN_MS;
  // Nobody waits in front of a schedule's run, however short it is. A run that somebody stopped needs no notice.
  const isWorthIt = status !== "aborted" && (isLong || spec.scheduleId !== undefined);
  // Whoever reads a long run's end reconnects when the stream closes, and that drops the notice (`eventResponse`).
  const { subscribers } = ledger;
  const isSeen = subscribers.hasSince(isLong ? nowMs - UNSEEN_MS : 0);
  if (isWorthIt && !isSeen) ledger.outbox.add(END_NOTICE, "", nowMs + UNSEEN_MS);
};
