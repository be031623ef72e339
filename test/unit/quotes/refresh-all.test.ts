/** Batch after batch of prices: it ends, however little of the day's credits is left. */
import { expect, it } from "vitest";
import { openDb } from "../../../src/db/db.ts";
import type { ListingRow } from "../../../src/db/prices/instruments.ts";
import { FRESH_BUDGET } from "../../../src/quotes/object/budget.ts";
import { refreshAll } from "../../../src/quotes/object/rounds.ts";
import { findSource } from "../../../src/quotes/sources/find-source.ts";

const LISTING: ListingRow = {
  ...{ id: "i", source: "twelvedata", symbol: "S", mic: "XNAS", currency: "USD", askedAtMs: 0, refused: null },
  ...{ price: "1", asOf: null, previousClose: null, pending: null, priority: 1, lastClose: null, mark: null },
};

it("asks for nothing, and ends, where less than a credit is left beside what is kept", async () => {
  let looks = 0;
  const asker = {
    key: { source: { ...findSource("twelvedata"), creditsADay: 2 }, access: { key: "k", baseUrl: "" }, scope: "s" },
    budget: { read: () => FRESH_BUDGET, write: () => undefined },
    nowMs: () => {
      looks += 1;
      if (looks > 100) throw new Error("It goes round without end.");
      return Date.parse("2026-11-18T15:00:00Z");
    },
    isCurrent: () => true,
  };
  expect(await refreshAll(asker, openDb(Object(undefined)), [LISTING], () => 1.4)).toEqual([]);
});
