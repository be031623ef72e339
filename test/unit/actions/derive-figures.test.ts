/** Figures follow from a stock's values, exactly; what cannot be known is null and never 0 (api.md §5). */
import { describe, expect, it } from "vitest";
import { freshValues } from "../../../src/actions/merge-values.ts";
import { deriveFigures } from "../../../src/actions/stock-figures.ts";
import { StockDraft } from "../../../src/contract/stocks/stock-values.ts";
import { NOW } from "../../support/stock-factory.ts";

const figuresOf = (fields: Record<string, unknown>) =>
  deriveFigures(freshValues(StockDraft.parse({ symbol: "A", ...fields }), { at: NOW, priceSource: "manual" }));

it("a bare symbol is watched, and nothing else is known of it", () => {
  expect(figuresOf({})).toEqual({
    status: "watching",
    marketValue: null,
    costBasis: null,
    gain: null,
    gainPct: null,
    targetState: "none",
    distanceToTargetPct: null,
  });
});

it("a holding with cost and price has all figures", () => {
  expect(figuresOf({ quantity: "10", avgCost: "180", lastPrice: "190.5" })).toEqual({
    status: "holding",
    marketValue: "1905",
    costBasis: "1800",
    gain: "105",
    gainPct: "5.8333333333",
    targetState: "none",
    distanceToTargetPct: null,
  });
});

it("no digit is lost where floats would lose it", () => {
  const figures = figuresOf({ quantity: "123456789012.0000000001", avgCost: "0.1", lastPrice: "0.3" });
  expect(figures).toMatchObject({
    marketValue: "37037036703.60000000003",
    costBasis: "12345678901.20000000001",
    gain: "24691357802.40000000002",
    gainPct: "200",
  });
});

it.each([
  [{}, "watching"],
  [{ quantity: "0" }, "watching"],
  [{ watched: false }, "inactive"],
  [{ quantity: "0.0000000001" }, "holding"],
  [{ quantity: "1", watched: true }, "holding"],
])("with %j the status is %s", (fields, status) => {
  expect(figuresOf(fields).status).toBe(status);
});

it("a price of 0 is known: the value is 0 and all is lost", () => {
  expect(figuresOf({ quantity: "2", avgCost: "5", lastPrice: "0" })).toMatchObject({
    marketValue: "0",
    gain: "-10",
    gainPct: "-100",
  });
});

it("what was free has no gain in per cent", () => {
  expect(figuresOf({ quantity: "2", avgCost: "0", lastPrice: "5" })).toMatchObject({ gain: "10", gainPct: null });
});

describe("a target", () => {
  it.each([
    [{ targetLow: "90" }, null, null],
    [{ targetLow: "90", lastPrice: "100" }, "between", "10"],
    [{ targetLow: "90", lastPrice: "90" }, "below_low", "0"],
    [{ targetLow: "90", lastPrice: "80" }, "below_low", "-12.5"],
    [{ targetHigh: "120", lastPrice: "100" }, "between", "20"],
    [{ targetHigh: "120", lastPrice: "120" }, "above_high", "0"],
    [{ targetHigh: "120", lastPrice: "160" }, "above_high", "-25"],
    [{ targetLow: "90", targetHigh: "105", lastPrice: "100" }, "between", "5"],
    [{ targetLow: "90", lastPrice: "0" }, "below_low", null],
    [{ lastPrice: "100" }, "none", null],
    [{ targetLow: "0.0000000001", targetHigh: "0.0000000003", lastPrice: "0.0000000002" }, "between", "50"],
    [{ targetLow: "999999999999.0000000001", lastPrice: "999999999999.0000000002" }, "between", "0"],
  ])("with %j is %s, %s per cent away", (fields, targetState, distanceToTargetPct) => {
    expect(figuresOf(fields)).toMatchObject({ targetState, distanceToTargetPct });
  });
});
