/**
 * A person may be quicker than the page's next frame, or than an answer: what they do is neither lost nor taken for
 * something else. Where a frame matters, the page's clock stands still, so that none comes.
 */
import { expect } from "vitest";
import { answerInstead } from "../../support/browser/answer-instead.ts";
import { stopClock } from "../../support/browser/page-life.ts";
import { it } from "../../support/browser/screen-test.ts";
import { isFocused } from "../../support/browser/wait-for-focus.ts";
import { STOCKS, waitForRows } from "./stocks-page.ts";

it("what is typed as soon as the form is there goes into its first field", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await waitForRows(page, "AAPL AMD NESN NVDA");
  await stopClock(page);
  await page.keyboard.press("n");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.type("SAP");
  expect(await page.getByRole("combobox", { name: "Symbol" }).inputValue()).toBe("SAP");
  await page.keyboard.press("Escape");
  expect(await isFocused(page.getByRole("button", { name: "Keep editing" }))).toBe(true);
});

it("what is typed into a form stays when the stock changes right after", async ({ desktop, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "BOTH", name: "Before", quantity: "1" }]);
  const page = await desktop("/stocks");
  const other = await page.context().newPage();
  await other.goto(`/stocks?dialog=edit&id=${stock?.id}`);
  await other.getByRole("textbox", { name: "Name", exact: true }).fill("After");
  await page.bringToFront();
  await page.getByRole("link", { name: "BOTH" }).press("e");
  const quantity = page.getByRole("textbox", { name: "Quantity" });
  await quantity.waitFor();
  await stopClock(page);
  const told = await page.evaluateHandle(() => {
    const channel = new BroadcastChannel("tally.stocks");
    return { came: new Promise<void>((resolve) => channel.addEventListener("message", () => resolve())) };
  });
  await other.getByRole("button", { name: "Save" }).click();
  await told.evaluate(({ came }) => came);
  await quantity.fill("3");
  // The cache tells its news by a timer of its own, before the next frame.
  await page.clock.runFor(1);
  await page.getByRole("row", { name: /After/, includeHidden: true }).waitFor();
  expect(await quantity.inputValue()).toBe("3");
});

it("a field that is refused has the focus with the words about it", async ({ phone, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "SAP", quantity: "1" }]);
  const page = await phone(`/stocks?dialog=edit&id=${stock?.id}`);
  const quantity = page.getByRole("textbox", { name: "Quantity" });
  await quantity.fill("many");
  await stopClock(page);
  await page.getByRole("button", { name: "Save" }).tap();
  await page.locator(".field .problem").waitFor();
  expect(await isFocused(quantity)).toBe(true);
});

it("a box that is ticked while another stock leaves the list stays ticked", async ({ desktop, link, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks", { at: link.url });
  await page.getByRole("checkbox", { name: "Select AAPL" }).check();
  // Its file holds the code that deletes, too.
  await page.getByText("1 selected").waitFor();
  const letGo = link.hold("delete-stock");
  await stopClock(page);
  await page.getByRole("link", { name: "AAPL", exact: true }).press("Delete");
  await page.getByRole("checkbox", { name: "Select AMD" }).check();
  await page.clock.runFor(1_000);
  expect(await page.getByRole("checkbox", { name: "Select AMD" }).isChecked()).toBe(true);
  letGo();
  await page.getByText("1 selected").waitFor();
});

it("the keys of the list work as soon as it is there", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  // What the list shows is here before the clock stands still: the cache tells what comes later by a timer.
  await waitForRows(page, "AAPL AMD NESN NVDA");
  await page.getByRole("link", { name: "Chat" }).first().click();
  await page.getByRole("link", { name: "AAPL", exact: true }).waitFor({ state: "detached" });
  await stopClock(page);
  await page
    .getByRole("link", { name: /^Stocks/ })
    .first()
    .click();
  await page.getByRole("link", { name: "AAPL", exact: true }).waitFor();
  await page.keyboard.press("j");
  expect(await isFocused(page.getByRole("link", { name: "AAPL", exact: true }))).toBe(true);
});

it("a step of the import has the focus in its heading as soon as it is there", async ({ desktop }) => {
  const page = await desktop("/stocks");
  await page.getByRole("heading", { name: "Start your list" }).waitFor();
  await page.getByRole("button", { name: "Import a file" }).press("Enter");
  await page.getByRole("dialog").waitFor();
  expect(await isFocused(page.getByLabel("Paste symbols, lines or a table"))).toBe(true);
  await stopClock(page);
  await page.keyboard.type("AAPL 10");
  await page.getByRole("button", { name: "Preview" }).press("Enter");
  expect(await isFocused(page.getByRole("heading", { name: "Preview" }))).toBe(true);
});

it("the next price that is typed while the last one is being saved stays", async ({ phone, link, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "SAP" }]);
  const page = await phone(`/stocks?dialog=detail&id=${stock?.id}`, { at: link.url });
  const price = page.getByRole("textbox", { name: "New price" });
  const letGo = link.hold("update-stock");
  await price.fill("10");
  await price.press("Enter");
  await page.getByRole("button", { name: "Saving…" }).waitFor();
  await price.fill("11");
  letGo();
  await page.getByRole("button", { name: "Set" }).waitFor();
  expect(await price.inputValue()).toBe("11");
});

it("what is done to a stock before the code for it is here is done once it is", async ({ desktop, link, tally }) => {
  await tally.seedStocks(STOCKS);
  const letGo = link.hold("assets/list-extras");
  const page = await desktop("/stocks", { at: link.url });
  await waitForRows(page, "AAPL AMD NESN NVDA");
  await page.getByRole("button", { name: "Watch AAPL" }).click();
  await page.getByRole("link", { name: "AMD", exact: true }).press("Delete");
  letGo();
  await page.getByRole("button", { name: "Remove AAPL from watchlist" }).waitFor();
  await waitForRows(page, "AAPL NESN NVDA");
});

it("says that nothing was changed when the code for it does not come, and does it the next time", async ({
  desktop,
  tally,
}) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/", { allow: [/ERR_FAILED/] });
  const letCodeCome = await answerInstead(page, "**/assets/list-extras-*.js*", (route) => route.abort());
  await page.goto("/stocks");
  await page.getByRole("button", { name: "Watch AAPL" }).click();
  await page.getByText("Nothing was changed. Check your connection and try again.").waitFor();
  letCodeCome();
  await page.getByRole("button", { name: "Watch AAPL" }).click();
  await page.getByRole("button", { name: "Remove AAPL from watchlist" }).waitFor();
});
