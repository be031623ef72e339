/**
 * `value-history`: today's holdings over past closes, in the person's own currency. It asks no source: closes come with the
 * list. Which days count, and which closes for them, is below; sums are exact.
 */
import { DAY_MS } from "../../contract/day.ts";
import { ValueHistoryInput, ValueHistoryOutput } from "../../contract/prices/value-history.ts";
import { DEFAULT_CURRENCY } from "../../contract/stocks/currency-codes.ts";
import { majorCurrency } from "../../contract/stocks/major-currency.ts";
import type { ListedStock } from "../../db/list/listed-stock.ts";
import { type DayClose, findCloses } from "../../db/prices/closes.ts";
import { findSplitStocks } from "../../db/prices/copy-prices.ts";
import { listStockPage } from "../../db/stock-list.ts";
import { defineAction } from "../define-action.ts";
import { ExactSum } from "../exact-sum.ts";
import { multiply } from "../stock-figures.ts";
import { rateOver, sumInBase, type Term } from "./base-total.ts";
import { firstDay } from "./stock-history.ts";

/** Most holdings, the largest first: ten years of closes are 50 KB for each. */
const MAX_HOLDINGS = 100;

export const valueHistory = defineAction<ValueHistoryInput, ValueHistoryOutput>({
  name: "value-history",
  kind: "read",
  description: "What today's holdings were worth at past closes, in the person's own currency.",
  input: ValueHistoryInput,
  output: ValueHistoryOutput,
  run: async ({ db, caller, nowMs }, { range, ...filter }) => {
    const held = await listStockPage(db, caller.ownerEmail, {
      ...{ filter: { ...filter, status: filter.status ?? "holding" }, sort: "marketValue", order: "desc" },
      ...{ after: undefined, limit: MAX_HOLDINGS },
    });
    const from = firstDay(range, nowMs());
    const ids = held.stocks.flatMap(({ instrumentId }) => instrumentId ?? []);
    // A day counts the last close before it, which may be of the year before.
    const [closes, split] = await Promise.all([
      findCloses(db, ids, Number(from.slice(0, 4)) - 1),
      findSplitStocks(db, caller.ownerEmail),
    ]);
    const currency = held.baseCurrency ?? DEFAULT_CURRENCY;
    const rateOf = rateOver(currency, held.rates);
    const holdings = held.stocks.filter(({ status }) => status === "holding");
    // The closes of a split stock may count new shares already, even if no list has shown the split: none does while prices are typed in.
    const counted = holdings.filter(({ id }) => !split.has(id));
    const known = traded(counted.flatMap((stock) => closedHolding(stock, closes, rateOf) ?? []));
    const used = new Set(known.map(({ stock }) => stock));
    const latestFirst = known.toSorted((one, other) => (one.closes[0][0] > other.closes[0][0] ? -1 : 1))[0];
    const isShort = latestFirst !== undefined && latestFirst.closes[0][0] > from;
    const last = known
      .map((holding) => holding.closes.at(-1)?.[0] ?? "")
      .sort()
      .at(-1);
    const days = last === undefined ? [] : chartDays(isShort ? latestFirst.closes[0][0] : from, last);
    const isConverted = known.some(({ stock }) => majorCurrency(stock.currency).code !== currency);
    return {
      ...{ currency, ratesOn: isConverted ? (held.rates?.day ?? null) : null },
      points: sumCloses(known, days, rateOf(currency) ?? "1").map(([day, value]) => [day, value]),
      shortest: isShort ? latestFirst.stock.symbol : null,
      without: holdings.filter((stock) => !used.has(stock)).map(({ symbol }) => symbol),
      more: Math.max(0, held.total - held.stocks.length),
      sources: [...new Set(known.flatMap(({ stock }) => stock.instrument?.source ?? []))],
    };
  },
  title: () => "Read the value over time",
});

/** A holding with its stock; it has at least one close. */
type KnownHolding = ClosedHolding & {
  readonly stock: ListedStock;
  readonly closes: readonly [DayClose, ...DayClose[]];
};

