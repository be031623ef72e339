/**
 * Makes a run's transcript from its events (CONTRACT §3), pure. Each event counts once however often a reconnect brings
 * it, so any overlapping pieces of a log give the state that the whole log gives.
 */
import type { NumberedEvent } from "../../contract/transcript.ts";
import { changeItems } from "./change-items.ts";
import type { TranscriptState } from "./transcript-state.ts";

/**
 * The state with the events, which are in the order of their seq. Those it has already are passed over. At a gap it
 * stops: `lastSeq` then says where to go on from. Give many at once when many are there.
 */
export const applyEvents = (state: TranscriptState, events: readonly NumberedEvent[]): TranscriptState => {
  let next = state;
  // One copy of the list for all of them: items are replaced in it, never changed.
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

/** The state with one more event. */
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
        // An attempt that recovers an abort, or that waits for an answer, begins like any other.
        status: state.status === "queued" ? "running" : state.status,
        queuePosition: undefined,
        model: event.model,
        workspaceDir: event.workspaceDir,
        isResumed: event.resumed,
        startedAt: state.startedAt ?? event.at,
      };
    case "run_status":
      return { ...next, status: event.status };
    case "message_start":
      return { ...next, steps: Math.max(state.steps, event.step) };
    case "message_end":
      return { ...next, usage: sumUsage(state.usage, event.usage) };
    case "run_end":
      return {
        ...next,
        status: event.status,
        queuePosition: undefined,
        usage: event.usage,
        costUsd: event.costUsd ?? undefined,
        steps: event.steps,
        stopReason: event.stopReason,
        durationMs: event.durationMs,
        error: event.error ?? undefined,
        endedAt: event.at,
      };
    default:
      // The items' business, or a kind that this client does not know yet.
      return next;
  }
};

type Usage = TranscriptState["usage"];

const sumUsage = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
  cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
  cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
});
