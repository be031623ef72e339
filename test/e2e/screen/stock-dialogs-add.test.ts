/** Adding a stock by hand: with one thumb, in one line, in another locale, over a bad line. */
import { expect } from "vitest";
import { PHONE } from "../../support/browser/devices.ts";
import { it } from "../../support/browser/screen-test.ts";
import { keepToast } from "../../support/browser/until-seen.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";

it("a stock is added on a phone with its symbol alone", async ({ phone, tally }) => {
  const page = await phone("/stocks");
  await page.getByRole("link", { name: "Add", exact: true }).tap();
  const dialog = page.getByRole("dialog", { name: "Add a stock" });
  const symbol = dialog.getByRole("combobox", { name: "Symbol" });
  await waitForFocus(symbol);
  await page.keyboard.type("nvda");
  await dialog.getByRole("button", { name: "Add stock" }).tap();
  await page.locator(".toast").getByText("NVDA added").waitFor();
  await dialog.waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("");
  expect(await tally.act("get-stock", { symbol: "NVDA" })).toMatchObject({ stock: { watched: true, quantity: null } });
});

it("the form says that a symbol is in the list on another market, before there are two of it", async ({
  desktop,
  tally,
}) => {
  await tally.seedStocks([{ symbol: "AAPL", exchange: "XNAS" }]);
  const page = await desktop("/stocks?dialog=add");
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  const words = page.getByText("AAPL is in your list, on XNAS. This would be a second one.");
  await symbol.fill("aapl");
  await words.waitFor();
  await symbol.fill("aap");
  await words.waitFor({ state: "detached" });
  await symbol.fill("NASDAQ:AAPL");
  await symbol.press("Tab");
  await expect.poll(() => page.getByRole("textbox", { name: "Exchange" }).inputValue()).toBe("XNAS");
  expect(await words.count()).toBe(0);
});

it("one line adds a whole stock, and the form shows how it was understood", async ({ desktop, tally }) => {
  const page = await desktop("/stocks?dialog=add");
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  const watched = page.getByRole("checkbox", { name: "On the watchlist" });
  expect(await watched.isChecked()).toBe(true);
  await symbol.fill("msft 10 @ 410.5 EUR #cloud");
  expect(await watched.isChecked()).toBe(false);
  await symbol.press("Tab");
  expect(await symbol.inputValue()).toBe("MSFT");
  expect(await page.getByRole("textbox", { name: "Quantity" }).inputValue()).toBe("10");
  expect(await page.getByRole("textbox", { name: "Average cost" }).inputValue()).toBe("410.5");
  await page.getByRole("textbox", { name: "Name", exact: true }).press("Enter");
  await page.locator(".toast").getByText("MSFT added").waitFor();
  const { stock } = await tally.act("get-stock", { symbol: "MSFT" });
  expect(stock).toMatchObject({ quantity: "10", avgCost: "410.5", currency: "EUR", tags: ["cloud"], watched: false });
});

it("a link can bring a draft, and the next stock follows in the same dialog", async ({ desktop, tally }) => {
  const page = await desktop("/stocks?dialog=add&draft=ASML%205%20EUR");
  const dialog = page.getByRole("dialog");
  expect(await dialog.getByRole("textbox", { name: "Quantity" }).inputValue()).toBe("5");
  await dialog.getByRole("button", { name: "Add and continue" }).click();
  await page.locator(".toast").getByText("ASML added", { exact: true }).waitFor();
  const symbol = dialog.getByRole("combobox", { name: "Symbol" });
  await expect.poll(() => symbol.inputValue()).toBe("");
  await symbol.fill("PHIA");
  await symbol.press("Enter");
  await page.locator(".toast").getByText("PHIA added", { exact: true }).waitFor();
  expect(await tally.act("get-stock", { symbol: "PHIA" })).toMatchObject({
    stock: { currency: "EUR", quantity: null },
  });
});

