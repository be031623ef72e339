/** Stocks to fill a list with: known companies first, then invented ones. The nth is the same in every run. */
import type { z } from "zod";
import type { StockDraft } from "../../../src/contract/stocks/stock-values.ts";

/** A stock as `add-stock` accepts it. */
export type Draft = z.input<typeof StockDraft>;

type Company = readonly [symbol: string, name: string, exchange: string, currency: string, sector: string];

/** Accents, umlauts and signs among them, for searching. */
const COMPANIES: readonly Company[] = [
  ["AAPL", "Apple", "XNAS", "USD", "Technology"],
  ["MSFT", "Microsoft", "XNAS", "USD", "Technology"],
  ["NESN", "Nestlé", "XSWX", "CHF", "Consumer staples"],
  ["OR", "L'Oréal", "XPAR", "EUR", "Consumer staples"],
  ["BRK.B", "Berkshire Hathaway B", "XNYS", "USD", "Financials"],
  ["VOD", "Vodafone Group", "XLON", "GBX", "Communication"],
  ["ORSTED", "Ørsted", "XCSE", "DKK", "Utilities"],
  ["7203", "Toyota Motor", "XTKS", "JPY", "Consumer discretionary"],
  ["MUV2", "Münchener Rückversicherungs-Gesellschaft", "XETR", "EUR", "Financials"],
  ["AT&T", "AT&T <Class A>", "XNYS", "USD", "Communication"],
  ["TSLA", "Tesla", "XNAS", "USD", "Consumer discretionary"],
  ["SHEL", "Shell", "XLON", "GBX", "Energy"],
];

const FIRST_NAMES = [
  "Alder",
  "Borealis",
  "Calder",
  "Dunmore",
  "Estrella",
  "Fjord",
  "Granite",
  "Halcyon",
  "Ibis",
  "Juniper",
];
const TRADES = ["Biotech", "Foods", "Energy", "Robotics", "Rail", "Paper", "Shipping", "Optics", "Insurance", "Water"];
const FORMS = ["Inc.", "plc", "SE", "Holdings", "Group", "& Sons", "International"];
const EXCHANGES = [
  ["XNAS", "USD"],
  ["XNYS", "USD"],
  ["XETR", "EUR"],
  ["XLON", "GBX"],
  ["XTKS", "JPY"],
] as const;
const SECTORS = ["Technology", "Healthcare", "Industrials", "Energy", "Materials", "Utilities"];
const TAGS = ["dividend", "long term", "speculative", "green", "spin-off", "watch closely"];

/** The first `count` samples: about half of them held, prices, targets and tags known for most. */
export const sampleStocks = (count: number): Draft[] => Array.from({ length: count }, (_, index) => sample(index));

const sample = (index: number): Draft => {
  const [symbol, name, exchange, currency, sector] = COMPANIES[index] ?? invent(index);
  const cents = 500 + (scatter(index, 1) % 49_500);
  const isHeld = scatter(index, 2) % 2 === 0;
  return {
    ...{ symbol, name, exchange, currency, sector },
    assetType: scatter(index, 3) % 8 === 0 ? "etf" : "stock",
    ...(scatter(index, 4) % 10 === 0 ? {} : { lastPrice: amount(cents) }),
    ...(isHeld
      ? { quantity: String(1 + (scatter(index, 5) % 400)), avgCost: amount(cents * (0.6 + noise(index, 6))) }
      : {}),
    watched: !isHeld || scatter(index, 7) % 4 === 0,
    ...(scatter(index, 8) % 3 === 0
      ? {}
      : {
          targetLow: amount(cents * (0.7 + noise(index, 9) / 2)),
          targetHigh: amount(cents * (1.21 + noise(index, 10))),
        }),
    tags: TAGS.filter((_, place) => scatter(index, 20 + place) % 5 === 0),
    ...(scatter(index, 11) % 9 === 0 ? { notes: `Look again after the results.\nNoted as number ${index + 1}.` } : {}),
  };
};

const invent = (index: number): Company => {
  const [exchange, currency] = pick(EXCHANGES, index, 12);
  const name = `${pick(FIRST_NAMES, index, 13)} ${pick(TRADES, index, 14)} ${pick(FORMS, index, 15)}`;
  return [inventSymbol(index), name, exchange, currency, pick(SECTORS, index, 16)];
};

/** Q and four letters: no known company above has such a symbol, and no two indexes share one. */
const inventSymbol = (index: number): string =>
  `Q${[17_576, 676, 26, 1].map((place) => String.fromCharCode(65 + (Math.floor(shuffled(index) / place) % 26))).join("")}`;

/** One to one below 26^4, since the factor is odd and not divisible by 13; neighbours end up far apart. */
const shuffled = (index: number): number => (index * 181_081 + 77_777) % 456_976;

/** A whole number from 0 that looks random and depends on both arguments alone (Wang's integer hash). */
const scatter = (index: number, salt: number): number => {
  let hash = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
  hash = Math.imul(hash ^ (hash >>> 15), 0x735a2d97);
  return (hash ^ (hash >>> 15)) >>> 0;
};

/** From 0 up to 1. */
const noise = (index: number, salt: number): number => (scatter(index, salt) % 1_000) / 1_000;

const pick = <Item>(items: readonly Item[], index: number, salt: number): Item => {
  const item = items[scatter(index, salt) % items.length];
  if (item === undefined) throw new Error("There is nothing to pick from.");
  return item;
};

const amount = (cents: number): string => (cents / 100).toFixed(2);
