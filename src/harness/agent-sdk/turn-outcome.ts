/** How turns of this harness end. */
import type { FailureCode, RunError, TerminalStatus } from "../../contract/run.ts";
import type { TurnOutcome } from "../turn.ts";

/** The outcome of a turn that the model itself stopped. */
export const outcomeOf = (stopReason: string): TurnOutcome => {
  if (stopReason === "error") return failed("model_unavailable", "The model's answer was cut off.");
  if (stopReason === "aborted") return ABORTED;
  const isCut = ["max_tokens", "model_context_window_exceeded", "pause_turn"].includes(stopReason);
  return ended(isCut ? "incomplete" : "completed", stopReason);
};

/** The end of a turn. */
export const ended = (status: TerminalStatus, stopReason: string, error: RunError | null = null): TurnOutcome => ({
  type: "ended",
  status,
  stopReason,
  error,
});

/** A turn that could not go on. */
export const failed = (code: FailureCode, message: string): TurnOutcome => ended("failed", "error", { code, message });

/** The end of a turn that has made as many model calls as it may. */
export const OUT_OF_STEPS = ended("incomplete", "max_steps");

/** The end of a turn that somebody stopped. */
export const ABORTED = ended("aborted", "aborted");
