/** Several stocks at once: watching and unwatching what is selected, and selecting all. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { it } from "../../support/browser/screen-test.ts";
import type { tallyClient } from "../../support/browser/tally-client.ts";
import { keepToast } from "../../support/browser/until-seen.ts";

const STOCKS = [
  { symbol: "AAA", quantity: "1", watched: false },
  { symbol: "BBB", quantity: "1", watched: false },
  { symbol: "CCC", quantity: "1", watched: true },
];

/** So many that the bar is at the window's lower end, where toasts are too. */
const MORE = Array.from({ length: 8 }, (_, index) => ({ symbol: `MORE${index}`, quantity: "1", watched: false }));

/** What can be done with the selected stocks. */
const bar = (page: Page) => page.getByRole("region", { name: "Selected stocks" });

/** Symbols of the stocks that the server has on the watchlist. */
const watchedOf = async (tally: ReturnType<typeof tallyClient>): Promise<string[]> => {
  const { items } = await tally.act("list-stocks", { sort: "symbol" });
  return items.filter(({ watched }) => watched).map(({ symbol }) => symbol);
};

it("watches all that are selected, and no other", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await page.getByRole("checkbox", { name: "Select AAA" }).check();
  await page.getByRole("checkbox", { name: "Select CCC" }).check();
  await bar(page).getByRole("button", { name: "Watch", exact: true }).click();
  await page.getByRole("button", { name: "Remove AAA from watchlist" }).waitFor();
  await page.getByRole("tab", { name: "Watchlist 2" }).waitFor();
  await bar(page).getByText("2 selected").waitFor();
  await expect.poll(() => watchedOf(tally)).toEqual(["AAA", "CCC"]);
});

it("takes all that are selected off the watchlist, says so, and puts them back", async ({ phone, tally }) => {
  await tally.seedStocks([...STOCKS.map((stock) => ({ ...stock, watched: true })), ...MORE]);
  const page = await phone("/stocks");
  await page.getByRole("button", { name: "List menu" }).tap();
  await page.getByRole("button", { name: "Select", exact: true }).tap();
  await page.getByRole("checkbox", { name: "Select AAA" }).check();
  await page.getByRole("checkbox", { name: "Select BBB" }).check();
  // Its last button is in it, and it is as wide as the screen lets it.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await bar(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
  await bar(page).getByRole("button", { name: "Unwatch" }).tap();
  await page.getByRole("tab", { name: "Watchlist 1" }).waitFor();
  // It is said, above the bar, and can be taken back.
  await keepToast(page, "2 stocks removed from the watchlist");
  const undo = page.getByRole("button", { name: "Undo" });
  const isAbove = async () => {
    const [note, place] = await Promise.all([undo.boundingBox(), bar(page).boundingBox()]);
    return note !== null && place !== null && note.y + note.height <= place.y;
  };
  await expect.poll(isAbove).toBe(true);
  await expect.poll(() => watchedOf(tally)).toEqual(["CCC"]);
  await undo.tap();
  await page.getByRole("tab", { name: "Watchlist 3" }).waitFor();
  await bar(page).getByRole("button", { name: "Watch", exact: true }).tap();
  await page.locator(".toast").getByText("All are already on the watchlist").waitFor();
  await bar(page).getByRole("button", { name: "Clear selection" }).tap();
  await bar(page).waitFor({ state: "detached" });
  await expect.poll(() => watchedOf(tally)).toEqual(["AAA", "BBB", "CCC"]);
});

it("selects all rows by the box in the table's head, and none by it the next time", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  const all = page.getByRole("checkbox", { name: "Select all" });
  const boxes = page.getByRole("checkbox", { name: /^Select [A-Z]/, checked: true });
  await all.check();
  await bar(page).getByText("3 selected").waitFor();
  expect(await boxes.count()).toBe(3);
  await page.getByRole("checkbox", { name: "Select BBB" }).uncheck();
  await bar(page).getByText("2 selected").waitFor();
  expect(await all.isChecked()).toBe(false);
  await all.check();
  await all.uncheck();
  await bar(page).waitFor({ state: "detached" });
  expect(await boxes.count()).toBe(0);
});

it("selects by the box in the head only what a search has left", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks?q=bbb");
  await page.getByRole("checkbox", { name: "Select all" }).check();
  await bar(page).getByText("1 selected").waitFor();
  await page.getByRole("searchbox").fill("");
  await page.getByRole("checkbox", { name: "Select AAA" }).waitFor();
  expect(await page.getByRole("checkbox", { checked: true }).count()).toBe(1);
});

it("says in full what becomes of what it is asked to delete", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await page.getByRole("checkbox", { name: "Select AAA" }).check();
  await bar(page).getByRole("button", { name: "Delete" }).click();
  const sentence = page.getByText("They stay in the trash for 30 days, and can be restored until then.");
  await sentence.waitFor();
  expect(await sentence.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  expect(await sentence.evaluate((box) => getComputedStyle(box).fontWeight)).toBe("400");
});

it("says only of those that were put on the watchlist that they are", async ({ desktop, tally }) => {
  const [first] = await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks", { allow: [/503/] });
  const refusal = { status: 503, json: { error: "The service is unavailable." } };
  await page.route("**/update-stock", (route) =>
    route.request().postDataJSON().id === first?.id ? route.fulfill(refusal) : route.fallback(),
  );
  await page.getByRole("checkbox", { name: "Select AAA" }).check();
  await page.getByRole("checkbox", { name: "Select BBB" }).check();
  await bar(page).getByRole("button", { name: "Watch", exact: true }).click();
  await page.getByRole("alert").getByText("AAA may not have been added to the watchlist.").waitFor();
  await page.locator(".toast").getByText("1 stock added to the watchlist").waitFor();
  expect(await page.locator(".toast").getByText("2 stocks added to the watchlist").count()).toBe(0);
});
