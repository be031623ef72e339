/** What the server says, as the dialogs show it: refusals at their fields, history line by line. */
import { describe, expect, it } from "vitest";
import { StockEventView } from "../../../../../src/contract/stocks/get-stock.ts";
import { ApiError } from "../../../../../src/ui/api/api-error.ts";
import { currenciesOf, historyLines, restLabel } from "../../../../../src/ui/stocks/detail/stock-history.tsx";
import { readServerProblems, refusalOf } from "../../../../../src/ui/stocks/form/form-refusal.ts";

describe("refusals", () => {
  it("are put to the fields they name, in words for people", () => {
    const message =
      "avgCost: needs a quantity above 0, otherwise set it to null; targetLow: use less than targetHigh; " +
      "isin: use a 12-character ISIN with a valid check digit, such as US0378331005, or null";
    expect(readServerProblems(message)).toEqual({
      problems: {
        avgCost: "Needs a quantity above 0, or leave this empty.",
        targetLow: "Use less than “Sell at or above”.",
        isin: "Use a 12-character ISIN with a valid check digit, such as US0378331005, or leave this empty.",
      },
      rest: undefined,
    });
  });

  it("what names no field is said above the form", () => {
    expect(readServerProblems("body: send an object; tags: use at most 20 tags")).toEqual({
      problems: { tags: "Use at most 20 tags." },
      rest: "Body: send an object.",
    });
  });

  it("a symbol that is taken is told from a list that is full", () => {
    expect(refusalOf(new ApiError(409, "Taken.", { code: "symbol_taken" })).kind).toBe("listed");
    const stale = new ApiError(409, "AAPL has changed since version 1: targetLow. Read it again.", {
      code: "stale_version",
    });
    expect(refusalOf(stale).note).toBe("It was changed elsewhere meanwhile. Check it, then try again.");
    expect(refusalOf(new ApiError(409, "You have 5,000 stocks, the limit. Delete some first."))).toEqual({
      kind: "other",
      problems: {},
      note: "You have 5,000 stocks, the limit. Delete some first.",
    });
  });

  it("a lost connection says that nothing typed is lost", () => {
    const { note } = refusalOf(new ApiError(0, "The server cannot be reached."));
    expect(note).toBe("Not saved. The server cannot be reached. What you typed is still here.");
  });
});

describe("history", () => {
  const event = (changes: Readonly<Record<string, unknown>>): StockEventView =>
    StockEventView.parse({
      id: "0193f5c0-0000-7000-8000-000000000002",
      action: "update",
      via: "screen",
      runId: null,
      version: 2,
      before: {},
      after: {},
      at: "2026-11-20T10:00:00.000Z",
      ...changes,
    });

  it("shows each changed field before and after, in the order of the form", () => {
    const change = event({
      before: { tags: ["a"], quantity: null, lastPrice: "1", lastPriceAt: "2026-11-19T10:00:00.000Z" },
      after: { tags: ["a", "b"], quantity: "1234.5", lastPrice: "2.5", lastPriceAt: "2026-11-20T10:00:00.000Z" },
    });
    expect(historyLines(change, "EUR", "en-US").map(({ label, before, after }) => [label, before, after])).toEqual([
      ["Quantity", "–", "1,234.5"],
      ["Last price", "€1.00", "€2.50"],
      ["Tags", "a", "a, b"],
    ]);
  });

  it("amounts are in the currency that the stock had then", () => {
    const events = [
      event({ before: { lastPrice: "2" }, after: { lastPrice: "3" } }),
      event({ before: { currency: "USD" }, after: { currency: "EUR" } }),
      event({ before: { avgCost: "1" }, after: { avgCost: "2" } }),
    ];
    const currencies = currenciesOf(events, "EUR");
    const lines = events.flatMap((one, nth) => historyLines(one, currencies[nth] ?? "", "en-US"));
    expect(lines.map(({ before, after }) => [before, after])).toEqual([
      ["€2.00", "€3.00"],
      ["USD", "EUR"],
      ["$1.00", "$2.00"],
    ]);
  });

  it("is said to be whole only if the server has returned fewer changes than it does at most", () => {
    expect([49, 50].map(restLabel)).toEqual(["Show all 49 changes", "Show the latest 50 changes"]);
  });

  it("of a new stock tells what it started with, in the currency it had", () => {
    const start = { symbol: "AAPL", name: "AAPL", currency: "USD", quantity: "10", avgCost: "180.5", notes: null };
    const change = event({ action: "add", before: null, after: { ...start, assetType: "stock", tags: [] } });
    expect(historyLines(change, "EUR", "en-US")).toEqual([
      { field: "quantity", label: "Quantity", before: undefined, after: "10" },
      { field: "avgCost", label: "Average cost per share", before: undefined, after: "$180.50" },
    ]);
  });
});
