/** What the filters can choose from: what the list itself holds. */
import type { Stock } from "../../../contract/stock.ts";

/** A choice and how many stocks have it. */
export type FilterOption = { readonly value: string; readonly count: number };

/** The tags in use, each in its most common spelling; the most common first. */
export const tagOptions = (stocks: readonly Stock[], locale: string): readonly FilterOption[] => {
  const byKey = Map.groupBy(
    stocks.flatMap(({ tags }) => tags),
    (tag) => tag.toLowerCase(),
  );
  return [...byKey.values()]
    .map((spellings) => ({ value: commonest(spellings), count: spellings.length }))
    .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value, locale));
};

/** The currencies in use, by code. */
export const currencyOptions = (stocks: readonly Stock[]): readonly FilterOption[] =>
  [...Map.groupBy(stocks, ({ currency }) => currency)]
    .map(([value, those]) => ({ value, count: those.length }))
    .sort((a, b) => (a.value < b.value ? -1 : 1));

const commonest = (spellings: readonly string[]): string => {
  const [first] = [...Map.groupBy(spellings, (tag) => tag).entries()].sort(([, a], [, b]) => b.length - a.length);
  return first?.[0] ?? "";
};
