/** Chats under the day, the week or the month in which something last happened in them. */
import { expect, it } from "vitest";
import { dayGroup, groupByDay } from "../../../../../src/ui/agent/panel/day-groups.ts";

/** Local times, as the person's days are. */
const NOW = new Date(2026, 2, 10, 9, 30);

const at = (...parts: [number, number, number, number?, number?]): string => new Date(...parts).toISOString();

it.each([
  [at(2026, 2, 10, 0, 1), "Today"],
  [at(2026, 2, 10, 9, 45), "Today"],
  [at(2026, 2, 9, 23, 59), "Yesterday"],
  [at(2026, 2, 9, 0, 0), "Yesterday"],
  [at(2026, 2, 8, 23, 59), "Previous 7 days"],
  [at(2026, 2, 3, 0, 0), "Previous 7 days"],
  [at(2026, 2, 2, 23, 59), "March"],
  [at(2026, 0, 31), "January"],
  [at(2025, 2, 31), "March 2025"],
])("%s is in %s", (iso, name) => {
  expect(dayGroup(iso, NOW)).toBe(name);
});

it("keeps the order of the list", () => {
  const items = [at(2026, 2, 10), at(2026, 2, 9), at(2026, 2, 9, 1)].map((updatedAt) => ({ updatedAt }));
  expect(groupByDay(items, NOW)).toEqual([
    ["Today", [items[0]]],
    ["Yesterday", [items[1], items[2]]],
  ]);
});
