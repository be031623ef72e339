/** How long a key waits after a refusal. */
import { expect, it } from "vitest";
import { afterAnswer, FRESH_BUDGET, nextDay } from "../../../src/quotes/object/credits.ts";
import type { RefusalReason } from "../../../src/quotes/sources/quote-source.ts";

const MINUTE = 60_000;

const NOON = Date.parse("2026-11-18T12:00:00Z");

const SOURCE = { creditsAMinute: 8, creditsADay: 800 };

/** Until when a key waits after these answers, a minute apart and beginning at noon. */
const pausedUntil = (creditsAMinute: number, ...answers: readonly (RefusalReason | null)[]): number =>
  answers.reduce((budget, refused, nth) => {
    const atMs = NOON + nth * MINUTE;
    return afterAnswer(budget, refused, { ...SOURCE, creditsAMinute }, atMs, atMs);
  }, FRESH_BUDGET).pausedUntilMs;

it.each<[string, readonly (RefusalReason | null)[]]>([
  ["the first", ["budget"]],
  ["one after a lost answer", ["down", "budget"]],
  ["one after nonsense", ["bad", "down", "budget"]],
  ["one that is not in a row with another", ["budget", null, "budget"]],
  ["one after another and a lost answer", ["budget", "down", "budget"]],
])("a refusal for want of credits waits for the next minute: %s", (_, answers) => {
  expect(pausedUntil(8, ...answers)).toBe(NOON + answers.length * MINUTE);
});

it("a second one in a row waits for the next day, as does the first where a minute has credits enough", () => {
  expect(pausedUntil(8, "down", "budget", "budget")).toBe(nextDay(NOON));
  expect(pausedUntil(1_000, "budget")).toBe(nextDay(NOON));
});

it.each([
  ["in the same minute", NOON + 50],
  ["after the pause", NOON + MINUTE + 50],
])("a refusal of a request that was already on its way at another one is the same one: %s", (_, answeredMs) => {
  const first = afterAnswer(FRESH_BUDGET, "budget", SOURCE, NOON, NOON);
  expect(afterAnswer(first, "budget", SOURCE, answeredMs, NOON)).toEqual(first);
  expect(first.pausedUntilMs).toBe(NOON + MINUTE);
});