it("numbers are typed as the person's locale writes them, and the ambiguous ones are refused", async ({
  pages,
  tally,
}) => {
  const page = await pages.open({ ...PHONE, locale: "de-DE" })("/stocks?dialog=add");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Symbol" }).fill("SAP");
  await dialog.getByText("quantity, cost, price").tap();
  const quantity = dialog.getByRole("textbox", { name: "Quantity" });
  await quantity.fill("1.23,456");
  await dialog.getByRole("button", { name: "Add stock" }).tap();
  await dialog.getByText("1.23,456 has a separator in the wrong place. Write a number such as 1234,5.").waitFor();
  await waitForFocus(quantity);
  await quantity.fill("1.234,5");
  await dialog.getByRole("textbox", { name: "Average cost" }).fill("99.90");
  await dialog.getByRole("button", { name: "Add stock" }).tap();
  await page.locator(".toast").getByText("SAP added").waitFor();
  const { stock } = await tally.act("get-stock", { symbol: "SAP" });
  expect(stock).toMatchObject({ quantity: "1234.5", avgCost: "99.9" });
  await page.goto(`/stocks?dialog=edit&id=${stock.id}`);
  expect(await quantity.inputValue()).toBe("1234,5");
});

it("what the server refuses stands at its field, opened, and takes the focus", async ({ desktop }) => {
  const page = await desktop("/stocks?dialog=add", { allow: [/400/] });
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Symbol" }).fill("BAD");
  await dialog.getByText("tags, notes, exchange").click();
  const isin = dialog.getByRole("textbox", { name: "ISIN" });
  await isin.fill("US0378331006");
  await dialog.getByText("tags, notes, exchange").click();
  await dialog.getByRole("button", { name: "Add stock" }).click();
  await dialog.getByText("Use a 12-character ISIN").waitFor();
  expect(await isin.getAttribute("aria-invalid")).toBe("true");
  await waitForFocus(isin);
});

it("a form whose answer was lost is sent again without adding twice", async ({ phone, tally }) => {
  const page = await phone("/stocks?dialog=add", { allow: [/ERR_/, /add-stock/] });
  const before = (await tally.act("list-stocks", {})).total;
  const dialog = page.getByRole("dialog");
  // The server does its part, and the line breaks before the page hears of it.
  await page.route(
    "**/add-stock",
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await dialog.getByRole("combobox", { name: "Symbol" }).fill("ONCE");
  await dialog.getByRole("button", { name: "Add stock" }).tap();
  await dialog.getByText("What you typed is still here.").waitFor();
  expect(await dialog.getByRole("combobox", { name: "Symbol" }).inputValue()).toBe("ONCE");
  await dialog.getByRole("button", { name: "Add stock" }).tap();
  await page.locator(".toast").getByText("ONCE added").waitFor();
  expect((await tally.act("list-stocks", {})).total).toBe(before + 1);
});

it("a symbol that is in the list already leads to its stock", async ({ phone, tally }) => {
  await tally.seedStocks([{ symbol: "TWICE" }]);
  const page = await phone("/stocks?dialog=add", { allow: [/409/] });
  await page.getByRole("combobox", { name: "Symbol" }).fill("twice");
  await page.getByRole("dialog").getByRole("button", { name: "Add stock" }).tap();
  await page.getByText("TWICE is already in your list.").waitFor();
  await page.getByRole("button", { name: "Open TWICE" }).tap();
  await page.getByRole("dialog", { name: "TWICE" }).waitFor();
});

it("what was typed is not lost: Escape asks, and Back keeps it for later", async ({ desktop }) => {
  const page = await desktop("/stocks");
  await page.getByRole("button", { name: "Add stock" }).first().click();
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  await symbol.fill("DRAFT");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Discard your changes?" }).waitFor();
  await page.keyboard.press("Enter");
  expect(await symbol.inputValue()).toBe("DRAFT");
  await page.goBack();
  await page.locator(".toast").getByText("DRAFT is not saved yet.").waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  expect(await symbol.inputValue()).toBe("DRAFT");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

it("a name that only a price source would know says so, below the field", async ({ phone, tally }) => {
  await tally.seedStocks([{ symbol: "VOD", name: "Vodafone Group" }]);
  const page = await phone("/stocks?dialog=add");
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  await symbol.pressSequentially("siem");
  await page.getByText("Not in your list. Type the symbol itself").waitFor();
  await symbol.fill("vodaf");
  await page.getByRole("option", { name: /^VOD/ }).waitFor();
  await page.getByText("Symbol or name, or all in one line:").waitFor();
});

it("a draft opens as it is, without a question at its end, and leaves an earlier form to be continued", async ({
  desktop,
  tally,
}) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const page = await desktop("/stocks");
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  await page.getByRole("button", { name: "Add stock" }).first().click();
  await symbol.fill("MSFT");
  await page.goBack();
  await keepToast(page, "What you typed for MSFT is not saved yet.");

  await page.getByRole("searchbox").fill("TSLA");
  await page.getByRole("button", { name: "Add “TSLA”" }).click();
  await expect.poll(() => symbol.inputValue()).toBe("TSLA");
  await page.keyboard.press("Escape");
  await symbol.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Add “TSLA”" }).click();
  await expect.poll(() => symbol.inputValue()).toBe("TSLA");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await expect.poll(() => symbol.inputValue()).toBe("MSFT");
  expect(new URL(page.url()).searchParams.get("draft")).toBeNull();
});

it("what was typed into a draft is kept beside an earlier form, and each is continued", async ({ desktop, tally }) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const page = await desktop("/stocks");
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  const goOnWith = (typed: string) =>
    page.locator(".toast").filter({ hasText: typed }).getByRole("button", { name: "Continue" }).click();
  await page.getByRole("button", { name: "Add stock" }).first().click();
  await symbol.fill("MSFT");
  await page.goBack();
  await keepToast(page, "What you typed for MSFT is not saved yet.");
  await page.getByRole("searchbox").fill("TSLA");
  await page.getByRole("button", { name: "Add “TSLA”" }).click();
  await expect.poll(() => symbol.inputValue()).toBe("TSLA");
  await symbol.fill("TSLL");
  await page.goBack();
  await keepToast(page, "What you typed for TSLL is not saved yet.");
  await goOnWith("MSFT");
  await expect.poll(() => symbol.inputValue()).toBe("MSFT");
  await goOnWith("TSLL");
  await expect.poll(() => symbol.inputValue()).toBe("TSLL");
  await page.goBack();
  await goOnWith("MSFT");
  await expect.poll(() => symbol.inputValue()).toBe("MSFT");
});

it("a form that is on the screen already is not continued a second time", async ({ desktop, tally }) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const page = await desktop("/stocks");
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  await page.getByRole("searchbox").fill("TSLA");
  await page.getByRole("button", { name: "Add “TSLA”" }).click();
  await expect.poll(() => symbol.inputValue()).toBe("TSLA");
  await symbol.fill("TSLL");
  await page.goBack();
  await keepToast(page, "What you typed for TSLL is not saved yet.");
  await page.getByRole("button", { name: "Add stock" }).first().click();
  await expect.poll(() => symbol.inputValue()).toBe("TSLL");
  await page.locator(".toast").getByRole("button", { name: "Continue" }).click();
  await page.locator(".toast").getByText("What you typed for TSLL").waitFor({ state: "detached" });
  expect(await symbol.inputValue()).toBe("TSLL");
  expect(new URL(page.url()).searchParams.has("draft")).toBe(false);
});

