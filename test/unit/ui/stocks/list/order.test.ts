/** Sorting, tabs and filters of the list. */
import { describe, expect, it } from "vitest";
import type { SortField, SortOrder } from "../../../../../src/contract/stocks/stock-filter.ts";
import { currencyOptions, tagOptions } from "../../../../../src/ui/stocks/list/filters-dialog.tsx";
import { activeSort, nextSort, placedSort } from "../../../../../src/ui/stocks/list/shown/list-sorts.ts";
import {
  countFilters,
  filterStocks,
  type ListFilters,
  NO_FILTERS,
  stocksOnTab,
} from "../../../../../src/ui/stocks/list/shown/narrow-stocks.ts";
import { sortStocks } from "../../../../../src/ui/stocks/list/shown/use-shown-stocks.ts";
import { stockOf } from "../form/stock-of.ts";

/** Only what is given, and nothing that would sort or filter by itself. */
const plain = (values: Readonly<Record<string, unknown>>) =>
  stockOf({ tags: [], marketValue: null, gainPct: null, distanceToTargetPct: null, targetState: "none", ...values });

const STOCKS = [
  plain({ symbol: "B", name: "ähnlich", status: "holding", watched: false, marketValue: "9.5", gainPct: "-3" }),
  plain({
    symbol: "A",
    name: "Zebra",
    status: "watching",
    watched: true,
    distanceToTargetPct: "4",
    targetState: "between",
  }),
  plain({
    symbol: "0016",
    name: "Bravo",
    status: "holding",
    watched: true,
    marketValue: "100",
    gainPct: "12",
    currency: "HKD",
  }),
  plain({ symbol: "C", name: "apple", status: "inactive", watched: false, tags: ["Green", "tech"] }),
  plain({
    ...{ symbol: "0005", name: "Zulu", status: "watching", watched: true, tags: ["green"] },
    ...{ distanceToTargetPct: "-2", targetState: "below_low" },
  }),
];

const symbols = (stocks: readonly { readonly symbol: string }[]): string =>
  stocks.map(({ symbol }) => symbol).join(" ");
const sorted = (field: SortField, order: SortOrder): string => symbols(sortStocks(STOCKS, { field, order }, "en", {}));
const filtered = (filters: Partial<ListFilters>): string =>
  symbols(filterStocks(STOCKS, { ...NO_FILTERS, ...filters }));

describe("a sort", () => {
  it.each([
    ["symbol", "asc", "0005 0016 A B C"],
    ["symbol", "desc", "C B A 0016 0005"],
    ["name", "asc", "B C 0016 A 0005"],
    ["marketValue", "desc", "0016 B 0005 A C"],
    ["marketValue", "asc", "B 0016 0005 A C"],
    ["gainPct", "asc", "B 0016 0005 A C"],
    ["distanceToTarget", "asc", "0005 A 0016 B C"],
  ] as const)("by %s, %s, has what is unknown last", (field, order, expected) => {
    expect(sorted(field, order)).toBe(expected);
  });

  it("is the tab's own until one is chosen", () => {
    expect([activeSort(undefined, "watchlist"), activeSort(undefined, "holdings")]).toEqual([
      { field: "distanceToTarget", order: "asc" },
      { field: "marketValue", order: "desc" },
    ]);
  });

  it("of a header turns round when it is pressed again, and begins where the field makes sense", () => {
    const bySymbol = { field: "symbol", order: "asc" } as const;
    expect([nextSort("symbol", bySymbol), nextSort("gainPct", bySymbol)]).toEqual([
      { field: "symbol", order: "desc" },
      { field: "gainPct", order: "desc" },
    ]);
  });

  it("is not kept in the address when the tab is sorted that way anyway", () => {
    const bySymbol = { field: "symbol", order: "asc" } as const;
    expect([placedSort(bySymbol, "all"), placedSort(bySymbol, "holdings")]).toEqual([undefined, bySymbol]);
  });
});

describe("a tab", () => {
  it("leaves its own stocks", () => {
    expect((["all", "watchlist", "holdings"] as const).map((tab) => symbols(stocksOnTab(STOCKS, tab)))).toEqual([
      "B A 0016 C 0005",
      "A 0016 0005",
      "B 0016",
    ]);
  });
});

describe("a filter", () => {
  it.each([
    [{ status: "inactive" }, "C"],
    [{ currency: "HKD" }, "0016"],
    [{ targetHit: true }, "0005"],
    [{ tags: ["GREEN"] }, "C 0005"],
    [{ tags: ["green", "tech"] }, "C"],
    [{ tags: ["green"], targetHit: true }, "0005"],
    [{}, "B A 0016 C 0005"],
  ] as const)("%j leaves %s", (filters, expected) => {
    expect(filtered(filters)).toBe(expected);
  });

  it("is counted, each tag by itself", () => {
    expect(countFilters({ status: "holding", currency: undefined, tags: ["a", "b"], targetHit: true })).toBe(4);
  });

  it("offers the tags and currencies that there are", () => {
    expect([tagOptions(STOCKS, "en"), currencyOptions(STOCKS)]).toEqual([
      [
        { value: "Green", count: 2 },
        { value: "tech", count: 1 },
      ],
      [
        { value: "HKD", count: 1 },
        { value: "USD", count: 4 },
      ],
    ]);
  });
});
