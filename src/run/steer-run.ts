/**
 * Messages to a run while it works (run.md, Steering). Each is stored before its request is answered, and ends in one of two ways: the
 * model is given it between two steps, or the run ends first and its text goes back to the person.
 */
import type { TranscriptEvent } from "../contract/transcript.ts";
import { MAX_RUN_MESSAGES } from "../contract/turn.ts";
import { findHarness } from "../harness/registry.ts";
import type { NewRunMessage, SteerResult } from "./run-rpc.ts";
import { isEnded } from "./run-state.ts";
import type { Ledger } from "./store/ledger.ts";
import { steerMessageEvent } from "./store/run-events.ts";

/** Takes a message. Under a known key it returns the same answer, even after the run's end. */
export const steerRun = (ledger: Ledger, { text, key, isOverRate, loginId }: NewRunMessage): SteerResult => {
  const known = key === undefined ? undefined : ledger.steering.findByKey(key);
  if (known !== undefined) {
    return known.text === text ? { type: "taken", messageId: known.messageId } : { type: "other_text" };
  }
  const { state, spec } = ledger.record();
  if (isEnded(state) || state.status === "aborting") return { type: "ended" };
  if (findHarness(spec.harness)?.takesMessages !== true) return { type: "not_taken" };
  if (isOverRate) return { type: "over_rate" };
  if (ledger.steering.count >= MAX_RUN_MESSAGES) return { type: "too_many" };
  const message = { messageId: crypto.randomUUID(), text };
  ledger.commit(() => {
    // The first event has to be the run's own; `tellMessages` adds the message's after it.
    const isTold = ledger.transcript.lastSeq > 0;
    ledger.steering.add(message, key, isTold);
    ledger.requests.addSpeaker(loginId);
    return isTold ? [steerMessageEvent(message)] : [];
  });
  return { type: "taken", messageId: message.messageId };
};

/** The events of messages that came before the run's first event. In the caller's transaction, right after `user_message`. */
export const tellMessages = (ledger: Ledger): TranscriptEvent[] => ledger.steering.takeUntold().map(steerMessageEvent);

/** Commits that waiting messages are given to the model after a step, and returns their texts; none while the run is being aborted. */
export const applyMessages = (ledger: Ledger, step: number): string[] => {
  const waiting = ledger.steering.waiting();
  if (waiting.length === 0 || ledger.record().state.status !== "running") return [];
  ledger.commit(() => {
    ledger.steering.apply(step);
    return waiting.map(({ messageId }) => ({ type: "steer_applied", messageId, step: step + 1 }));
  });
  return waiting.map(({ text }) => text);
};

/** Drops the messages that still wait when the run ends, and returns the events that say so. In the transaction of the end. */
export const dropMessages = (ledger: Ledger): TranscriptEvent[] => {
  const waiting = ledger.steering.waiting();
  if (waiting.length > 0) ledger.steering.drop();
  return waiting.map(({ messageId }) => ({ type: "steer_dropped", messageId }));
};
