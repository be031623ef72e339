/** A stock as an answer has it, for tests of what is made of it. */
import { Stock } from "../../../../../src/contract/stocks/stock.ts";

/** A held one with every field filled, in version 3, but for what is given. */
export const stockOf = (values: Readonly<Record<string, unknown>> = {}): Stock =>
  Stock.parse({
    id: "0193f5c0-0000-7000-8000-000000000001",
    symbol: "AAPL",
    name: "Apple Inc.",
    exchange: "XNAS",
    isin: "US0378331005",
    assetType: "stock",
    currency: "USD",
    quantity: "60",
    avgCost: "180.5",
    watched: false,
    targetLow: "150",
    targetHigh: "260",
    lastPrice: "226.84",
    lastPriceAt: "2026-11-20T10:00:00.000Z",
    lastPriceSource: "manual",
    sector: "Technology",
    tags: ["tech", "long term"],
    notes: "First line\nSecond line",
    status: "holding",
    marketValue: "13610.4",
    costBasis: "10830",
    gain: "2780.4",
    gainPct: "25.67",
    targetState: "between",
    distanceToTargetPct: "14.6",
    version: 3,
    updatedVia: "screen",
    createdAt: "2026-11-01T10:00:00.000Z",
    updatedAt: "2026-11-20T10:00:00.000Z",
    deletedAt: null,
    ...values,
  });
