/**
 * Messages to a run while it works (run.md, Steering). Each is stored before it is answered, and ends in one of two ways: the model
 * is given it at a step's border, or the run ends without that and its text goes back to the person.
 */

import type { TranscriptEvent } from "../contract/transcript.ts";
import { MAX_RUN_MESSAGES } from "../contract/turn.ts";
import { findHarness } from "../harness/registry.ts";
import type { NewRunMessage, SteerResult } from "./run-rpc.ts";
import { isEnded } from "./run-state.ts";
import type { Ledger } from "./store/ledger.ts";
import { steerMessageEvent } from "./store/run-events.ts";

/** Takes a message. Under a known key it answers as before, also after the run's end. */
export const steerRun = (ledger: Ledger, { text, key, isOverRate }: NewRunMessage): SteerResult => {
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
    // A run that has no event yet first says what it is; `tellMessages` follows then.
    const isTold = ledger.transcript.lastSeq > 0;
    ledger.steering.add(message, key, isTold);
    return isTold ? [steerMessageEvent(message)] : [];
  });
  return { type: "taken", messageId: message.messageId };
};

/** The events of messages that came before the run's first event. In the caller's transaction, right behind `user_message`. */
export const tellMessages = (ledger: Ledger): TranscriptEvent[] => ledger.steering.takeUntold().map(steerMessageEvent);

/** Gives what waits to the model behind a step: durable, with its events. Returns the texts. Nothing while the run is being aborted. */
export const applyMessages = (ledger: Ledger, step: number): string[] => {
  const waiting = ledger.steering.waiting();
  if (waiting.length === 0 || ledger.record().state.status !== "running") return [];
  ledger.commit(() => {
    ledger.steering.apply(step);
    return waiting.map(({ messageId }) => ({ type: "steer_applied", messageId, step: step + 1 }));
  });
  return waiting.map(({ text }) => text);
};

/** The events of messages that the run's end leaves unread. In its transaction. */
export const dropMessages = (ledger: Ledger): TranscriptEvent[] => {
  const waiting = ledger.steering.waiting();
  if (waiting.length > 0) ledger.steering.drop();
  return waiting.map(({ messageId }) => ({ type: "steer_dropped", messageId }));
};
