/** Looking at a stock and changing it, also while somebody else does. */
import { expect } from "vitest";
import { it } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { callTool, say } from "../../support/model-script.ts";

it("shows all facts of a stock and sets its price with Enter", async ({ phone, tally }) => {
  const notes = "First <b>line</b>\nSecond line";
  await tally.seedStocks([{ symbol: "AAPL", exchange: "XNAS", quantity: "60", avgCost: "180", tags: ["tech"], notes }]);
  const page = await phone("/stocks");
  await page.getByRole("link", { name: "AAPL" }).tap();
  const dialog = page.getByRole("dialog", { name: "AAPL XNAS" });
  await dialog.getByText("No price yet", { exact: true }).waitFor();
  expect(await dialog.locator(".notes-text").textContent()).toBe(notes);
  await dialog.getByRole("textbox", { name: "New price" }).fill("226.84");
  await page.keyboard.press("Enter");
  await dialog.getByText("$226.84").first().waitFor();
  await dialog.getByText("$13,610.40").waitFor();
  await dialog.getByText("by hand, just now").waitFor();
  const change = dialog.getByRole("listitem").filter({ hasText: "Changed by you" });
  await change.getByText("Last price:").waitFor();
  expect(await change.locator("del").textContent()).toBe("was –");
});

it("Back and the close button go the same way, step by step, and leave nothing behind", async ({ desktop, tally }) => {
  await tally.seedStocks([{ symbol: "STEP" }]);
  const page = await desktop("/stocks?q=step");
  const row = page.getByRole("link", { name: "STEP" });
  await row.click();
  await page.getByRole("dialog", { name: "STEP" }).getByRole("button", { name: "Edit" }).click();
  await page.getByRole("dialog", { name: "Edit STEP" }).getByRole("button", { name: "Close" }).click();
  await page.getByRole("dialog", { name: "STEP", exact: true }).getByRole("button", { name: "Close" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("?q=step");
  await waitForFocus(row);
  await page.goForward();
  await page.getByRole("dialog", { name: "STEP" }).waitFor();
  await page.goBack();
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

it("sends only what was changed", async ({ desktop, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "PART", quantity: "5", notes: "Old", tags: ["a"] }]);
  const page = await desktop(`/stocks?dialog=edit&id=${stock?.id}`);
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Notes" }).fill("New");
  await dialog.getByRole("combobox", { name: "Tags" }).fill("b");
  await page.keyboard.press("Enter");
  const request = page.waitForRequest("**/update-stock");
  await dialog.getByRole("button", { name: "Save" }).click();
  expect((await request).postDataJSON()).toEqual({
    id: stock?.id,
    version: 1,
    set: { notes: "New", tags: ["a", "b"] },
    idempotencyKey: expect.any(String),
  });
  await dialog.waitFor({ state: "detached" });
});

it("a change from elsewhere is shown beside one's own, and nothing typed is lost", async ({ phone, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "BOTH", quantity: "60", avgCost: "10", sector: "Energy" }]);
  const id = stock?.id ?? "";
  const page = await phone(`/stocks?dialog=edit&id=${id}`, { allow: [/409/] });
  const form = page.getByRole("dialog", { name: "Edit BOTH" });
  await form.getByRole("textbox", { name: "Quantity" }).fill("70");
  await form.getByRole("textbox", { name: "Average cost" }).fill("11");
  await tally.act("update-stock", { id, set: { quantity: "65", sector: "Utilities" } });
  await form.getByRole("button", { name: "Save" }).tap();
  const conflict = page.getByRole("dialog", { name: "BOTH was changed in the meantime" });
  const quantity = conflict.getByRole("group", { name: "Quantity" });
  expect(await quantity.getByRole("radio", { name: "Yours 70" }).isChecked()).toBe(true);
  await quantity.getByRole("radio", { name: "Saved 65" }).check();
  const sector = conflict.getByRole("group", { name: "Sector" });
  expect(await sector.getByRole("radio", { name: "Saved Utilities" }).isChecked()).toBe(true);
  // What nobody here has touched is not one's own.
  await sector.getByRole("radio", { name: "Before Energy" }).waitFor();
  await conflict.getByRole("button", { name: "Back to the form" }).tap();
  expect(await form.getByRole("textbox", { name: "Quantity" }).inputValue()).toBe("70");
  await form.getByRole("button", { name: "Save" }).tap();
  await quantity.getByRole("radio", { name: "Saved 65" }).check();
  await conflict.getByRole("button", { name: "Save these" }).tap();
  await conflict.waitFor({ state: "detached" });
  const { stock: saved } = await tally.act("get-stock", { id });
  expect(saved).toMatchObject({ quantity: "65", avgCost: "11", sector: "Utilities", version: 3 });
});

