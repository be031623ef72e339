/** Deleting at once with the way back, and what stands in its way. */
import { expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { keepToast } from "../../support/browser/until-seen.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";

it("deletes at once and brings back with Undo", async ({ phone, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "UNDO", notes: "Kept" }]);
  const page = await phone(`/stocks?dialog=detail&id=${stock?.id}`);
  const deleted = page.waitForResponse("**/delete-stock");
  await page.getByRole("dialog", { name: "UNDO" }).getByRole("button", { name: "Delete" }).tap();
  await page.locator(".toast").getByText("UNDO deleted").waitFor();
  await page.getByRole("link", { name: "UNDO" }).waitFor({ state: "detached" });
  await deleted;
  await page.getByRole("button", { name: "Undo", exact: true }).tap();
  await page.getByRole("link", { name: "UNDO" }).waitFor();
  await page.getByText("UNDO restored").waitFor({ state: "attached" });
  expect(await tally.act("get-stock", { symbol: "UNDO" })).toMatchObject({ stock: { id: stock?.id, notes: "Kept" } });
});

it("a delete that fails comes back with the server's words and a way to try again", async ({ phone, link, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "STAYS" }]);
  // The list looks empty until the delete has failed, and what is said then may not be loaded yet.
  const allow = [/ERR_/, /LoadError/];
  const page = await phone(`/stocks?dialog=detail&id=${stock?.id}`, { at: link.url, allow });
  const remove = page.getByRole("dialog", { name: "STAYS" }).getByRole("button", { name: "Delete" });
  await remove.waitFor();
  link.goDown();
  await remove.tap();
  await page.getByText("STAYS may not have been deleted.").waitFor();
  await page.getByRole("link", { name: "STAYS" }).waitFor();
  link.goUp();
  await page.getByRole("button", { name: "Try again" }).tap();
  await page.getByRole("link", { name: "STAYS" }).waitFor({ state: "detached" });
  await page.locator(".toast").getByText("STAYS deleted").waitFor();
});

it("z undoes what was deleted last, wherever the focus is", async ({ desktop, tally }) => {
  await tally.seedStocks([{ symbol: "ZED" }]);
  const page = await desktop("/stocks");
  await page.getByRole("link", { name: "ZED" }).focus();
  await page.keyboard.press("Delete");
  await page.locator(".toast").getByText("ZED deleted").waitFor();
  await page.getByRole("heading", { name: "Start your list" }).waitFor();
  await page.keyboard.press("z");
  await page.getByRole("link", { name: "ZED" }).waitFor();
  await page.getByText("ZED restored").waitFor({ state: "attached" });
});

it("Undo says so when the symbol was taken again meanwhile", async ({ desktop, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "FIRST" }]);
  const page = await desktop(`/stocks?dialog=detail&id=${stock?.id}`, { allow: [/409/] });
  const deleted = page.waitForResponse("**/delete-stock");
  await page.getByRole("dialog", { name: "FIRST" }).getByRole("button", { name: "Delete" }).click();
  await deleted;
  await keepToast(page, "FIRST deleted");
  // Another stock takes the symbol: a new one would bring this one back.
  const [other] = await tally.seedStocks([{ symbol: "OTHER" }]);
  await tally.act("update-stock", { id: other?.id ?? "", set: { symbol: "FIRST" } });
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByText("FIRST stays in the trash. FIRST is already in your list.").waitFor();
});

it("several are deleted after a question that counts them, and come back together", async ({ desktop, tally }) => {
  const stocks = await tally.seedStocks(["MANY1", "MANY2", "MANY3"].map((symbol) => ({ symbol })));
  const page = await desktop("/stocks?q=many");
  await page.getByRole("checkbox", { name: /MANY1/ }).check();
  await page.getByRole("checkbox", { name: /MANY3/ }).check();
  await page.getByRole("region", { name: "Selected stocks" }).getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete 2 stocks?" });
  await dialog.getByText("MANY1, MANY3").waitFor();
  const cancel = dialog.getByRole("button", { name: "Cancel" });
  await waitForFocus(cancel);
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Delete 2 stocks" }).click();
  await page.locator(".toast").getByText("2 stocks deleted").waitFor();
  await page.getByRole("link", { name: "MANY1" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByText("2 stocks restored").waitFor({ state: "attached" });
  expect((await tally.act("list-stocks", { q: "many" })).items.map(({ id }) => id)).toEqual(stocks.map(({ id }) => id));
});

it("a stock is added, opened, changed, and deleted by keyboard alone", async ({ desktop, tally }) => {
  const page = await desktop("/stocks");
  await page.getByRole("heading", { name: "Start your list" }).waitFor();
  await page.keyboard.press("n");
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  await waitForFocus(symbol);
  await page.keyboard.type("KEYS 3 @ 7");
  await page.keyboard.press("Enter");
  await page.locator(".toast").getByText("KEYS added").waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "KEYS" }).focus();
  await page.keyboard.press("Enter");
  const detail = page.getByRole("dialog", { name: "KEYS" });
  await detail.getByRole("button", { name: "Edit" }).focus();
  await page.keyboard.press("Enter");
  const edit = page.getByRole("dialog", { name: "Edit KEYS" });
  await edit.locator("summary", { hasText: "More" }).focus();
  await page.keyboard.press("Enter");
  await edit.getByRole("combobox", { name: "Tags" }).focus();
  await page.keyboard.type("one,two,");
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  await edit.waitFor({ state: "detached" });
  expect(await tally.act("get-stock", { symbol: "KEYS" })).toMatchObject({ stock: { quantity: "3", tags: ["one"] } });
  await detail.getByRole("button", { name: "Delete" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator(".toast").getByText("KEYS deleted").waitFor();
});