it("a form that is empty again after a draft was added closes without a question", async ({ desktop }) => {
  const page = await desktop("/stocks?dialog=add&draft=ASML%205%20EUR");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Add and continue" }).click();
  await page.locator(".toast").getByText("ASML added", { exact: true }).waitFor();
  await expect.poll(() => dialog.getByRole("combobox", { name: "Symbol" }).inputValue()).toBe("");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

it("the first press of the mouse adds a stock, though the form grows when the line is split", async ({
  desktop,
  tally,
}) => {
  const page = await desktop("/stocks?dialog=add", { reducedMotion: "reduce" });
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Symbol" }).fill("AAPL 10 @ 180 #tech");
  await dialog.getByRole("button", { name: "Add stock" }).hover();
  await page.mouse.down();
  // People are slower than the next frame.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await page.mouse.up();
  await page.locator(".toast").getByText("AAPL added", { exact: true }).waitFor();
  expect(await tally.act("get-stock", { symbol: "AAPL" })).toMatchObject({
    stock: { quantity: "10", avgCost: "180", tags: ["tech"] },
  });
});

it("a line is split when a part of the form is opened, which stays open", async ({ desktop }) => {
  const page = await desktop("/stocks?dialog=add", { reducedMotion: "reduce" });
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("combobox", { name: "Symbol" }).fill("AAPL 10 @ 180");
  await dialog.getByText("quantity, cost, price").click();
  const quantity = dialog.getByRole("textbox", { name: "Quantity" });
  await quantity.waitFor();
  await expect.poll(() => quantity.inputValue()).toBe("10");
  await expect.poll(() => dialog.getByRole("combobox", { name: "Symbol" }).inputValue()).toBe("AAPL");
});
