/** Applies events to the notices that a call failed and is tried again. */
import type { EventOf, NumberedEvent } from "../../../contract/transcript.ts";
import type { TranscriptItem } from "./transcript-item.ts";

/** Adds a try that failed. It takes the place of the one before if that was of the same call. */
export const addRetry = (items: TranscriptItem[], event: EventOf<"model_retry"> & NumberedEvent): true => {
  const { type: _, seq, ...retry } = event;
  const before = endingRetry(items);
  if (before >= 0) items.splice(before, 1);
  items.push({ type: "retry", key: `retry:${seq}`, ...retry, isWaiting: true });
  return true;
};

/** Ends the wait of the last retry, or drops it, when the event says so. Returns whether the list has changed. */
export const settleRetry = (items: TranscriptItem[], event: NumberedEvent): boolean =>
  dropRetry(items, event) || wakeRetry(items, event);

/**
 * The index of the last retry if nothing has come of it yet, otherwise -1. A message to the run may follow it: that can be sent at any
 * time, and moves to the end when the run ends.
 */
const endingRetry = (items: readonly TranscriptItem[]): number => {
  const index = items.findLastIndex(({ type }) => type !== "steer");
  return items[index]?.type === "retry" ? index : -1;
};

/** Drops the last retry when the run's error already says it, or when the run was stopped before that retry was made. */
const dropRetry = (items: TranscriptItem[], event: NumberedEvent): boolean => {
  if (event.type !== "run_end" && event.type !== "run_status") return false;
  const index = items.findLastIndex((item) => item.type === "retry");
  const item = items[index];
  if (item?.type !== "retry") return false;
  const isStopped = item.isWaiting && (event.status === "aborting" || event.status === "aborted");
  if (!isStopped && !(event.status === "failed" && index === endingRetry(items))) return false;
  items.splice(index, 1);
  return true;
};

/** Events that end the wait after a `model_retry`. */
const ENDS_WAIT: ReadonlySet<string> = new Set(["message_start", "run_start", "run_status", "run_end"]);

const wakeRetry = (items: TranscriptItem[], event: NumberedEvent): boolean => {
  if (!ENDS_WAIT.has(event.type)) return false;
  const index = items.findLastIndex((item) => item.type === "retry");
  const item = items[index];
  if (item?.type !== "retry" || !item.isWaiting) return false;
  items[index] = { ...item, isWaiting: false };
  return true;
};
