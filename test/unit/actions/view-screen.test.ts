/** A screen's navigation becomes the list it shows, and one sentence about it (api.md §5: view-screen). */
import { expect, it } from "vitest";
import { screenList, summarizeScreen } from "../../../src/actions/view-screen.ts";
import { Navigation } from "../../../src/contract/screen/navigation.ts";

const screen = (fields: Record<string, unknown>) => {
  const navigation = Navigation.parse({ view: "stocks", ...fields });
  const list = screenList(navigation);
  return { list, summary: summarizeScreen(navigation.filters?.tab ?? "all", list, { matching: 4, live: 42 }) };
};

it.each([
  [{}, { sort: "symbol", order: "asc", limit: 50 }],
  [{ sort: "-gainPct" }, { sort: "gainPct", order: "desc", limit: 50 }],
  [{ filters: { tab: "watchlist" } }, { watched: true, sort: "distanceToTarget", order: "asc", limit: 50 }],
  [
    { filters: { tab: "holdings", q: "x", currency: "GBp" } },
    { status: "holding", q: "x", currency: "GBX", sort: "marketValue", order: "desc", limit: 50 },
  ],
  [
    { filters: { tab: "holdings", deleted: true, q: "x", tags: ["A"] }, sort: "name" },
    { deleted: true, sort: "updatedAt", order: "desc", limit: 50 },
  ],
])("the list of %j is %j", (fields, list) => {
  expect(screen(fields).list).toEqual(list);
});

it.each([
  [{}, "All stocks: 4 of 42 stocks, sorted by symbol, ascending."],
  [
    { filters: { tab: "watchlist", q: "bank" } },
    'Watchlist: 4 of 42 stocks, searched for "bank", sorted by target distance, ascending.',
  ],
  [
    { filters: { tags: ["Tech", "EU"], targetHit: true, status: "watching", watched: false }, sort: "-updatedAt" },
    'All stocks: 4 of 42 stocks, status watching, unwatched only, tagged "Tech" and "EU", target reached only, sorted by last change, descending.',
  ],
  [{ filters: { currency: "EUR" } }, "All stocks: 4 of 42 stocks, in EUR, sorted by symbol, ascending."],
  [{ filters: { tab: "holdings", deleted: true, q: "x" } }, "Trash: 4 stocks, sorted by last change, descending."],
  [
    { filters: { tab: "holdings", status: "watching" } },
    "Holdings: 4 of 42 stocks, status watching, sorted by market value, descending.",
  ],
])("%j reads: %s", (fields, summary) => {
  expect(screen(fields).summary).toBe(summary);
});
