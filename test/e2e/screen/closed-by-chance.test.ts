/** What nobody meant to do: close a dialog, delete a row after the other, leave a tab of the list, miss what could be undone. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { holdNext } from "../../support/browser/hold-next.ts";
import { dropTab, hideTab, showTab, stopClock } from "../../support/browser/page-life.ts";
import { it } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";

it("a file's picker that is left leaves the import open", async ({ desktop }) => {
  const page = await desktop("/stocks?dialog=import");
  await page.getByLabel("Paste symbols, lines or a table").fill("AAPL");
  // As browsers tell it: they open no picker for a test that could be left.
  await page
    .getByLabel("File to import")
    .evaluate((input) => input.dispatchEvent(new Event("cancel", { bubbles: true })));
  expect(await page.getByRole("dialog").count()).toBe(1);
});

it("a text to import is there again after Back, unless it was discarded", async ({ desktop }) => {
  const page = await desktop("/stocks");
  const open = page.getByRole("button", { name: "Import", exact: true });
  const box = page.getByLabel("Paste symbols, lines or a table");
  await open.click();
  await box.fill("AAPL");
  await page.goBack();
  await box.waitFor({ state: "detached" });
  await open.click();
  expect(await box.inputValue()).toBe("AAPL");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).click();
  await box.waitFor({ state: "detached" });
  await open.click();
  expect(await box.inputValue()).toBe("");
});

it("text that is selected beyond the edge of a dialog leaves it open; a press beside it does not", async ({
  desktop,
}) => {
  const page = await desktop("/stocks?dialog=add", { reducedMotion: "reduce" });
  const field = page.getByLabel("Symbol", { exact: true });
  const { x, y } = (await field.boundingBox()) ?? { x: 0, y: 0 };
  await page.mouse.move(x + 20, y + 10);
  await page.mouse.down();
  await page.mouse.move(5, y + 10);
  await page.mouse.up();
  await waitForFocus(field);
  expect(await page.getByRole("dialog").count()).toBe(1);
  await page.mouse.click(5, y + 10);
  await field.waitFor({ state: "detached" });
});

it("however often Escape is pressed, a form with changes asks first", async ({ desktop, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "AAPL" }]);
  const page = await desktop(`/stocks?dialog=edit&id=${stock?.id}`);
  const form = page.getByRole("dialog", { name: "Edit AAPL" });
  const keep = page.getByRole("button", { name: "Keep editing" });
  const name = form.getByLabel("Name");
  await name.focus();
  await page.keyboard.press("End");
  await page.keyboard.type(" Inc");
  for (const isAsked of [true, false, true, false, true]) {
    await page.keyboard.press("Escape");
    await keep.waitFor({ state: isAsked ? "visible" : "detached" });
    expect(await form.evaluate((dialog) => dialog.matches(":modal"))).toBe(true);
  }
  await keep.click();
  expect(await name.inputValue()).toMatch(/ Inc$/);
  await name.press("Escape");
  await page.getByRole("button", { name: "Discard" }).click();
  await form.waitFor({ state: "detached" });
  expect(new URL(page.url()).search).not.toContain("edit");
});

it("a tag that is not complete yet counts as a change", async ({ desktop, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "AAPL" }]);
  const page = await desktop(`/stocks?dialog=edit&id=${stock?.id}`);
  await page.locator("summary", { hasText: "More" }).click();
  await page.getByLabel("Tags").fill("tech");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Keep editing" }).click();
  await page.getByRole("button", { name: "Remove tag tech" }).waitFor();
});

it("Delete that is held down deletes one stock", async ({ desktop, tally }) => {
  await tally.seedStocks(["AAA", "BBB", "CCC"].map((symbol) => ({ symbol })));
  const page = await desktop("/stocks");
  await page.getByRole("link", { name: "AAA" }).focus();
  await page.keyboard.down("Delete");
  await waitForFocus(page.getByRole("link", { name: "BBB" }));
  // Each is a repeat, as of a key that stays down.
  await page.keyboard.down("Delete");
  await page.keyboard.down("Delete");
  await page.keyboard.up("Delete");
  await page.keyboard.press("ArrowDown");
  await waitForFocus(page.getByRole("link", { name: "CCC" }));
  const left = async () => (await tally.act("list-stocks", {})).items.map(({ symbol }) => symbol);
  await expect.poll(left).toEqual(["BBB", "CCC"]);
});

it("the browser's own keys are not taken for the tabs', and a tab that is shown makes no step back", async ({
  desktop,
  tally,
}) => {
  await tally.seedStocks([{ symbol: "AAA" }]);
  const page = await desktop("/stocks");
  const tab = page.getByRole("tab", { name: /^Watchlist/ });
  await tab.click();
  await page.waitForURL("**/stocks?tab=watchlist");
  const steps = await page.evaluate(() => history.length);
  await tab.click();
  await tab.press("Alt+ArrowRight");
  await tab.press("Control+ArrowLeft");
  expect([await tab.getAttribute("aria-selected"), await page.evaluate(() => history.length)]).toEqual(["true", steps]);
  await page.goBack();
  await page.waitForURL("**/stocks");
});

