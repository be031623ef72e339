/** What is typed in a stock's form while it, or a press before it, is being saved: it stays, and is still unsaved. */
import type { Page, Route } from "playwright-core";
import { describe, expect } from "vitest";
import { holdNext } from "../../support/browser/hold-next.ts";
import { it } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";

it("the next symbol, typed while the last one is being added, stays with the focus in it", async ({ desktop }) => {
  const page = await desktop("/stocks?dialog=add&draft=ASML%205%20EUR");
  const letGo = await holdNext(page, "**/add-stock");
  const dialog = page.getByRole("dialog", { name: "Add a stock" });
  const symbol = dialog.getByRole("combobox", { name: "Symbol" });
  await dialog.getByRole("button", { name: "Add and continue" }).click();
  await dialog.getByRole("button", { name: "Saving…" }).waitFor();
  await symbol.fill("phi");
  letGo();
  await page.locator(".toast").getByText("ASML added", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Add stock" }).waitFor();
  await page.keyboard.type("a");
  expect(await symbol.inputValue()).toBe("phia");
  expect(await dialog.getByRole("textbox", { name: "Quantity" }).inputValue()).toBe("");
  await symbol.press("Enter");
  await page.locator(".toast").getByText("PHIA added", { exact: true }).waitFor();
  await dialog.waitFor({ state: "detached" });
});

it("the form of a stock stays open when another one was typed while it was being added", async ({ desktop, tally }) => {
  const page = await desktop("/stocks?dialog=add&draft=ASML");
  const letGo = await holdNext(page, "**/add-stock");
  const dialog = page.getByRole("dialog", { name: "Add a stock" });
  await dialog.getByRole("button", { name: "Add stock" }).click();
  await dialog.getByRole("combobox", { name: "Symbol" }).fill("PHIA");
  letGo();
  await page.locator(".toast").getByText("ASML added", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "Add stock" }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".toast").getByText("PHIA added", { exact: true }).waitFor();
  await dialog.waitFor({ state: "detached" });
  expect(await tally.act("list-stocks", {})).toMatchObject({ total: 2 });
});

it("what was typed while a stock was being saved stays in the form, and is saved after it", async ({
  desktop,
  tally,
}) => {
  const [stock] = await tally.seedStocks([{ symbol: "PART", quantity: "5" }]);
  const page = await desktop(`/stocks?dialog=edit&id=${stock?.id}`);
  const letGo = await holdNext(page, "**/update-stock");
  const dialog = page.getByRole("dialog", { name: "Edit PART" });
  const notes = dialog.getByRole("textbox", { name: "Notes" });
  await dialog.getByRole("textbox", { name: "Quantity" }).fill("6");
  await dialog.getByText("tags, notes, exchange").click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await notes.fill("Bought mor");
  letGo();
  await dialog.getByRole("button", { name: "Save" }).waitFor();
  await waitForFocus(notes);
  await page.keyboard.type("e");
  const request = page.waitForRequest("**/update-stock");
  await dialog.getByRole("button", { name: "Save" }).click();
  expect((await request).postDataJSON()).toMatchObject({ version: 2, set: { notes: "Bought more" } });
  await dialog.waitFor({ state: "detached" });
  const { stock: saved } = await tally.act("get-stock", { symbol: "PART" });
  expect(saved).toMatchObject({ quantity: "6", notes: "Bought more", version: 3 });
});

it("a number that cannot be read is mended before the form is compared with what somebody else saved", async ({
  desktop,
  tally,
}) => {
  const [stock] = await tally.seedStocks([{ symbol: "TYPO", quantity: "5" }]);
  const id = stock?.id ?? "";
  const page = await desktop(`/stocks?dialog=edit&id=${id}`, { allow: [/409/] });
  const letGo = await holdNext(page, "**/update-stock");
  const dialog = page.getByRole("dialog", { name: "Edit TYPO" });
  const quantity = dialog.getByRole("textbox", { name: "Quantity" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Mine");
  await dialog.getByRole("button", { name: "Save" }).click();
  await tally.act("update-stock", { id, set: { quantity: "6" } });
  await quantity.fill("12o");
  letGo();
  await dialog.locator(".problem").filter({ hasText: "Write a number such as 1234.5." }).waitFor();
  await waitForFocus(quantity);
  await quantity.fill("12");
  await dialog.getByRole("button", { name: "Save" }).click();
  const conflict = page.getByRole("dialog", { name: "TYPO was changed in the meantime" });
  expect(await conflict.getByRole("radio", { name: "Yours 12" }).isChecked()).toBe(true);
  await conflict.getByRole("button", { name: "Save these" }).click();
  await conflict.waitFor({ state: "detached" });
  expect(await tally.act("get-stock", { id })).toMatchObject({ stock: { name: "Mine", quantity: "12", version: 3 } });
});

it("Back, while a stock is being saved, keeps what was typed since", async ({ desktop, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "LEFT", quantity: "5" }]);
  const page = await desktop("/stocks");
  await page.getByRole("link", { name: "LEFT" }).click();
  await page.getByRole("dialog", { name: "LEFT" }).getByRole("button", { name: "Edit" }).click();
  const letGo = await holdNext(page, "**/update-stock");
  const dialog = page.getByRole("dialog", { name: "Edit LEFT" });
  await dialog.getByRole("textbox", { name: "Quantity" }).fill("6");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("textbox", { name: "Quantity" }).fill("7");
  await page.goBack();
  await dialog.waitFor({ state: "detached" });
  letGo();
  await page.locator(".toast").getByText("What you typed for LEFT is not saved yet.").waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  expect(await dialog.getByRole("textbox", { name: "Quantity" }).inputValue()).toBe("7");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await tally.act("get-stock", { id: stock?.id ?? "" })).toMatchObject({ stock: { quantity: "7", version: 3 } });
});

