/** The account's part about prices: the person's currency, and a key of their own (api.md §8). */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { openAccount } from "../../support/browser/account-steps.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { holdNext } from "../../support/browser/hold-next.ts";
import type { Person } from "../../support/browser/person.ts";
import { it } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { priceRoom } from "../../support/price-server/price-room.ts";
import { APPLE, tradingDay } from "../../support/price-server/trading-day.ts";

const openPrices = async (page: Page, { email }: Person) => {
  await openAccount(page, email);
  const dialog = page.getByRole("dialog", { name: "Account" });
  await dialog.getByRole("heading", { name: "Prices" }).waitFor();
  return dialog;
};

it("the total is in the currency that is chosen", async ({ desktop, person, tally }) => {
  await tally.seedStocks([{ symbol: "AAPL", quantity: "10", lastPrice: "125" }]);
  const page = await desktop("/stocks", { colorScheme: "light" });
  const dialog = await openPrices(page, person);
  await dialog.getByRole("combobox", { name: "Your currency" }).selectOption("EUR");
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await page.getByRole("region", { name: "Totals" }).getByText("€1,000.00").waitFor();
});

it("a key leads from an empty list to a price, its small line and a chart", async ({
  desktop,
  person,
  site,
  tally,
}) => {
  const closes = [8, 7, 6, 5, 4, 3].map((nth, place): [string, string] => [tradingDay(nth), String(70 + place)]);
  const listed = { ...APPLE, symbol: "VOD", mic: "XLON", market: "LSE", name: "Vodafone Group", currency: "GBp" };
  const room = priceRoom(site.priceUrl);
  await room.set({ key: room.key, listings: [{ ...listed, price: "76.5", previousClose: "75", closes }] });
  const page = await desktop("/stocks", { colorScheme: "dark" });
  const account = await openPrices(page, person);
  await account.getByLabel("Key", { exact: true }).fill(room.key);
  await page.keyboard.press("Enter");
  await account.getByText(/Prices come from Twelve Data, with your key/).waitFor();
  await page.keyboard.press("Escape");
  await page.goto("/stocks?dialog=add");
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  await symbol.pressSequentially("vodaf");
  await page.getByRole("option", { name: "VOD Vodafone Group XLON · GBX" }).click();
  await waitForFocus(symbol);
  await page.keyboard.press("Enter");
  const row = page.locator("[data-id]").filter({ hasText: "Vodafone Group" });
  await row.waitFor();
  // The page asks for them three times in all; how soon the server has them is not what this is about.
  await expect.poll(async () => (await tally.act("list-stocks", { spark: true })).items[0]?.spark).toBeTruthy();
  await page.reload();
  await row.getByText("GBX 76.5").waitFor();
  await row.getByText("+2.00%").waitFor();
  await row.getByText(/^(close|\d+ days old)/).waitFor();
  await row.locator("svg.spark").waitFor();
  await row.getByRole("link", { name: "VOD" }).click();
  const plot = page.getByRole("slider", { name: "Closes of VOD" });
  await plot.waitFor();
  expect(await plot.getAttribute("aria-valuemax")).toBe(String(closes.length - 1));
  await expectNoAxeViolations(page);
});

it("a key is taken when its source takes it, is never shown again, and can be removed", async ({
  phone,
  person,
  site,
  tally,
}) => {
  const room = priceRoom(site.priceUrl);
  await room.set({ key: room.key, listings: [APPLE] });
  await priceRoom(site.priceUrl, "wrong").set({ key: "right" });
  await tally.seedStocks([{ symbol: "AAPL", exchange: "XNAS", quantity: "1" }]);
  const page = await phone("/stocks", { colorScheme: "dark", allow: [/400/] });
  const dialog = await openPrices(page, person);
  const key = dialog.getByLabel("Key", { exact: true });
  await key.fill("wrong");
  await dialog.getByRole("button", { name: "Save the key" }).tap();
  await dialog.getByText("The source refuses this key.", { exact: true }).first().waitFor();
  await expectNoAxeViolations(page);
  await key.fill(room.key);
  await key.press("Enter");
  await dialog.getByText(/Prices come from Twelve Data, with your key/).waitFor();
  await dialog.getByRole("link", { name: "Data provided by Twelve Data" }).waitFor();
  expect(await page.content()).not.toContain(room.key);
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Remove the key" }).tap();
  await dialog.getByRole("button", { name: "Save the key" }).waitFor();
  // The pressed button is gone.
  await waitForFocus(dialog.getByRole("heading", { name: "Prices" }));
});

it("the currency that was picked last is shown at once, and is the one that is saved", async ({ desktop, person }) => {
  const page = await desktop("/stocks");
  const dialog = await openPrices(page, person);
  const choice = dialog.getByRole("combobox", { name: "Your currency" });
  await choice.waitFor();
  const letGo = await holdNext(page, "**/_framework/settings", { method: "PATCH" });
  const saved = page.waitForResponse(
    (response) => response.ok() && response.request().postData() === JSON.stringify({ baseCurrency: "CHF" }),
  );
  await choice.selectOption("EUR");
  expect(await choice.inputValue()).toBe("EUR");
  await choice.selectOption("CHF");
  letGo();
  await saved;
  expect(await choice.inputValue()).toBe("CHF");
});

it("a key that is removed takes the focus along only where nobody has gone on to write", async ({
  desktop,
  person,
  prices,
}) => {
  await prices({ listings: [] });
  const page = await desktop("/stocks");
  const dialog = await openPrices(page, person);
  const name = dialog.getByLabel("New organization's name");
  const letGo = await holdNext(page, "**/quotes-key", { method: "DELETE" });
  await dialog.getByRole("button", { name: "Remove the key" }).click();
  await name.fill("In");
  const listed = page.waitForResponse(/list-stocks/);
  letGo();
  await listed;
  await dialog.getByRole("button", { name: "Save the key" }).waitFor();
  await page.keyboard.type("n");
  expect(await name.inputValue()).toBe("Inn");
});
