/** `set-navigation` and `view-screen`: the screen says where it is, the server says what is there (api.md §5). */
import { describe, expect, it } from "vitest";
import { aPerson } from "../../support/workerd/stocks-client.ts";

const NOTHING = { visible: [], selected: [], open: null, totals: [] };

it("without a screen there is nothing to see", async () => {
  expect(await aPerson().get("view-screen")).toEqual({
    status: 200,
    body: { screen: null, navigation: null, summary: "No screen is open.", ...NOTHING },
  });
});

it("the chat has no list", async () => {
  const ann = aPerson();
  await ann.add({ symbol: "AAPL" });
  await ann.act("set-navigation", { view: "chat", path: "/" });
  expect(await ann.act("view-screen", {})).toMatchObject({ screen: "chat", summary: "The chat screen.", ...NOTHING });
});

it("the list on the screen is read again with its filters", async () => {
  const ann = aPerson();
  await ann.act("add-stock", {
    items: [
      { symbol: "AAPL", watched: true, lastPrice: 100, targetLow: 90 },
      { symbol: "BANK", watched: true, lastPrice: 100, targetLow: 99, notes: "secret" },
      { symbol: "MSFT", quantity: 1 },
    ],
  });
  const path = "/stocks?tab=watchlist";
  await ann.act("set-navigation", { view: "stocks", path, filters: { tab: "watchlist" } });
  const seen = await ann.act("view-screen", {});
  expect(seen).toMatchObject({
    screen: "stocks",
    navigation: { view: "stocks", path, filters: { tab: "watchlist" }, sort: null, stockId: null, selectedIds: [] },
    summary: "Watchlist: 2 of 3 stocks, sorted by target distance, ascending.",
    visible: [{ symbol: "BANK", distanceToTargetPct: "1" }, { symbol: "AAPL" }],
  });
  expect(JSON.stringify(seen.visible)).not.toContain("secret");
});

it("the trash on the screen is all that was deleted, the last first, whatever tab and search it was opened from", async () => {
  const ann = aPerson();
  const [a, b] = [await ann.add({ symbol: "A", quantity: 1 }), await ann.add({ symbol: "B" })];
  await ann.add({ symbol: "LIVE" });
  await ann.act("delete-stock", { id: a.id });
  await ann.act("delete-stock", { id: b.id });
  await ann.act("set-navigation", { view: "stocks", filters: { tab: "holdings", q: "a", deleted: true } });
  expect(await ann.act("view-screen", {})).toMatchObject({
    summary: "Trash: 2 stocks, sorted by last change, descending.",
    visible: [{ symbol: "B" }, { symbol: "A" }],
  });
});

it.each([
  [{ tab: "holdings", status: "watching" }, "Holdings: 0 of 2 stocks, status watching"],
  [{ tab: "watchlist", watched: false }, "Watchlist: 0 of 2 stocks, unwatched only"],
] as const)("no stock is on the screen where the tab and a filter exclude each other: %j", async (filters, words) => {
  const ann = aPerson();
  await ann.add({ symbol: "W", watched: true });
  await ann.add({ symbol: "H", quantity: 1, lastPrice: 5, watched: false });
  await ann.act("set-navigation", { view: "stocks", filters });
  expect(await ann.act("view-screen", {})).toMatchObject({
    summary: expect.stringContaining(words),
    visible: [],
    totals: [],
  });
});

it("selected and open stocks are the caller's own live ones, whatever the screen says", async () => {
  const ann = aPerson();
  const [a, b] = [await ann.add({ symbol: "A" }), await ann.add({ symbol: "B", notes: "n" })];
  const foreign = await aPerson().add({ symbol: "X" });
  await ann.act("delete-stock", { id: a.id });
  const selectedIds = [foreign.id, b.id, a.id];
  await ann.act("set-navigation", { view: "stocks", stockId: b.id, dialog: "detail", selectedIds });
  expect(await ann.act("view-screen", {})).toMatchObject({ selected: [{ symbol: "B" }], open: b });
  await ann.act("set-navigation", { view: "stocks", stockId: foreign.id });
  expect(await ann.act("view-screen", {})).toMatchObject({ selected: [], open: null });
});