/** Undefined for a holding whose past is not known, or is in other shares or in a currency without a rate. */
const closedHolding = (
  stock: ListedStock,
  known: ReadonlyMap<string, readonly DayClose[]>,
  rateOf: (currency: string) => string | undefined,
): KnownHolding | undefined => {
  const { instrumentId, quantity, currency, pendingSplit } = stock;
  const { code, divisor } = majorCurrency(currency);
  const [first, ...more] = (instrumentId === null ? undefined : known.get(instrumentId)) ?? [];
  const rate = rateOf(code);
  if (first === undefined || rate === undefined || quantity === null || pendingSplit !== null) return undefined;
  return { stock, closes: [first, ...more], rate, quantity: divisor === 1 ? quantity : multiply(quantity, "0.01") };
};

/** How long a close counts while there is no newer one, in days: longer than any series of holidays. */
const MAX_PAUSE_DAYS = 10;

/** Up to this many days every weekday has a point, which makes 300 points at most. */
const DAILY_DAYS = 400;

/** Most points of a longer range. */
const MAX_POINTS = 300;

const DAYS_A_WEEK = 7;

const isWeekend = (ms: number): boolean => [0, 6].includes(new Date(ms).getUTCDay());

const writeDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Days from `from` to `to`, oldest first, `to` among them: all weekdays or, for a longer time, one day in every so many weeks. */
export const chartDays = (from: string, to: string): string[] => {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const days = (end - start) / DAY_MS;
  const step = days <= DAILY_DAYS ? 1 : DAYS_A_WEEK * Math.ceil(days / DAYS_A_WEEK / MAX_POINTS);
  const all: string[] = [];
  for (let ms = end; ms >= start; ms -= step * DAY_MS)
    if (step > 1 || ms === end || !isWeekend(ms)) all.push(writeDay(ms));
  return all.reverse();
};

/** A holding whose closes are known. */
type ClosedHolding = {
  readonly quantity: string;
  /** How much one euro is worth in the currency of the closes. */
  readonly rate: string;
  /** Oldest first. */
  readonly closes: readonly (readonly [day: string, close: string])[];
};

/** The holdings whose last close is about as recent as the newest of all: a listing that is not traded any more has no value today. */
export const traded = <Holding extends Pick<ClosedHolding, "closes">>(
  holdings: readonly Holding[],
): readonly Holding[] => {
  const lastOf = ({ closes }: Holding): number => Date.parse(closes.at(-1)?.[0] ?? "");
  const newest = Math.max(...holdings.map(lastOf).filter((ms) => !Number.isNaN(ms)));
  return holdings.filter((holding) => newest - lastOf(holding) <= MAX_PAUSE_DAYS * DAY_MS);
};

/** The close that counts on each day, undefined where the last one is too old or none was before. `days` are in order. */
const closesOn = ({ closes }: ClosedHolding, days: readonly string[]): (string | undefined)[] => {
  let next = 0;
  return days.map((day) => {
    while (next < closes.length && (closes[next]?.[0] ?? "") <= day) next += 1;
    const [closed, close] = closes[next - 1] ?? [];
    const isFresh = closed !== undefined && Date.parse(day) - Date.parse(closed) <= MAX_PAUSE_DAYS * DAY_MS;
    return isFresh ? close : undefined;
  });
};

/**
 * The value of all holdings on each day, in the currency of which one euro is worth `baseRate`. Days on which the close of a holding is not
 * known are left out.
 */
export const sumCloses = (
  holdings: readonly ClosedHolding[],
  days: readonly string[],
  baseRate: string,
): (readonly [day: string, value: string])[] => {
  const columns = holdings.map((holding) => ({ ...holding, on: closesOn(holding, days) }));
  const byRate = Map.groupBy(columns, ({ rate }) => rate);
  return days.flatMap((day, place) => {
    if (columns.some(({ on }) => on[place] === undefined)) return [];
    const terms = [...byRate].flatMap(([rate, group]): Term[] => {
      const sum = new ExactSum();
      for (const { quantity, on } of group) sum.addProduct(quantity, on[place] ?? null);
      return sum.total === null ? [] : [{ amount: sum.total, rate }];
    });
    const value = sumInBase(terms, baseRate);
    return value === null ? [] : [[day, value] as const];
  });
};
