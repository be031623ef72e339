/** A run as its routes show it. */
import type { RunView } from "../contract/run.ts";
import type { NumberedEvent } from "../contract/transcript.ts";
import type { Ledger } from "./ledger.ts";
import { isEnded, modelOf, startedAtMsOf } from "./run-state.ts";
import type { RunRecord } from "./run-store.ts";

/** The answer of `GET /_framework/runs/<run_id>`. */
export const runView = (ledger: Ledger, { spec, state }: RunRecord): RunView => {
  const startedAtMs = startedAtMsOf(state);
  return {
    runId: spec.runId,
    threadId: spec.threadId,
    sessionId: spec.sessionId,
    status: state.status,
    lastSeq: isEnded(state) ? state.lastSeq : ledger.transcript.durableSeq,
    pendingPermissions: openRequestEvents(ledger),
    usage: isEnded(state) ? state.usage : ledger.checkpoints.usage(),
    costUsd: isEnded(state) ? state.costUsd : ledger.spending.costUsd(modelOf(state)),
    error: isEnded(state) ? state.error : null,
    createdAt: isoTime(spec.createdAtMs),
    startedAt: startedAtMs === undefined ? null : isoTime(startedAtMs),
    finishedAt: isEnded(state) ? isoTime(state.endedAtMs) : null,
  };
};

/** The open request as it was sent, read from the log: the view and the stream must not differ. */
const openRequestEvents = (ledger: Ledger): NumberedEvent[] => {
  const request = ledger.requests.findOpen();
  if (request === undefined) return [];
  const asked = ledger.transcript
    .events(ledger.checkpoints.lastStartSeq())
    .find((event) => event.type === "permission_request" && event.requestId === request.requestId);
  return asked === undefined ? [] : [asked];
};

const isoTime = (ms: number): string => new Date(ms).toISOString();