it("at most 50 stocks are visible; the totals are over all", async () => {
  const ann = aPerson();
  const items = Array.from({ length: 60 }, (_, index) => ({ symbol: `S${index}`, quantity: 1, avgCost: "0.1" }));
  await ann.act("add-stock", { items });
  await ann.act("set-navigation", { view: "stocks", sort: "-name" });
  const seen = await ann.act("view-screen", {});
  expect(seen.visible).toHaveLength(50);
  expect(seen.visible[0]?.symbol).toBe("S59");
  expect(seen.totals).toEqual([{ currency: "USD", cost: "6", value: null, gain: null }]);
});

it("the first stocks are those that the screen shows first, by number and by punctuation", async () => {
  const ann = aPerson();
  const items = ["1810", "AAPL", "700", "^GSPC", "9988"].map((symbol) => ({ symbol }));
  await ann.act("add-stock", { items });
  await ann.act("set-navigation", { view: "stocks" });
  const shown = async () => (await ann.act("view-screen", {})).visible.map(({ symbol }) => symbol);
  expect(await shown()).toEqual(["^GSPC", "700", "1810", "9988", "AAPL"]);
  await ann.act("add-stock", { items: Array.from({ length: 50 }, (_, index) => ({ symbol: `1B${index}` })) });
  expect(await shown()).toEqual(["^GSPC", ...Array.from({ length: 49 }, (_, index) => `1B${index}`)]);
});

it("the first stocks of a search are its best matches, unless a sort was chosen", async () => {
  const ann = aPerson();
  const several = Array.from({ length: 50 }, (_, index) => ({
    symbol: `A${index}`,
    name: "The bank",
    quantity: 1,
    lastPrice: 9,
  }));
  await ann.act("add-stock", { items: [...several, { symbol: "BANK", name: "Other", quantity: 1, lastPrice: 1 }] });
  const filters = { tab: "holdings", q: "bank" } as const;
  const first = async (sort: "-name" | null) => {
    await ann.act("set-navigation", { view: "stocks", filters, sort });
    return (await ann.act("view-screen", {})).visible[0]?.symbol;
  };
  expect([await first(null), await first("-name")]).toEqual(["BANK", "A0"]);
});

it("the newest state counts, and is one's own", async () => {
  const ann = aPerson();
  await ann.act("set-navigation", { view: "stocks" });
  await ann.act("set-navigation", { view: "chat" });
  expect((await ann.act("view-screen", {})).screen).toBe("chat");
  expect((await aPerson().act("view-screen", {})).screen).toBeNull();
});

describe("a navigation state", () => {
  it.each([
    [{}, "view: use chat or stocks"],
    [{ view: "stocks", items: [1] }, "items: unknown field, leave it out"],
    [{ view: "stocks", path: "https://evil.example/" }, "path: use a path of this app such as /stocks?tab=watchlist"],
    [{ view: "stocks", path: "/\\evil.example" }, "path: use a path of this app such as /stocks?tab=watchlist"],
    [{ view: "stocks", dialog: "admin" }, "dialog: use detail, add, edit, delete, import, filters or help"],
    [{ view: "stocks", stockId: "nope" }, "stockId: use a stock's id"],
    [{ view: "stocks", selectedIds: ["nope"] }, "selectedIds: use a stock's id"],
    [{ view: "stocks", path: `/${"x".repeat(2_048)}` }, "navigation: use at most 2 KB"],
  ])("such as %j is refused", async (input, error) => {
    expect(await aPerson().post("set-navigation", input)).toEqual({ status: 400, body: { error } });
  });

  it("is set by POST alone", async () => {
    expect(await aPerson().get("set-navigation", "?view=chat")).toEqual({
      status: 405,
      body: { error: "Method not allowed." },
    });
  });
});
