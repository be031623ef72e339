/** `list-stocks` as the contract words it, over plain records in memory: what the database's answers are held against. */
import { foldText, searchWords } from "../../src/contract/fold-text.ts";
import { majorCurrency } from "../../src/contract/stocks/major-currency.ts";
import type { Stock } from "../../src/contract/stocks/stock.ts";
import type { SortField, SortOrder, StockFilter } from "../../src/contract/stocks/stock-filter.ts";

/** The records that pass the filter, in the order of the sort. `stocks`: all of one owner, the trash among them. */
export const listByModel = (
  stocks: readonly Stock[],
  { sort, order, ...filter }: StockFilter & { readonly sort: SortField; readonly order: SortOrder },
): Stock[] => {
  const sign = order === "asc" ? 1 : -1;
  return stocks
    .filter((stock) => passes(stock, filter))
    .sort((a, b) => compareKeys(VALUES[sort](a), VALUES[sort](b), sign) || sign * compare(a.id, b.id));
};

const passes = (stock: Stock, { q = "", tags = [], ...filter }: StockFilter): boolean => {
  const { symbol, name, isin, exchange, sector } = stock;
  const texts = [symbol, name, isin ?? "", exchange ?? "", sector ?? "", ...stock.tags].map(foldText);
  const own = new Set(stock.tags.map((tag) => tag.toLowerCase()));
  return (
    (stock.deletedAt !== null) === (filter.deleted === true) &&
    (filter.status ?? stock.status) === stock.status &&
    (filter.watched ?? stock.watched) === stock.watched &&
    (filter.currency ?? stock.currency) === stock.currency &&
    (filter.targetHit ?? isHit(stock)) === isHit(stock) &&
    tags.every((tag) => own.has(tag.toLowerCase())) &&
    searchWords(q).every((word) => texts.some((text) => text.includes(word)))
  );
};

const isHit = ({ targetState }: Stock): boolean => targetState === "below_low" || targetState === "above_high";

type SortKey = string | number | null;

const amount = (decimal: string | null): SortKey => (decimal === null ? null : Number(decimal));

const VALUES: Readonly<Record<SortField, (stock: Stock) => SortKey>> = {
  symbol: ({ symbol }) => symbol,
  name: ({ name }) => foldText(name),
  quantity: ({ quantity }) => amount(quantity),
  avgCost: ({ avgCost }) => amount(avgCost),
  lastPrice: ({ lastPrice }) => amount(lastPrice),
  // No rates are stored: values are compared as numbers of their currencies, of which a hundred hundredths are one.
  marketValue: ({ marketValue, currency }) =>
    marketValue === null ? null : Number(marketValue) / majorCurrency(currency).divisor,
  gainPct: ({ gainPct }) => amount(gainPct),
  dayChangePct: ({ dayChangePct }) => amount(dayChangePct),
  distanceToTarget: ({ distanceToTargetPct }) => amount(distanceToTargetPct),
  updatedAt: ({ updatedAt }) => updatedAt,
  createdAt: ({ createdAt }) => createdAt,
};

const compare = (a: string | number, b: string | number): number => (a < b ? -1 : Number(a > b));

/** Nulls come last both ways. */
const compareKeys = (a: SortKey, b: SortKey, sign: number): number =>
  a === null || b === null ? Number(a === null) - Number(b === null) : sign * compare(a, b);
