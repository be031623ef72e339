/** What the server is told of a screen: all that the address says, and never what `set-navigation` would refuse. */
import { expect, it } from "vitest";
import { SetNavigationInput } from "../../../../src/contract/screen/navigation.ts";
import { screenState } from "../../../../src/ui/navigation/screen-state.ts";

const id = (number: number): string => `0193f5c0-0000-7000-8000-${String(number).padStart(12, "0")}`;

const ids = (count: number): string[] => Array.from({ length: count }, (_, number) => id(number));

it.each(["/", "/t/a%2Fb", "/nowhere"])("says that %s is the chat, without a list", (path) => {
  expect(screenState(path, "?tab=watchlist", [id(1)])).toEqual({
    view: "chat",
    path: `${path}?tab=watchlist`,
    selectedIds: [],
  });
});

it("says everything that the address of the list says", () => {
  const search = `?tab=holdings&q=big+bank&sort=-gainPct&tag=a&tag=b&status=holding&currency=EUR&hit=1&dialog=edit&id=${id(7)}`;
  expect(screenState("/stocks", search, [id(1), id(2)])).toEqual({
    view: "stocks",
    path: `/stocks${search}`,
    filters: { tab: "holdings", q: "big bank", status: "holding", currency: "EUR", tags: ["a", "b"], targetHit: true },
    sort: "-gainPct",
    stockId: id(7),
    dialog: "edit",
    selectedIds: [id(1), id(2)],
  });
});

it("says that the trash is shown", () => {
  expect(screenState("/stocks", "?trash=1", []).filters).toEqual({ tab: "all", deleted: true });
});

it.each([
  ["an unknown everything", "?tab=x&sort=y&status=z&currency=euro&dialog=w&id=AAPL"],
  ["a search that is too long", `?q=${"x".repeat(500)}`],
  ["a tag that is too long, and an empty one", `?tag=${"x".repeat(50)}&tag=`],
  ["too many tags", `?${"tag=t&".repeat(30)}`],
  ["a search in a long alphabet", `?q=${encodeURIComponent("山".repeat(300))}`],
  [
    "tags that fill all the room",
    `?${Array.from({ length: 20 }, (_, n) => `tag=${encodeURIComponent(`${"山".repeat(30)}${n}`)}`).join("&")}`,
  ],
  ["an address that is far too long", `?x=${"x".repeat(5_000)}`],
])("never tells what would be refused: %s", (_, search) => {
  const state = screenState("/stocks", search, ids(150));
  expect(SetNavigationInput.safeParse(state).error).toBeUndefined();
  expect(state.view).toBe("stocks");
});

it("tells as much of a long selection as there is room for, in its order", () => {
  const selected = screenState("/stocks", "", ids(60)).selectedIds ?? [];
  expect(selected.length).toBeGreaterThan(25);
  expect(selected).toEqual(ids(60).slice(0, selected.length));
});
