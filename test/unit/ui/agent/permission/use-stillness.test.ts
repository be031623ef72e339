/** Which presses answer a card. */
import { expect, it } from "vitest";
import { isAnswer, SETTLE_MS } from "../../../../../src/ui/agent/permission/use-stillness.ts";

it.each([
  ["a click on a card that has stood long enough", { detail: 1, stillMs: SETTLE_MS }, true],
  ["a key on one", { detail: 0, stillMs: SETTLE_MS }, true],
  ["a click on one that has just come", { detail: 1, stillMs: SETTLE_MS - 1 }, false],
  ["a key on one that has just come", { detail: 0, stillMs: 0 }, false],
  ["the second click of a double click", { detail: 2, stillMs: 60_000 }, false],
  ["a click before the card was there at all", { detail: 1, stillMs: Number.NEGATIVE_INFINITY }, false],
])("%s", (_, press, counts) => {
  expect(isAnswer(press)).toBe(counts);
});
