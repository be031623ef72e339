/** Batch after batch of prices: it ends, however little of the day's credits is left. */
import { expect, it } from "vitest";
import { DAY_MS } from "../../../src/contract/day.ts";
import { openDb } from "../../../src/db/db.ts";
import { FRESH_BUDGET } from "../../../src/quotes/object/credits.ts";
import { keptFor, refreshAll } from "../../../src/quotes/object/rounds.ts";
import { findSource } from "../../../src/quotes/sources/find-source.ts";
import { aListing } from "../../support/a-listing.ts";
import { NO_CLOSES_PACE } from "../../support/no-closes-pace.ts";

const LISTING = aListing();

it("asks for nothing, of a key that is everybody's, where as many credits are left as this person has used", async () => {
  const nowMs = Date.parse("2026-11-18T15:00:00Z");
  const asks = async (used: number): Promise<boolean> => {
    let isSpent = false;
    const asker = {
      key: { source: findSource("twelvedata"), access: { key: "k", baseUrl: "http://127.0.0.1:1" }, scope: "s" },
      budget: {
        read: () => ({ ...FRESH_BUDGET, day: Math.floor(nowMs / DAY_MS), usedOfDay: 500 }),
        write: () => {
          isSpent = true;
        },
      },
      nowMs: () => nowMs,
      isCurrent: () => !isSpent,
      closesPace: NO_CLOSES_PACE,
      usedByAsker: { used: () => used, add: () => undefined },
    };
    await refreshAll(asker, openDb(Object(undefined)), [LISTING], keptFor(asker, [{ ...LISTING, owners: [] }]));
    return isSpent;
  };
  expect([await asks(0), await asks(299), await asks(300)]).toEqual([true, true, false]);
});

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
    closesPace: NO_CLOSES_PACE,
  };
  expect(await refreshAll(asker, openDb(Object(undefined)), [LISTING], () => 1.4)).toEqual([]);
});
