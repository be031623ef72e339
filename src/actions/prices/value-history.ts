/** `value-history`: today's holdings over past closes, in the person's own currency. It asks no source: closes come with the list. */
import { ValueHistoryInput, ValueHistoryOutput } from "../../contract/prices/value-history.ts";
import { DEFAULT_CURRENCY } from "../../contract/stocks/currency-codes.ts";
import { majorCurrency } from "../../contract/stocks/major-currency.ts";
import type { ListedStock } from "../../db/list/listed-stock.ts";
import { type DayClose, findCloses } from "../../db/prices/closes.ts";
import { listStockPage } from "../../db/stock-list.ts";
import { defineAction } from "../define-action.ts";
import { multiply } from "../stock-figures.ts";
import { rateOver } from "./base-total.ts";
import { firstDay } from "./stock-history.ts";
import { type ClosedHolding, chartDays, sumCloses, traded } from "./sum-closes.ts";

/** Most holdings, the largest first: of each, ten years are 50 KB of closes. */
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
    const closes = await findCloses(db, ids, Number(from.slice(0, 4)) - 1);
    const currency = held.baseCurrency ?? DEFAULT_CURRENCY;
    const rateOf = rateOver(currency, held.rates);
    const holdings = held.stocks.filter(({ status }) => status === "holding");
    // Nor one whose split no list has shown yet: its closes may be in new shares already.
    const split = new Set(held.moved.flatMap((one) => (one.split === null ? [] : one.id)));
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
