/** Where a keyboard is after what it stood on has gone: never nowhere. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { readyButton } from "../../support/browser/answer-card.ts";
import { stopClock } from "../../support/browser/page-life.ts";
import { it } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { callTool, say } from "../../support/model-script.ts";
import { log, question, sendMessage } from "./agent-page.ts";
import { STOCKS } from "./stocks-page.ts";

/** Presses a button by key, and waits until it is gone. */
const pressAway = async (page: Page, name: string, within = page.locator("body")): Promise<void> => {
  const button = within.getByRole("button", { name, exact: true }).first();
  await button.press("Enter");
  await button.waitFor({ state: "detached" });
};

/** What has the focus. */
const focused = (page: Page) => expect.poll(() => page.evaluate(() => document.activeElement?.tagName));

it("Escape closes a menu and gives the focus back to its button", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  for (const [name, entry] of [
    ["Actions for AAPL", "Edit"],
    ["List menu", "Trash"],
  ] as const) {
    const button = page.getByRole("button", { name, exact: true });
    await button.press("Enter");
    await page.getByRole("button", { name: entry }).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest(".menu") !== null)).toBe(true);
    await page.keyboard.press("Escape");
    await waitForFocus(button);
  }
});

it("a dialog from the chat's menu gives the focus back to the menu's button", async ({ phone, script, tally }) => {
  const model = await script([say("Hello.")]);
  await tally.eventsUntil(await tally.startTurn("focus", model.prompt("Hello")), "run_end");
  const page = await phone("/t/focus");
  const button = page.getByRole("button", { name: "Chat menu" });
  for (const entry of ["Rename", "Permissions", "Summarize earlier messages", "Delete chat"]) {
    await button.press("Enter");
    await page.getByRole("button", { name: entry }).press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await waitForFocus(button);
  }
  await pressAway(page, "New chat");
  await focused(page).not.toBe("BODY");
});

it("a button that goes when it is pressed leaves the focus on the page", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await page.getByRole("textbox", { name: /message/i }).waitFor();
  await page.getByRole("searchbox", { name: "Search stocks" }).fill("nestle");
  await pressAway(page, "Clear search", page.locator(".list-status"));
  await focused(page).toBe("MAIN");
  await page.getByRole("searchbox", { name: "Search stocks" }).fill("nothing at all");
  await page.getByRole("heading", { name: /No stocks match/ }).waitFor();
  await pressAway(page, "Clear search", page.locator(".list-status"));
  await focused(page).toBe("MAIN");
  await page.getByRole("checkbox", { name: "Select AAPL" }).check();
  await pressAway(page, "Clear selection");
  await focused(page).toBe("A");
  await page.getByRole("link", { name: "AMD", exact: true }).press("Delete");
  await page.getByRole("link", { name: "AMD", exact: true }).waitFor({ state: "detached" });
  await pressAway(page, "Undo");
  await focused(page).not.toBe("BODY");
  await page.getByRole("link", { name: "AMD", exact: true }).waitFor();
});

it("a note for a rejection can be typed at once", async ({ phone, script }) => {
  const model = await script([callTool("add-stock", { symbol: "SAP" }), say("Then not.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Add SAP."));
  await question(page, "Add SAP").waitFor();
  await (await readyButton(page, "Reject with a note")).press("Enter");
  await waitForFocus(page.getByLabel("What should it do instead? (optional)"));
  await page.keyboard.type("Not now.");
  await page.keyboard.press("Enter");
  await log(page).getByText("You rejected this.").waitFor();
});

it("a problem of the field that has the focus already is announced", async ({ desktop, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "SAP" }]);
  const page = await desktop(`/stocks?dialog=detail&id=${stock?.id}`);
  const said = () => page.locator(".vh[aria-live]").textContent();
  await page.getByLabel("New price").press("Enter");
  await expect.poll(said).toBe("Type a price.");
  await page.goto("/stocks?dialog=add");
  await page.getByRole("combobox", { name: "Symbol" }).press("Enter");
  await expect.poll(said).toBe("Type a symbol, such as AAPL.");
});

it("what is said as a dialog closes waits until the region is out of the dialog", async ({ desktop, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "SAP" }]);
  const page = await desktop(`/stocks?dialog=edit&id=${stock?.id}`);
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("SAP SE");
  await stopClock(page);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog", { name: "Edit SAP" }).waitFor({ state: "detached" });
  const region = page.locator("#messages .vh[aria-live]");
  expect(await region.textContent()).toBe("");
  await page.clock.runFor(100);
  expect(await region.textContent()).toBe("SAP saved");
});
