/** Ids of stocks: UUIDv7, in the order they were made. */
import { expect, it } from "vitest";
import { createIdSource, StockId } from "../../../src/contract/ids.ts";

it("ids are lower-case UUIDs of version 7 that hold their time", () => {
  const id = createIdSource(() => 0x0123456789ab)();
  expect(id).toMatch(/^01234567-89ab-7000-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(StockId.safeParse(id).success).toBe(true);
});

it("ids of one millisecond, and of a clock set back, still ascend", () => {
  const clock = [5, 5, 4, 4, 6];
  const newId = createIdSource(() => clock.shift() ?? 6);
  const ids = Array.from({ length: 10_000 }, newId);
  expect(ids).toEqual([...new Set(ids)].sort());
});
