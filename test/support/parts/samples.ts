/** What the parts show: a list, chats, models. */
import type { QueryClient } from "@tanstack/preact-query";
import { ModelList } from "../../../src/contract/models.ts";
import { BaseTotal } from "../../../src/contract/stocks/list-stocks.ts";
import type { Stock } from "../../../src/contract/stocks/stock.ts";
import { ThreadView } from "../../../src/contract/thread.ts";
import { noteListed } from "../../../src/ui/agent/stream/asking-threads.ts";
import { STOCK_LIST_KEY, type StockList } from "../../../src/ui/stocks/store/stock-store.ts";
import { stockOf } from "../../unit/ui/stocks/form/stock-of.ts";

/** Ages in the pictures are told from now on. */
const agoIso = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

const id = (nth: number): string => `0193f5c0-0000-7000-8000-${String(nth).padStart(12, "0")}`;

const watched = { quantity: null, avgCost: null, marketValue: null, costBasis: null, gain: null, gainPct: null };

export const STOCKS: readonly Stock[] = [
  stockOf({ id: id(1), dayChange: "2.31", dayChangePct: "1.03", priceState: "close", watched: true }),
  stockOf({
    ...{
      id: id(2),
      symbol: "SAP",
      name: "SAP SE",
      exchange: "XETR",
      currency: "EUR",
      quantity: "12",
      avgCost: "184.2",
    },
    ...{ lastPrice: "142.6", marketValue: "1711.2", costBasis: "2210.4", gain: "-499.2" },
    ...{ dayChange: "-1.94", dayChangePct: "-1.34", priceState: "stale", updatedVia: "agent", targetState: "none" },
    ...{ targetLow: null, targetHigh: null, distanceToTargetPct: null },
  }),
  stockOf({
    ...{ id: id(3), symbol: "NVDA", name: "NVIDIA Corporation", status: "watching", watched: true, ...watched },
    ...{
      targetLow: "120",
      targetHigh: null,
      lastPrice: "118.2",
      targetState: "below_low",
      distanceToTargetPct: "-1.5",
    },
  }),
  stockOf({
    ...{ id: id(4), symbol: "MSFT", name: "Microsoft", status: "watching", watched: true, ...watched },
    ...{ targetLow: "380", targetHigh: null, lastPrice: "402.11", targetState: "between", distanceToTargetPct: "5.5" },
  }),
  stockOf({
    ...{ id: id(5), symbol: "PRIVATE-FUND", name: "A fund nobody quotes, with a name that goes on", exchange: null },
    ...{ lastPrice: null, lastPriceAt: null, lastPriceSource: null, marketValue: null, gain: null, gainPct: null },
    ...{
      targetLow: null,
      targetHigh: null,
      targetState: "none",
      distanceToTargetPct: null,
      version: 1,
      updatedVia: "agent",
    },
  }),
  stockOf({
    ...{ id: id(6), symbol: "9984", name: "SoftBank Group", currency: "JPY", quantity: "1234567", avgCost: "7100" },
    ...{ lastPrice: "9105", marketValue: "11240732535", costBasis: "8765425700", gain: "2475306835", gainPct: "28.24" },
    ...{
      targetLow: null,
      targetHigh: "9000",
      targetState: "above_high",
      distanceToTargetPct: "0",
      sector: null,
      tags: [],
    },
  }),
];

const base = BaseTotal.parse({
  ...{
    currency: "USD",
    value: "98412.37",
    cost: "80213.5",
    gain: "18198.87",
    gainPct: "22.69",
    dayChange: "1003.4",
    dayChangePct: "1.03",
    ratesOn: "2026-11-20",
  },
  ...{ rates: { USD: "1.25", EUR: "1", JPY: "180" }, missing: [], pricedAsOf: agoIso(90), staleCount: 1 },
});

export const LIST: StockList = {
  items: STOCKS,
  isComplete: true,
  totals: [
    { currency: "EUR", cost: "2210.4", value: "1711.2", gain: "-499.2" },
    { currency: "USD", cost: "10830", value: "13610.4", gain: "2780.4" },
  ],
  base,
};

export const EMPTY_LIST: StockList = { ...LIST, items: [], totals: [], base: { ...base, value: null, gain: null } };

const thread = (threadId: string, title: string, minutes: number, more: object = {}) =>
  ThreadView.parse({
    threadId,
    title,
    updatedAt: agoIso(minutes),
    activeRunId: null,
    status: null,
    costUsd: "0.012",
    ...more,
  });

const THREADS: readonly ThreadView[] = [
  thread("asks", "Add 25 NVIDIA at 118.20", 2, { activeRunId: id(90), status: "waiting_permission" }),
  thread("works", "Compare my chip stocks with the index since January, and say which of them lag behind", 9, {
    ...{ activeRunId: id(91), status: "running" },
  }),
  thread("old", "What do I own?", 60 * 26),
];

export const MODELS = ModelList.parse({
  models: [
    ["claude-sonnet-5-5", "Claude Sonnet 5.5", true],
    ["claude-opus-5", "Claude Opus 5", false],
  ].map(([model, name, isDefault]) => ({
    ...{ id: model, name, isDefault, contextTokens: 200_000, efforts: ["low", "medium", "high"] },
    pricePerMillion: { input: "3", output: "15", cacheRead: "0.3", cacheWrite: "3.75" },
  })),
  workspaceDir: "/home/ada/portfolio",
});

/** Puts into the cache what components read from there. */
export const fillCache = (client: QueryClient): void => {
  noteListed(THREADS, true);
  client.setQueryData(STOCK_LIST_KEY, LIST);
  client.setQueryData(["models"], MODELS);
  client.setQueryData(["threads"], { pages: [{ threads: THREADS, nextCursor: null }], pageParams: [""] });
};
