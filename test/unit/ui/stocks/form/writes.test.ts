/** Order and failures of writes, and how the list looks before they are answered. */
import { expect, it } from "vitest";
import {
  removedOverlay,
  restoredOverlay,
  watchedOverlay,
} from "../../../../../src/ui/stocks/store/bind-stock-actions.ts";
import { settleEach } from "../../../../../src/ui/stocks/store/stock-failures.ts";
import { stockOf } from "./stock-of.ts";

it("one failure stops none of the others, and failures come in the order of the input", async () => {
  const done: number[] = [];
  const failures = await settleEach([5, 4, 3, 2, 1], async (item) => {
    await Promise.resolve();
    if (item % 2 === 0) throw new Error(`No ${item}`);
    done.push(item);
  });
  expect(done.toSorted()).toEqual([1, 3, 5]);
  expect(failures.map(({ item }) => item)).toEqual([4, 2]);
});

it("what is not held is watched or neither, what is held stays a holding", () => {
  const held = stockOf();
  const other = stockOf({ id: "0193f5c0-0000-7000-8000-000000000009", quantity: null, status: "inactive" });
  const shown = watchedOverlay(new Set([held.id, other.id]), true)([held, other]);
  expect(shown.map(({ watched, status }) => [watched, status])).toEqual([
    [true, "holding"],
    [true, "watching"],
  ]);
});

it("a restored stock is shown once, whether the list has it by now or not", () => {
  const stock = stockOf({ deletedAt: "2026-11-20T10:00:00.000Z" });
  const back = restoredOverlay([stock])([]);
  expect(back).toEqual([{ ...stock, deletedAt: null }]);
  expect(restoredOverlay([stock])(back)).toEqual(back);
  expect(removedOverlay(new Set([stock.id]))(back)).toEqual([]);
});
