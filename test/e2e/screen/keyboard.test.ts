/** Whole ways through the app with nothing but a keyboard, on a desktop: no step takes a pointer, none loses the focus. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { it } from "../../support/browser/screen-test.ts";
import { isFocused, waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { say } from "../../support/model-script.ts";
import { log } from "./agent-page.ts";
import { STOCKS, waitForRows } from "./stocks-page.ts";

/** More stops than any screen of these tests has. */
const MAX_STOPS = 80;

/** Goes on with the Tab key until it stands on `place`. */
const tabTo = async (page: Page, place: Locator): Promise<void> => {
  await place.waitFor();
  for (let stop = 0; stop < MAX_STOPS; stop += 1) {
    await page.keyboard.press("Tab");
    if (await isFocused(place)) return;
  }
  throw new Error(`No Tab reaches ${place}.`);
};

const press = async (page: Page, place: Locator, key = "Enter"): Promise<void> => {
  await tabTo(page, place);
  await page.keyboard.press(key);
};

/** Opens a menu, whose first entry then has the focus. */
const openMenu = async (page: Page, menu: Locator, first: Locator): Promise<void> => {
  await press(page, menu);
  await first.waitFor();
  await waitForFocus(first);
};

it("the list is filtered, and the focus is back where it was", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await waitForRows(page, "AAPL AMD NESN NVDA");
  const dialog = page.getByRole("dialog", { name: "Filters" });
  await press(page, page.getByRole("button", { name: "Filters" }));
  await press(page, dialog.getByRole("checkbox", { name: "chips 2" }), "Space");
  await press(page, dialog.getByRole("button", { name: "Show 2 stocks" }));
  await waitForRows(page, "AMD NVDA");
  const filters = page.getByRole("button", { name: "Filters, 1 on" });
  await waitForFocus(filters);
});

it("stocks are selected, deleted and restored from the trash", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await waitForRows(page, "AAPL AMD NESN NVDA");
  await press(page, page.getByRole("link", { name: "AAPL", exact: true }), "ArrowDown");
  await page.keyboard.press("x");
  await press(page, page.getByRole("region", { name: "Selected stocks" }).getByRole("button", { name: "Delete" }));
  await press(page, page.getByRole("dialog").getByRole("button", { name: "Delete 1 stock" }));
  await waitForRows(page, "AAPL NESN NVDA");
  await page.getByRole("button", { name: "Undo" }).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
  await openMenu(
    page,
    page.getByRole("button", { name: "List menu" }),
    page.getByRole("button", { name: "Select", exact: true }),
  );
  await press(page, page.getByRole("button", { name: "Trash" }));
  await press(page, page.getByRole("button", { name: "Restore AMD" }));
  await page.getByText("The trash is empty").waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  await press(page, page.getByRole("button", { name: "Back to the list" }));
  await waitForRows(page, "AAPL AMD NESN NVDA");
});

it("two versions of a stock are chosen from", async ({ desktop, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "BOTH", quantity: "60", avgCost: "1" }]);
  const id = stock?.id ?? "";
  const page = await desktop(`/stocks?dialog=edit&id=${id}`, { allow: [/409/] });
  await tabTo(page, page.getByRole("textbox", { name: "Quantity" }));
  await page.keyboard.type("61");
  await tally.act("update-stock", { id, set: { quantity: "62" } });
  await page.keyboard.press("Enter");
  const conflict = page.getByRole("dialog", { name: "BOTH was changed in the meantime" });
  await press(page, conflict.getByRole("radio", { name: /Yours/ }), "ArrowDown");
  await press(page, conflict.getByRole("button", { name: "Save these" }));
  await conflict.waitFor({ state: "detached" });
  expect(await tally.act("get-stock", { id })).toMatchObject({ stock: { quantity: "62" } });
});

it("a chat is found, renamed and deleted", async ({ desktop, script, tally }) => {
  const model = await script([say("Hello there.")]);
  await tally.eventsUntil(await tally.startTurn("keys", model.prompt("Hello")), "run_end");
  const page = await desktop("/");
  const list = page.getByRole("navigation", { name: "Chats" });
  await press(page, list.getByRole("link", { name: /Hello/ }));
  await log(page).getByText("Hello there.").waitFor();
  const menu = page.getByRole("button", { name: "Chat menu" });
  const rename = page.getByRole("button", { name: "Rename" });
  await openMenu(page, menu, rename);
  await page.keyboard.press("Enter");
  await page.getByRole("textbox", { name: "Name" }).fill("By keys");
  await page.keyboard.press("Enter");
  await list.getByRole("link", { name: /By keys/ }).waitFor();
  await waitForFocus(menu);
  await page.keyboard.press("Enter");
  await waitForFocus(rename);
  await press(page, page.getByRole("button", { name: "Delete chat" }));
  await press(page, page.getByRole("dialog").getByRole("button", { name: "Delete chat" }));
  await list.getByRole("link", { name: /By keys/ }).waitFor({ state: "detached" });
  expect(await tally.listThreads()).toEqual([]);
});
