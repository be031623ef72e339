/** When a walk ends before it has seen all. */
import { expect, it } from "vitest";
import { walkStop } from "../../../src/workspace/walk-tree.ts";

it("continues for twenty seconds, and no longer, whatever the clock says then", () => {
  let nowMs = 1_000;
  const isStopped = walkStop(new AbortController().signal, () => nowMs);
  nowMs = 21_000;
  expect(isStopped()).toBe(false);
  nowMs = 21_001;
  expect(isStopped()).toBe(true);
  nowMs = 0;
  expect(isStopped()).toBe(true);
});

it("ends when its signal aborts", () => {
  const abort = new AbortController();
  const isStopped = walkStop(abort.signal);
  expect(isStopped()).toBe(false);
  abort.abort();
  expect(isStopped()).toBe(true);
});
