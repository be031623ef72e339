/** Where the range of a history begins. */
import { expect, it } from "vitest";
import { firstDay } from "../../../src/actions/prices/stock-history.ts";

it.each([
  ["1m", "2026-03-31", "2026-02-28"],
  ["1m", "2026-01-31", "2025-12-31"],
  ["6m", "2026-08-31", "2026-02-28"],
  ["1y", "2028-02-29", "2027-02-28"],
  ["5y", "2026-11-28", "2021-11-28"],
] as const)("a range of %s that ends on %s begins on %s, in the month that it names", (range, today, first) => {
  expect(firstDay(range, Date.parse(`${today}T12:00:00Z`))).toBe(first);
});
