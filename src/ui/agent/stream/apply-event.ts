/**
 * Builds a run's transcript from its events (api.md §3), pure. An event that a reconnect repeats counts once, so overlapping
 * pieces of a log give the same state as the whole log.
 */
import type { NumberedEvent } from "../../../contract/transcript.ts";
import { changeItems } from "./change-items.ts";
import type { TranscriptState } from "./transcript-state.ts";

/**
 * Applies events, which must be in the order of their seq. Skips those applied already and stops at a gap: `lastSeq` then
 * says where to continue. Applying many at once is cheaper.
 */
export const applyEvents = (state: TranscriptState, events: readonly NumberedEvent[]): TranscriptState => {
  let next = state;
  // The list is copied once for all events. Items are replaced, never mutated.
  const items = [...state.items];
  let isListChanged = false;
  for (const event of events) {
    if (event.seq <= next.lastSeq) continue;
    if (event.seq > next.lastSeq + 1) break;
    isListChanged = changeItems(items, event, next) || isListChanged;
    next = changeRun(next, event);
  }
  return isListChanged ? { ...next, items } : next;
};

/** Applies one event. */
export const applyEvent = (state: TranscriptState, event: NumberedEvent): TranscriptState =>
  applyEvents(state, [event]);

const changeRun = (state: TranscriptState, event: NumberedEvent): TranscriptState => {
  const next = { ...state, lastSeq: event.seq };
  switch (event.type) {
    case "run_queued":
      return { ...next, status: "queued", queuePosition: event.position };
    case "run_start":
      return {
        ...next,
        // An attempt that recovers an abort, or waits for the person, has this event too, and keeps its status.
        status: state.status === "queued" ? "running" : state.status,
        queuePosition: undefined,
        model: event.model,
        harness: event.harness,
        workspaceDir: event.workspaceDir,
        isResumed: event.resumed,
        startedAt: state.startedAt ?? event.at,
      };
    case "run_status":
      return { ...next, ...waitUntil(state, event), status: event.status };
    case "todos":
      return { ...next, todos: event.items };
    case "message_start":
      return { ...next, steps: Math.max(state.steps, event.step) };
    case "message_end":
      return { ...next, usage: sumUsage(state.usage, event.usage) };
    case "run_end": {
      const { waitedMs } = waitUntil(state, event);
      return {
        ...next,
        status: event.status,
        queuePosition: undefined,
        usage: event.usage,
        costUsd: event.costUsd ?? undefined,
        steps: event.steps,
        stopReason: event.stopReason,
        durationMs: event.durationMs,
        waitedMs,
        waitingSinceMs: undefined,
        error: event.error ?? undefined,
        endedAt: event.at,
      };
    }
    default:
      // Changes only the items, or is a kind that this client does not know yet.
      return next;
  }
};

/** The waits for the person up to this event, which may begin or end one. */
const waitUntil = (
  { waitedMs, waitingSinceMs }: TranscriptState,
  event: NumberedEvent,
): Pick<TranscriptState, "waitedMs" | "waitingSinceMs"> => {
  const nowMs = Date.parse(event.at);
  const isWaiting = event.type === "run_status" && event.status === "waiting_permission";
  if (waitingSinceMs === undefined) return { waitedMs, waitingSinceMs: isWaiting ? nowMs : undefined };
  if (isWaiting) return { waitedMs, waitingSinceMs };
  return { waitedMs: waitedMs + Math.max(0, nowMs - waitingSinceMs), waitingSinceMs: undefined };
};

type Usage = TranscriptState["usage"];

const sumUsage = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
  cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
});