it("the form waits for what was pressed before it, which is no change by somebody else", async ({ desktop, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "SLOW", quantity: "5" }]);
  const page = await desktop("/stocks");
  const letGo = await holdNext(page, "**/update-stock");
  await page.getByRole("button", { name: "Watch SLOW" }).click();
  await page.getByRole("link", { name: "SLOW" }).click();
  await page.getByRole("dialog", { name: "SLOW" }).getByRole("button", { name: "Edit" }).click();
  await page.getByRole("dialog", { name: "Loading…" }).waitFor();
  letGo();
  const dialog = page.getByRole("dialog", { name: "Edit SLOW" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Slow and steady");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  const saved = { watched: true, name: "Slow and steady", version: 3 };
  expect(await tally.act("get-stock", { id: stock?.id ?? "" })).toMatchObject({ stock: saved });
});

it("a form that was left with changes does not wait, and what is in it stays", async ({ desktop, tally }) => {
  await tally.seedStocks([{ symbol: "SLOW", quantity: "5" }]);
  const page = await desktop("/stocks");
  await page.getByRole("link", { name: "SLOW" }).click();
  await page.getByRole("dialog", { name: "SLOW" }).getByRole("button", { name: "Edit" }).click();
  const dialog = page.getByRole("dialog", { name: "Edit SLOW" });
  await dialog.getByRole("textbox", { name: "Name" }).fill("Slow and steady");
  await page.goBack();
  await page.goBack();
  const letGo = await holdNext(page, "**/update-stock");
  await page.getByRole("button", { name: "Watch SLOW" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
  expect(await dialog.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Slow and steady");
  letGo();
});

describe("a form whose save fails behind it is continued, though its dialog is open again", () => {
  /** Sends another quantity, goes back, and opens the form again, which waits. The save is answered when the result is called. */
  const editAgain = async (page: Page, answer: (route: Route) => Promise<void>) => {
    await page.getByRole("link", { name: "SLOW" }).click();
    const edit = page.getByRole("dialog", { name: "SLOW", exact: true }).getByRole("button", { name: "Edit" });
    await edit.click();
    const { promise: mayAnswer, resolve } = Promise.withResolvers<void>();
    await page.route(
      "**/update-stock",
      async (route) => {
        await mayAnswer;
        await answer(route);
      },
      { times: 1 },
    );
    const dialog = page.getByRole("dialog", { name: "Edit SLOW" });
    await dialog.getByRole("textbox", { name: "Quantity" }).fill("6");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("button", { name: "Saving…" }).waitFor();
    await page.goBack();
    await edit.click();
    await page.getByRole("dialog", { name: "Loading…" }).waitFor();
    return { quantity: dialog.getByRole("textbox", { name: "Quantity" }), answerNow: resolve };
  };

  it("where the server cannot save it", async ({ desktop, tally }) => {
    await tally.seedStocks([{ symbol: "SLOW", quantity: "5" }]);
    const page = await desktop("/stocks", { allow: [/status of 503/] });
    const { quantity, answerNow } = await editAgain(page, (route) =>
      route.fulfill({ status: 503, json: { error: "The list is unavailable." } }),
    );
    answerNow();
    await page.getByRole("button", { name: "Continue" }).click();
    expect(await quantity.inputValue()).toBe("6");
  });

  it("where somebody else has changed the stock", async ({ desktop, tally }) => {
    const [stock] = await tally.seedStocks([{ symbol: "SLOW", quantity: "5" }]);
    const page = await desktop("/stocks", { allow: [/status of 409/] });
    const { quantity, answerNow } = await editAgain(page, (route) => route.continue());
    await tally.act("update-stock", { id: stock?.id ?? "", set: { quantity: "7" } });
    answerNow();
    await page.getByRole("button", { name: "Continue" }).click();
    await expect.poll(() => quantity.inputValue()).toBe("6");
  });
});
