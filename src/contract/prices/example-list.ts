/** A list to try the app with: a dozen stocks in three currencies. Without prices, which are never made up (decision 0124). */
import type { StockDraft } from "../stocks/stock-values.ts";
import { EXAMPLE_TAG } from "./example-tag.ts";

type ExampleStock = StockDraft & { readonly exchange: string; readonly name: string; readonly currency: string };

const etf = { assetType: "etf" } as const;

const STOCKS: readonly Omit<ExampleStock, "tags">[] = [
  {
    ...{ symbol: "AAPL", exchange: "XNAS", currency: "USD", name: "Apple", isin: "US0378331005" },
    ...{ quantity: "12", avgCost: "172.4", targetHigh: "320", sector: "Information technology" },
  },
  {
    ...{ symbol: "MSFT", exchange: "XNAS", currency: "USD", name: "Microsoft", isin: "US5949181045" },
    ...{ quantity: "5", avgCost: "388", sector: "Information technology" },
  },
  {
    ...{ symbol: "NVDA", exchange: "XNAS", currency: "USD", name: "NVIDIA", isin: "US67066G1040" },
    ...{ targetLow: "110", sector: "Information technology" },
  },
  {
    ...{ symbol: "KO", exchange: "XNYS", currency: "USD", name: "Coca-Cola", isin: "US1912161007" },
    ...{ quantity: "40", avgCost: "61.2", targetLow: "55", targetHigh: "80", sector: "Consumer staples" },
  },
  {
    ...{ symbol: "VTI", exchange: "ARCX", currency: "USD", name: "Vanguard Total Stock Market ETF", ...etf },
    ...{ isin: "US9229087690", quantity: "15", avgCost: "241" },
  },
  {
    ...{ symbol: "ASML", exchange: "XAMS", currency: "EUR", name: "ASML Holding", isin: "NL0010273215" },
    ...{ quantity: "3", avgCost: "702", sector: "Information technology" },
  },
  {
    ...{ symbol: "SAP", exchange: "XETR", currency: "EUR", name: "SAP", isin: "DE0007164600" },
    ...{ quantity: "20", avgCost: "148.5", targetHigh: "280", sector: "Information technology" },
  },
  {
    ...{ symbol: "MC", exchange: "XPAR", currency: "EUR", name: "LVMH", isin: "FR0000121014" },
    ...{ targetLow: "520", sector: "Consumer discretionary" },
  },
  {
    ...{ symbol: "EUNL", exchange: "XETR", currency: "EUR", name: "iShares Core MSCI World", ...etf },
    ...{ isin: "IE00B4L5Y983", quantity: "60", avgCost: "88.9" },
  },
  {
    ...{ symbol: "VOD", exchange: "XLON", currency: "GBX", name: "Vodafone Group", isin: "GB00BH4HKS39" },
    ...{ quantity: "1500", avgCost: "74.2", targetLow: "60", sector: "Communication services" },
  },
  {
    ...{ symbol: "SHEL", exchange: "XLON", currency: "GBX", name: "Shell", isin: "GB00BP6MXD84" },
    ...{ quantity: "120", avgCost: "2510", sector: "Energy" },
  },
  {
    ...{ symbol: "AZN", exchange: "XLON", currency: "GBX", name: "AstraZeneca", isin: "GB0009895292" },
    ...{ targetLow: "9500", targetHigh: "14000", sector: "Health care" },
  },
];

/** The stocks as they are added. */
export const EXAMPLE_LIST: readonly ExampleStock[] = STOCKS.map((stock) => ({ ...stock, tags: [EXAMPLE_TAG] }));
