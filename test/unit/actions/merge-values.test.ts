/** Defaults of a fresh stock, merge patches, and the rules between fields (api.md §5). */
import { describe, expect, it } from "vitest";
import { findProblems, freshValues, mergeValues } from "../../../src/actions/merge-values.ts";
import { StockDraft, StockPatch } from "../../../src/contract/stocks/stock-values.ts";

const added = { at: "2026-11-20T12:00:00.000Z", priceSource: "manual" };
const later = { at: "2026-11-21T12:00:00.000Z", priceSource: "manual" };

const fresh = (fields: Record<string, unknown> = {}) =>
  freshValues(StockDraft.parse({ symbol: "AAPL", ...fields }), added);

it("a fresh stock needs its symbol alone", () => {
  expect(fresh()).toEqual({
    symbol: "AAPL",
    name: "AAPL",
    exchange: null,
    isin: null,
    assetType: "stock",
    currency: "USD",
    quantity: null,
    avgCost: null,
    watched: true,
    targetLow: null,
    targetHigh: null,
    lastPrice: null,
    lastPriceAt: null,
    lastPriceSource: null,
    sector: null,
    tags: [],
    notes: null,
  });
});

it("null in a draft is the same as absent", () => {
  const nulls = Object.fromEntries(Object.keys(StockPatch.shape).map((field) => [field, null]));
  expect(fresh({ ...nulls, symbol: "AAPL" })).toEqual(fresh());
});

it.each([
  [{}, true],
  [{ quantity: "0" }, true],
  [{ quantity: "1" }, false],
  [{ quantity: "1", watched: true }, true],
  [{ watched: false }, false],
])("with %j watched is %s", (fields, watched) => {
  expect(fresh(fields).watched).toBe(watched);
});

describe("a patch", () => {
  const base = fresh({ name: "Apple", quantity: "10", avgCost: "180", tags: ["tech"], currency: "EUR", notes: "n" });

  it("without fields changes nothing", () => {
    expect(mergeValues(base, {}, later)).toEqual(base);
  });

  it("keeps absent fields and takes given ones", () => {
    expect(mergeValues(base, StockPatch.parse({ quantity: 12 }), later)).toEqual({ ...base, quantity: "12" });
  });

  it("clears by null, back to what a fresh stock has", () => {
    const patch = { name: null, tags: null, currency: null, notes: null, watched: null, quantity: null, avgCost: null };
    expect(mergeValues(base, patch, later)).toEqual(fresh());
  });
});

describe("a last price", () => {
  const priced = fresh({ lastPrice: "5", lastPriceAt: "2026-01-01T00:00:00Z", lastPriceSource: "broker" });

  it("is stamped with now and its source when they are not given", () => {
    expect(fresh({ lastPrice: "5" })).toMatchObject({ lastPriceAt: added.at, lastPriceSource: "manual" });
  });

  it("keeps the time and source it is given with", () => {
    expect(priced).toMatchObject({ lastPriceAt: "2026-01-01T00:00:00.000Z", lastPriceSource: "broker" });
  });

  it("given again does not keep the old time and source", () => {
    expect(mergeValues(priced, { lastPrice: "6" }, later)).toMatchObject({
      lastPrice: "6",
      lastPriceAt: later.at,
      lastPriceSource: "manual",
    });
  });

  it("keeps time and source when something else changes", () => {
    expect(mergeValues(priced, { notes: "x" }, later)).toEqual({ ...priced, notes: "x" });
  });

  it("takes time and source with it when it is cleared", () => {
    expect(mergeValues(priced, { lastPrice: null }, later)).toMatchObject({
      lastPrice: null,
      lastPriceAt: null,
      lastPriceSource: null,
    });
  });
});

it.each([
  [{}, undefined],
  [{ quantity: "1", avgCost: "5" }, undefined],
  [{ avgCost: "5" }, "avgCost: needs a quantity above 0, otherwise set it to null"],
  [{ quantity: "0", avgCost: "5" }, "avgCost: needs a quantity above 0, otherwise set it to null"],
  [{ targetLow: "1", targetHigh: "2" }, undefined],
  [{ targetLow: "2", targetHigh: "2.0" }, "targetLow: use less than targetHigh"],
  [{ targetLow: "10", targetHigh: "9" }, "targetLow: use less than targetHigh"],
  [{ lastPriceAt: "2026-01-01T00:00:00Z" }, "lastPriceAt: needs a lastPrice"],
  [
    { avgCost: "1", lastPriceSource: "x" },
    "avgCost: needs a quantity above 0, otherwise set it to null; lastPriceSource: needs a lastPrice",
  ],
])("with %j the problem is %j", (fields, problem) => {
  expect(findProblems(fresh(fields))).toBe(problem);
});
