/** The list by keyboard: moving, doing and selecting, without ever losing the focus. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { stopClock } from "../../support/browser/page-life.ts";
import { it } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";

const STOCKS = ["AAA", "BBB", "CCC", "DDD"].map((symbol) => ({ symbol }));

/** Waits until the focus is on the link of this row. */
const waitForRow = async (page: Page, symbol: string): Promise<void> => {
  await page.waitForFunction(
    (text) => document.activeElement?.matches(".open") && document.activeElement.textContent === text,
    symbol,
  );
};

it("moves between rows by j, k and arrows, and opens one by Enter", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await page.getByRole("link", { name: "AAA" }).waitFor();
  await page.keyboard.press("j");
  await waitForRow(page, "AAA");
  await page.keyboard.press("j");
  await waitForRow(page, "BBB");
  await page.keyboard.press("End");
  await waitForRow(page, "DDD");
  await page.keyboard.press("ArrowUp");
  await waitForRow(page, "CCC");
  await page.keyboard.press("k");
  await waitForRow(page, "BBB");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/stocks?dialog=detail&id=*");
});

it("gives the focus to the next row when one is deleted, and to the last one at the end", async ({
  desktop,
  tally,
}) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await page.getByRole("link", { name: "BBB" }).focus();
  await page.keyboard.press("Delete");
  await waitForRow(page, "CCC");
  await page.locator(".toast").getByText("BBB deleted").first().waitFor();
  await page.keyboard.press("End");
  await waitForRow(page, "DDD");
  await page.keyboard.press("Delete");
  await waitForRow(page, "CCC");
});

it("keeps the focus on a row's star when the list is sorted anew", async ({ desktop, tally }) => {
  await tally.seedStocks(
    Array.from({ length: 12 }, (_, index) => ({ symbol: `S${index + 10}`, quantity: "1", watched: false })),
  );
  const page = await desktop("/stocks?sort=-updatedAt");
  const first = page.locator("[data-id]").first();
  await page.getByRole("button", { name: "Watch S21" }).focus();
  expect(await first.textContent()).not.toContain("S21");
  await page.keyboard.press("Enter");
  await expect.poll(() => first.textContent()).toContain("S21");
  const star = page.getByRole("button", { name: "Remove S21 from watchlist" });
  await waitForFocus(star);
});

it("gives the focus to the row that follows now when one is deleted after it has moved", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS.map((stock) => ({ ...stock, quantity: "1", watched: false })));
  const page = await desktop("/stocks?sort=-updatedAt");
  const links = page.locator("[data-id] .open");
  await links.first().waitFor();
  const [next, , , last = ""] = await links.allInnerTexts();
  await page.getByRole("button", { name: `Watch ${last}` }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => links.first().innerText()).toBe(last);
  await waitForFocus(page.getByRole("button", { name: `Remove ${last} from watchlist` }));
  await page.keyboard.press("Delete");
  await page.getByRole("link", { name: last }).waitFor({ state: "detached" });
  await waitForRow(page, next ?? "");
});

it("keeps the focus in a row of 300 that is scrolled out of view", async ({ desktop, tally }) => {
  await tally.seedStocks(300);
  const page = await desktop("/stocks");
  await page.getByText("300 stocks").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  const symbol = await page.evaluate(() => document.activeElement?.textContent ?? "");
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.locator("[aria-rowindex='301']").waitFor();
  await waitForRow(page, symbol);
  expect(await page.locator("[data-id]").count()).toBeLessThan(60);
  expect(await page.getByRole("table").getAttribute("aria-rowcount")).toBe("301");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => scrollY < 1_000);
  expect(await page.locator("[data-id]:focus-within").getAttribute("aria-rowindex")).toBe("4");
});

it("watches the row's stock by a letter, and leaves letters to the search while one types", async ({
  desktop,
  tally,
}) => {
  await tally.seedStocks([{ symbol: "AAA", watched: false, quantity: "1" }]);
  const page = await desktop("/stocks");
  await page.getByRole("link", { name: "AAA" }).focus();
  await page.keyboard.press("w");
  await page.getByRole("button", { name: "Remove AAA from watchlist" }).waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("new");
  await page.getByRole("heading", { name: "No stocks match “new”" }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
});

it("edits the row's stock by e", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await page.getByRole("link", { name: "BBB" }).focus();
  await page.keyboard.press("e");
  await page.getByRole("dialog", { name: "Edit BBB" }).waitFor();
  await page.waitForURL("**/stocks?dialog=edit&id=*");
});

it("goes to the chat by g c, and to the stocks by g s", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await page.getByRole("link", { name: "AAA" }).waitFor();
  // Two keys are one after the other within a second.
  await stopClock(page);
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await page.getByRole("heading", { level: 1, name: "Chat" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await page.getByRole("heading", { level: 1, name: "Stocks" }).waitFor();
  await page.waitForURL("**/stocks");
});

it("selects rows for a change of several at once, and asks before it deletes them", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await page.getByRole("link", { name: "BBB" }).focus();
  await page.keyboard.press("x");
  await page.keyboard.press("j");
  await waitForRow(page, "CCC");
  await page.keyboard.press("x");
  await page.getByText("2 selected").waitFor();
  await page.getByRole("button", { name: "Symbol" }).click();
  await page.getByText("2 selected").waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole("region", { name: "Selected stocks" }).getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog", { name: "Delete 2 stocks?" }).getByRole("button", { name: "Delete 2 stocks" }).click();
  await page.getByRole("link", { name: "BBB" }).waitFor({ state: "detached" });
  expect(await page.locator("[data-id] .open").allInnerTexts()).toEqual(["DDD", "AAA"]);
  expect(await page.getByRole("region", { name: "Selected stocks" }).count()).toBe(0);
});

it("drops from the selection what a search hides", async ({ phone, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await phone("/stocks");
  await page.getByRole("button", { name: "List menu" }).tap();
  await page.getByRole("button", { name: "Select", exact: true }).tap();
  await page.getByText("AAA").last().tap();
  await page.getByRole("checkbox", { name: "Select BBB" }).check();
  await page.getByRole("searchbox").fill("bbb");
  await page.getByText("1 selected").waitFor();
  await page.getByRole("button", { name: "Clear selection" }).tap();
  await page.getByRole("region", { name: "Selected stocks" }).waitFor({ state: "detached" });
  expect(await page.getByRole("checkbox").count()).toBe(0);
});

it("lists its keys, and lets go of them when the switch is off", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await page.getByRole("link", { name: "AAA" }).waitFor();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await dialog.getByText("Go to stocks").waitFor();
  const widest = dialog.locator("dt", { hasText: "CtrlBackspace" });
  expect(await widest.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth)).toBe(true);
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  await dialog.getByRole("switch", { name: "Single-key shortcuts" }).click();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.keyboard.press("/");
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
    .not.toBe("Search stocks");
});