it("a change that was made elsewhere as well counts as saved, and is in the list", async ({ desktop, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "SAME", quantity: "1", avgCost: "10", lastPrice: "10" }]);
  const id = stock?.id ?? "";
  const page = await desktop(`/stocks?dialog=edit&id=${id}`, { allow: [/409/] });
  const form = page.getByRole("dialog", { name: "Edit SAME" });
  await form.getByRole("textbox", { name: "Quantity" }).fill("2");
  await tally.act("update-stock", { id, set: { quantity: "2" } });
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByRole("row", { name: /SAME/ }).getByText("$20.00").first().waitFor();
  expect(await tally.act("get-stock", { id })).toMatchObject({ stock: { version: 2 } });
});

it("a form that nobody has touched follows the stock", async ({ desktop, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "FRESH", quantity: "1" }]);
  const page = await desktop(`/stocks?dialog=edit&id=${stock?.id}`);
  const quantity = page.getByRole("textbox", { name: "Quantity" });
  await quantity.waitFor();
  const other = await page.context().newPage();
  await other.goto(`/stocks?dialog=edit&id=${stock?.id}`);
  await other.getByRole("textbox", { name: "Quantity" }).fill("2");
  await other.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => quantity.inputValue()).toBe("2");
  await quantity.fill("3");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await tally.act("get-stock", { symbol: "FRESH" })).toMatchObject({ stock: { quantity: "3", version: 3 } });
});

it("a tag that is being typed stays when the stock changes elsewhere, and when the form is left", async ({
  desktop,
  tally,
}) => {
  const [stock] = await tally.seedStocks([{ symbol: "TAGS", tags: ["a"] }]);
  const id = stock?.id ?? "";
  const page = await desktop(`/stocks?dialog=detail&id=${id}`);
  await page.getByRole("dialog", { name: "TAGS" }).getByRole("button", { name: "Edit" }).click();
  const form = page.getByRole("dialog", { name: "Edit TAGS" });
  const tags = form.getByRole("combobox", { name: "Tags" });
  await tags.pressSequentially("divid");
  const other = await page.context().newPage();
  await other.goto(`/stocks?dialog=edit&id=${id}`);
  await other.getByRole("textbox", { name: "Name" }).fill("Renamed");
  await other.getByRole("button", { name: "Save" }).click();
  await page.getByText("Renamed").first().waitFor({ state: "attached" });
  await tags.pressSequentially("end");
  expect(await tags.inputValue()).toBe("dividend");
  await page.goBack();
  await form.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Continue" }).click();
  await expect.poll(() => tags.inputValue()).toBe("dividend");
  await page.reload();
  await expect.poll(() => tags.inputValue()).toBe("dividend");
});

it("a stock that was deleted meanwhile can be saved back into the list", async ({ desktop, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "GONE" }]);
  const id = stock?.id ?? "";
  const page = await desktop(`/stocks?dialog=edit&id=${id}`, { allow: [/404/] });
  const dialog = page.getByRole("dialog", { name: "Edit GONE" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Back again");
  await tally.act("delete-stock", { id });
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("This stock was deleted in the meantime.").waitFor();
  await dialog.getByRole("button", { name: "Restore and save" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await tally.act("get-stock", { id })).toMatchObject({ stock: { name: "Back again", deletedAt: null } });
});

it("an unknown id in the address is said plainly", async ({ phone }) => {
  const page = await phone("/stocks?dialog=detail&id=nothing", { allow: [/404/] });
  const dialog = page.getByRole("dialog", { name: "Stock not found" });
  await dialog.getByText("This stock is not in your list").waitFor();
  await dialog.getByRole("button", { name: "Back to the list" }).tap();
  await dialog.waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("");
});

it("the history names the agent and leads to the conversation in which it made the change", async ({
  desktop,
  tally,
  script,
}) => {
  const [stock] = await tally.seedStocks([{ symbol: "ASKED", quantity: "1" }]);
  const model = await script([callTool("update-stock", { id: stock?.id, set: { quantity: "9" } }), say("Done.")]);
  const turn = await tally.startTurn("plan/a", model.prompt("Make it 9"));
  await tally.answerPermission(turn, "allow_once");
  await tally.eventsUntil(turn, "run_end");
  const page = await desktop(`/stocks?dialog=detail&id=${stock?.id}`);
  const change = page.getByRole("dialog").getByRole("listitem").filter({ hasText: "Changed by the agent" });
  expect(await change.getByRole("link", { name: "the agent" }).getAttribute("href")).toBe("/t/plan%2Fa");
  expect(await change.getByText("Quantity:").locator("..").textContent()).toBe("Quantity: was 1 →is now 9");
});

it("a stock that another screen deletes while it is open says so", async ({ desktop, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "TABS" }]);
  const page = await desktop(`/stocks?dialog=detail&id=${stock?.id}`);
  await page.getByRole("dialog", { name: "TABS" }).waitFor();
  const other = await page.context().newPage();
  await other.goto(`/stocks?dialog=detail&id=${stock?.id}`);
  await other.getByRole("dialog", { name: "TABS" }).getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog", { name: "Stock not found" }).waitFor();
});
