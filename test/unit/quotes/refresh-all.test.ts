/** Batch after batch of prices: it ends, however little of the day's credits is left. */
import { expect, it } from "vitest";
import { DAY_MS } from "../../../src/contract/day.ts";
import { openDb } from "../../../src/db/db.ts";
import type { ListingRow } from "../../../src/db/prices/instruments.ts";
import { FRESH_BUDGET } from "../../../src/quotes/object/credits.ts";
import { keptFor, refreshAll } from "../../../src/quotes/object/rounds.ts";
import type { Share } from "../../../src/quotes/object/shares.ts";
import { eodhd } from "../../../src/quotes/sources/eodhd.ts";
import { findSource } from "../../../src/quotes/sources/find-source.ts";
import type { InstrumentRef, SourceAccess } from "../../../src/quotes/sources/quote-source.ts";
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

/** A listing that leaves so many of the day's credits to others. */
const leaving = (kept: number, more: Partial<ListingRow> = {}) => aListing({ id: `${kept}`, price: null, ...more });

const several = (length: number, listing: ListingRow): ListingRow[] => Array.from({ length }, () => listing);

const PRICED = leaving(19, { symbol: "PRICED", price: "1", splitDay: "2025-01-01" });

/** Somebody who has used nothing yet of a key that is everybody's. */
const SHARED = { used: () => 0, add: () => undefined };

it.each<[string, Share | undefined, ListingRow[], string[] | undefined]>([
  ["beside those that targets will need", undefined, several(10, leaving(8)), Array(5).fill("S")],
  ["beside as many as this person then has used", SHARED, several(10, leaving(0)), Array(4).fill("S")],
  ["for one", undefined, several(2, leaving(18)), ["S"]],
  ["for none, and another price waits for no first one", undefined, [leaving(19), PRICED], ["PRICED"]],
  ["for a target alone, whatever the next listing leaves to it", undefined, [leaving(0), PRICED], ["S"]],
  ["for none", undefined, several(2, leaving(19)), undefined],
])("first prices are asked for where a day of EODHD has credits for their searches too: %s", async (...given) => {
  const [, usedByAsker, listings, asked] = given;
  const batches: string[][] = [];
  const source = {
    ...eodhd,
    quotesRequest: (refs: readonly InstrumentRef[], access: SourceAccess) => {
      batches.push(refs.map(({ symbol }) => symbol));
      return eodhd.quotesRequest(refs, access);
    },
  };
  const asker = {
    key: { source, access: { key: "k", baseUrl: "" }, scope: "s" },
    budget: { read: () => FRESH_BUDGET, write: () => undefined },
    nowMs: () => Date.parse("2026-11-18T15:00:00Z"),
    isCurrent: () => false,
    closesPace: NO_CLOSES_PACE,
    usedByAsker,
  };
  await refreshAll(asker, openDb(Object(undefined)), listings, ({ id }) => Number(id));
  expect(batches[0]).toEqual(asked);
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
