/** For how long a run waited for its person, which is left out of the time that is shown. */
import { expect, it } from "vitest";
import type { NumberedEvent } from "../../../../../src/contract/transcript.ts";
import { applyEvents } from "../../../../../src/ui/agent/stream/apply-event.ts";
import { newTranscript } from "../../../../../src/ui/agent/stream/transcript-state.ts";

const at = (second: number): string => new Date(Date.UTC(2026, 10, 23, 12, 0, second)).toISOString();

const status = (seq: number, second: number, value: "waiting_permission" | "running"): NumberedEvent => ({
  ...{ type: "run_status", seq, at: at(second), status: value },
});

const end = (seq: number, second: number): NumberedEvent => ({
  ...{ type: "run_end", seq, at: at(second), status: "completed", stopReason: "end_turn", steps: 1, error: null },
  ...{ usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 }, costUsd: null },
  durationMs: second * 1_000,
});

const waited = (events: readonly NumberedEvent[]): number => applyEvents(newTranscript("r"), events).waitedMs;

it("adds up the waits that were answered", () => {
  const first = [status(1, 2, "waiting_permission"), status(2, 12, "running")];
  expect(waited([...first, status(3, 13, "waiting_permission"), status(4, 33, "running"), end(5, 40)])).toBe(30_000);
});

it("counts a wait that the end cuts off, and none where nobody was asked", () => {
  expect(waited([status(1, 4, "waiting_permission"), end(2, 60)])).toBe(56_000);
  expect(waited([end(1, 60)])).toBe(0);
});
