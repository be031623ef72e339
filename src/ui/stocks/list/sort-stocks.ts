/** The order of the list. What has no value comes last both ways, as `list-stocks` does it. */
import type { Stock } from "../../../contract/stock.ts";
import type { SortField } from "../../../contract/stock-filter.ts";
import type { ListSort } from "./list-sorts.ts";

/** What is compared: amounts as floats, which is exact enough to order them. Undefined: there is nothing to compare. */
type SortKey = string | number | undefined;

const amount = (decimal: string | null): SortKey => (decimal === null ? undefined : Number(decimal));

const SORT_KEYS: Readonly<Record<SortField, (stock: Stock) => SortKey>> = {
  symbol: ({ symbol }) => symbol,
  name: ({ name }) => name,
  quantity: ({ quantity }) => amount(quantity),
  avgCost: ({ avgCost }) => amount(avgCost),
  lastPrice: ({ lastPrice }) => amount(lastPrice),
  marketValue: ({ marketValue }) => amount(marketValue),
  gainPct: ({ gainPct }) => amount(gainPct),
  distanceToTarget: ({ distanceToTargetPct }) => amount(distanceToTargetPct),
  updatedAt: ({ updatedAt }) => Date.parse(updatedAt),
  createdAt: ({ createdAt }) => Date.parse(createdAt),
};

/** Slow to make, so one for each locale. `numeric`: `0005` before `0016`. */
const collators = new Map<string, Intl.Collator>();

const collatorFor = (locale: string): Intl.Collator => {
  const collator = collators.get(locale) ?? new Intl.Collator(locale, { numeric: true, sensitivity: "base" });
  collators.set(locale, collator);
  return collator;
};

/** A sorted copy. Equal ones stand by symbol, then by id, so that no order is left to chance. */
export const sortStocks = (stocks: readonly Stock[], { field, order }: ListSort, locale: string): readonly Stock[] => {
  const { compare } = collatorFor(locale);
  const sign = order === "asc" ? 1 : -1;
  const keyed = stocks.map((stock) => ({ stock, key: SORT_KEYS[field](stock) }));
  const compareKeys = (a: SortKey, b: SortKey): number => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
    if (typeof a === "number" && typeof b === "number") return sign * (a - b);
    return sign * compare(String(a), String(b));
  };
  return keyed
    .sort(
      (a, b) =>
        compareKeys(a.key, b.key) || compare(a.stock.symbol, b.stock.symbol) || (a.stock.id < b.stock.id ? -1 : 1),
    )
    .map(({ stock }) => stock);
};

/** `stocks` in the order of `sorted`, new ones last: a list that changed a little is sorted again in no time. */
export const presort = (stocks: readonly Stock[], sorted: readonly Stock[]): readonly Stock[] => {
  const left = new Map<string, Stock>(stocks.map((stock) => [stock.id, stock]));
  const known = sorted.flatMap(({ id }) => {
    const stock = left.get(id);
    left.delete(id);
    return stock ?? [];
  });
  return [...known, ...left.values()];
};