it("what can be undone still can when one comes back to a hidden tab", async ({ desktop, tally }) => {
  await tally.seedStocks([{ symbol: "AAA" }]);
  const page = await desktop("/stocks");
  await page.getByRole("link", { name: "AAA" }).waitFor();
  await stopClock(page);
  await page.getByRole("link", { name: "AAA" }).focus();
  await page.keyboard.press("Delete");
  const undo = page.locator(".toast").getByRole("button", { name: "Undo" });
  await expect.poll(async () => [await page.clock.runFor(20), await undo.count()].at(-1)).toBe(1);
  await hideTab(page);
  await page.clock.runFor(30_000);
  await showTab(page);
  await page.clock.runFor(9_000);
  expect(await undo.count()).toBe(1);
  await page.clock.runFor(2_000);
  expect(await undo.count()).toBe(0);
  await page.clock.resume();
});

it("a change that fails once its stock is no longer shown is told with the stock's name", async ({ phone, tally }) => {
  await tally.seedStocks(["AAA", "BBB", "CCC"].map((symbol) => ({ symbol, lastPrice: "5", targetHigh: "9" })));
  const page = await phone("/stocks", { allow: [/Failed to load resource/, /ERR_/] });
  await page.getByRole("link", { name: "AAA" }).tap();
  const failPrice = await holdNext(page, "**/update-stock", { end: "abort" });
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel("New price").fill("6");
  await sheet.getByRole("button", { name: "Set", exact: true }).tap();
  await page.getByRole("button", { name: "Next: BBB" }).tap();
  await page.getByRole("dialog", { name: "BBB" }).waitFor();
  failPrice();
  await page.getByRole("alert").getByText("AAA may not have been changed. The server cannot be reached.").waitFor();

  const failNotice = await holdNext(page, "**/update-stock", { end: "abort" });
  await sheet.getByRole("checkbox", { name: "Tell me when the price reaches a target" }).check();
  await page.getByRole("button", { name: "Next: CCC" }).tap();
  await page.getByRole("dialog", { name: "CCC" }).waitFor();
  failNotice();
  await page.getByRole("alert").getByText("BBB may not have been changed. The server cannot be reached.").waitFor();
});

it("a failure that nobody could read before the next stock was shown is told with the stock's name, one that was read is not", async ({
  phone,
  tally,
}) => {
  await tally.seedStocks(["AAA", "BBB", "CCC"].map((symbol) => ({ symbol, lastPrice: "5", targetHigh: "9" })));
  const page = await phone("/stocks", { allow: [/Failed to load resource/, /ERR_/] });
  await page.route("**/update-stock", (route) => route.abort());
  const sheet = (name: string) => page.getByRole("dialog", { name });
  const failure = page.getByText("The server cannot be reached. Check your connection and try again.", { exact: true });
  const told = (symbol: string) => page.getByText(`${symbol} may not have been changed. The server cannot be reached.`);
  await page.getByRole("link", { name: "AAA" }).tap();
  await sheet("AAA").getByLabel("New price").fill("6");
  await stopClock(page);
  await sheet("AAA").getByRole("button", { name: "Set", exact: true }).tap();
  await failure.waitFor();
  await page.getByRole("button", { name: "Next: BBB" }).tap();
  await told("AAA").waitFor();

  await sheet("BBB").getByRole("checkbox", { name: "Tell me when the price reaches a target" }).tap();
  await failure.waitFor();
  await page.clock.runFor(2_000);
  await page.getByRole("button", { name: "Next: CCC" }).tap();
  await sheet("CCC").waitFor();
  expect(await told("BBB").count()).toBe(0);
  await page.clock.resume();
});

/** Waits until the page knows whose data it has: nothing that is typed is left for anybody else. */
const knowsWhose = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => sessionStorage.getItem("tally.person") !== null);

it("what was typed is there again after a phone has dropped the page in the background, until it is saved", async ({
  phone,
  tally,
}) => {
  const [stock] = await tally.seedStocks([{ symbol: "AAPL" }]);
  const page = await phone("/stocks?dialog=add");
  await knowsWhose(page);
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  await symbol.fill("NVDA");
  await hideTab(page);
  await page.reload();
  await expect.poll(() => symbol.inputValue()).toBe("NVDA");
  await page.getByRole("button", { name: "Add stock" }).last().tap();
  await page.locator(".toast").getByText("NVDA added", { exact: true }).waitFor();
  await hideTab(page);
  await page.goto("/stocks?dialog=add");
  await symbol.waitFor();
  expect(await symbol.inputValue()).toBe("");

  await page.goto(`/stocks?dialog=edit&id=${stock?.id}`);
  const name = page.getByRole("dialog", { name: "Edit AAPL" }).getByLabel("Name");
  await name.fill("Apple of the orchard");
  // An iPhone reloads without a question.
  await page.reload();
  await expect.poll(() => name.inputValue()).toBe("Apple of the orchard");
  await page.getByRole("button", { name: "Save", exact: true }).tap();
  await name.waitFor({ state: "detached" });
  expect(await tally.act("get-stock", { id: stock?.id ?? "" })).toMatchObject({
    stock: { name: "Apple of the orchard" },
  });
});

it("a form that was being saved is there again after a phone has dropped the page, whether it had arrived or not", async ({
  phone,
  tally,
}) => {
  const [stock] = await tally.seedStocks([{ symbol: "AAPL" }]);
  const page = await phone("/stocks", { allow: [/ERR_/, /409/] });
  await knowsWhose(page);
  await page.getByRole("link", { name: "Add", exact: true }).tap();
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  const add = page.getByRole("dialog").getByRole("button", { name: "Add stock" });
  await symbol.fill("NVDA");
  const endAdd = await holdNext(page, "**/add-stock", { end: "abort" });
  await add.tap();
  await page.getByRole("button", { name: "Saving…" }).waitFor();
  // Nobody needs to look at a form while it is being saved.
  await page.goBack();
  await symbol.waitFor({ state: "detached" });
  await dropTab(page);
  await page.goto("/stocks?dialog=add");
  endAdd();
  await expect.poll(() => symbol.inputValue()).toBe("NVDA");
  await tally.act("add-stock", { symbol: "NVDA" });
  await add.tap();
  await page.getByText("NVDA is already in your list.").waitFor();

  await page.goto(`/stocks?dialog=edit&id=${stock?.id}`);
  const name = page.getByRole("dialog", { name: "Edit AAPL" }).getByLabel("Name");
  const save = page.getByRole("button", { name: "Save", exact: true });
  const set = { name: "Apple of the orchard" };
  await name.fill(set.name);
  const endSave = await holdNext(page, "**/update-stock", { end: "abort" });
  await save.tap();
  await page.getByRole("button", { name: "Saving…" }).waitFor();
  await dropTab(page);
  await page.reload();
  endSave();
  await expect.poll(() => name.inputValue()).toBe(set.name);
  await tally.act("update-stock", { id: stock?.id ?? "", set });
  await save.tap();
  await name.waitFor({ state: "detached" });
  expect(await tally.act("get-stock", { id: stock?.id ?? "" })).toMatchObject({ stock: { ...set, version: 2 } });
});

it("a draft that somebody has gone on with, and a text to import, are there after a reload", async ({ phone }) => {
  const page = await phone("/stocks?dialog=add&draft=TSLA");
  await knowsWhose(page);
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  await symbol.fill("TSLL");
  await page.reload();
  await expect.poll(() => symbol.inputValue()).toBe("TSLL");
  await page.goto("/stocks?dialog=import");
  const box = page.getByLabel("Paste symbols, lines or a table");
  await box.fill("AAPL\nMSFT");
  await hideTab(page);
  await page.reload();
  await expect.poll(() => box.inputValue()).toBe("AAPL\nMSFT");
});

it("so is a draft of the address that was being saved, though nobody typed into it", async ({ phone, tally }) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const page = await phone("/stocks", { allow: [/ERR_/] });
  await knowsWhose(page);
  await page.getByRole("searchbox").fill("TSLA");
  await page.getByRole("button", { name: "Add “TSLA”" }).tap();
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  await expect.poll(() => symbol.inputValue()).toBe("TSLA");
  const end = await holdNext(page, "**/add-stock", { end: "abort" });
  await page.getByRole("dialog").getByRole("button", { name: "Add stock" }).tap();
  await page.getByRole("button", { name: "Saving…" }).waitFor();
  await page.goBack();
  await symbol.waitFor({ state: "detached" });
  await dropTab(page);
  await page.goto("/stocks?dialog=add");
  end();
  await expect.poll(() => symbol.inputValue()).toBe("TSLA");
});
