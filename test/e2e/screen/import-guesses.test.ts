/** Imports that leave something open: what was guessed is shown, what cannot be read is said, and both can be put right. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { holdNext } from "../../support/browser/hold-next.ts";
import { it } from "../../support/browser/screen-test.ts";
import { sampleStocks } from "../../support/browser/stock-samples.ts";

const IMPORT = "/stocks?dialog=import";

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

const preview = async (page: Page, typed: string, confirm: string): Promise<void> => {
  await page.getByLabel("Paste symbols, lines or a table").fill(typed);
  await press(page, "Preview");
  await page.getByRole("button", { name: confirm, exact: true }).waitFor();
};

const finish = async (page: Page, confirm: string): Promise<void> => {
  await press(page, confirm);
  await page.getByRole("heading", { name: "Import finished" }).waitFor();
};

const YAHOO = "Symbol,Current Price,Date,Purchase Price,Quantity,High Limit,Low Limit";

it("a Yahoo file's stocks are in the currency of their market, and what was guessed is shown", async ({
  phone,
  tally,
}) => {
  const page = await phone(IMPORT);
  await preview(page, `${YAHOO}\nSAP.DE,,,100,2,,\nVOD.L,,,70.5,10,,\nAAPL,,,180,1,,`, "Import 3 stocks");
  await page.getByText(".DE is XETR, EUR (1); .L is XLON, GBX (pence) (1)").waitFor();
  await page.getByText("Guessed from .L: XLON, GBX (pence).").waitFor();
  await expectNoAxeViolations(page);
  await page.getByText("Options", { exact: true }).click();
  await page.getByLabel("London (.L)").selectOption("All in pounds (GBP)");
  await page.getByText("Guessed from .L: XLON, GBP.").waitFor();
  await finish(page, "Import 3 stocks");
  const { items } = await tally.act("list-stocks", { sort: "symbol" });
  expect(items.map(({ symbol, exchange, currency, costBasis }) => [symbol, exchange, currency, costBasis])).toEqual([
    ["AAPL", null, "USD", "180"],
    ["SAP.DE", "XETR", "EUR", "200"],
    ["VOD.L", "XLON", "GBP", "705"],
  ]);
});

it("a quantity that is not known is a problem, and not a stock to watch", async ({ desktop }) => {
  const page = await desktop(IMPORT);
  await preview(page, "Wertpapier;Anzahl;Kaufpreis\nSAP;N/A;99,90\nALV;2;100,50", "Import 1 stock");
  await page.getByText("“N/A” is not a number. Write how many you hold").waitFor();
  await page.getByText("all 3 used").waitFor();
  await page.getByText("2 × $100.50").waitFor();
  await page.getByText("No column says the currency: read as USD. Another can be chosen under “Options”.").waitFor();
  await page.getByText("Options", { exact: true }).click();
  await page.getByLabel("Default currency").selectOption("EUR");
  await page.getByText("No column says the currency: read as EUR.").waitFor();
});

it("nothing is said of a currency that is missing where each symbol names one", async ({ phone }) => {
  const page = await phone(IMPORT);
  await preview(page, `${YAHOO}\nBTC-EUR,,,40000,2,,\nSAP.DE,,,100,2,,`, "Import 2 stocks");
  await page.getByText("Guessed from BTC-EUR: EUR.").waitFor();
  expect(await page.getByText("No column says the currency").count()).toBe(0);
});

it("a file without symbols is told about once, and its lines come back with the column that is chosen", async ({
  phone,
}) => {
  const page = await phone(IMPORT);
  await preview(page, "Code,Name,Quantity\nSAP,SAP SE,2\nALV,Allianz,1", "Nothing to import");
  await page.getByRole("alert").filter({ hasText: "No column holds the symbols" }).waitFor();
  expect(await page.getByText("The symbol is missing on this line.").count()).toBe(0);
  await expectNoAxeViolations(page);
  await page.getByLabel("Column Code holds").selectOption("Symbol");
  await page.getByRole("button", { name: "Import 2 stocks" }).waitFor();
  expect(await page.getByText("No column holds the symbols").count()).toBe(0);
});

it("a broker's file that names stocks by their ISINs, and finds them again once they have symbols", async ({
  phone,
  tally,
}) => {
  const page = await phone(IMPORT);
  const orders = [
    "Datum,Tijd,Product,ISIN,Beurs,Uitvoeringsplaats,Aantal,Koers,,Lokale waarde,,Waarde,,Wisselkoers,,,Totaal,,Order ID",
    '12-03-2026,10:01,ASML HOLDING,NL0010273215,EAM,XAMS,2,"650,00",EUR,"-1300,00",EUR,"-1300,00",EUR,,,,"-1300,00",EUR,x',
  ].join("\n");
  await preview(page, orders, "Import 1 stock");
  await page.getByText("so each stock is listed by its ISIN").waitFor();
  await expectNoAxeViolations(page);
  await finish(page, "Import 1 stock");
  const [stock] = (await tally.act("list-stocks", {})).items;
  expect(stock).toMatchObject({
    ...{ symbol: "NL0010273215", isin: "NL0010273215", name: "ASML HOLDING" },
    ...{ currency: "EUR", quantity: "2", avgCost: "650" },
  });
  await tally.act("update-stock", { id: String(stock?.id), set: { symbol: "ASML", exchange: "XAMS" } });
  await page.goto(IMPORT);
  await preview(page, orders, "Nothing to import");
  await page.getByText("NL0010273215 is ASML in your list.").waitFor();
});

it("lines above the header are left out, and the preview says how many", async ({ desktop }) => {
  const page = await desktop(IMPORT);
  await preview(page, "Depot\nDepotnummer;123456789\n\nSymbol;Anzahl\nSAP;2", "Import 1 stock");
  await page.getByText("3 lines above the header are left out.").waitFor();
  await page.getByText("Options", { exact: true }).click();
  expect(await page.getByLabel("Line 4", { exact: true }).inputValue()).toBe("yes");
});

it("a symbol with its market's ending is the stock that the list has without it", async ({ desktop, tally }) => {
  await tally.seedStocks([{ symbol: "SAP", exchange: "XETR", currency: "EUR", quantity: "5", avgCost: "90" }]);
  const page = await desktop(IMPORT);
  await preview(page, `${YAHOO}\nSAP.DE,,,100,2,,`, "Nothing to import");
  await page.locator(".import-outcome").getByText("Will be skipped").waitFor();
  await page.getByText("SAP.DE is SAP in your list.").waitFor();
  await page.getByText("Options", { exact: true }).click();
  await page.getByLabel("Stocks already in the list").selectOption("Update them");
  await page.locator(".import-outcome").getByText("Will be updated").waitFor();
  await finish(page, "Import 1 stock");
  const { items } = await tally.act("list-stocks", {});
  expect(items).toMatchObject([{ symbol: "SAP", exchange: "XETR", quantity: "2", avgCost: "100" }]);
});

it("a long result begins at its heading", async ({ phone }) => {
  const page = await phone(IMPORT);
  await preview(page, Array.from({ length: 60 }, (_, index) => `Q${index} 1`).join("\n"), "Import 60 stocks");
  await page.getByText("Line 60", { exact: true }).scrollIntoViewIfNeeded();
  await finish(page, "Import 60 stocks");
  const body = page.locator("dialog .body");
  const [heading, view] = await Promise.all([
    page.getByRole("heading", { name: "Import finished" }).boundingBox(),
    body.boundingBox(),
  ]);
  expect(heading?.y).toBeGreaterThanOrEqual(view?.y ?? Number.NaN);
  expect(heading?.y).toBeLessThan((view?.y ?? 0) + 40);
});

it("several stocks change their currency at once, and back", async ({ phone, tally }) => {
  await tally.seedStocks([
    { symbol: "AAA", quantity: "1", avgCost: "5", currency: "USD" },
    { symbol: "BBB", quantity: "1", avgCost: "5", currency: "EUR" },
    { symbol: "CCC", quantity: "1", avgCost: "5", currency: "GBP" },
  ]);
  const currencies = async () =>
    (await tally.act("list-stocks", { sort: "symbol" })).items.map(({ currency }) => currency);
  const page = await phone("/stocks", { colorScheme: "dark" });
  await page.getByRole("button", { name: "List menu" }).tap();
  await page.getByRole("button", { name: "Select", exact: true }).tap();
  const bar = page.getByRole("region", { name: "Selected stocks" });
  expect(await bar.getByRole("button", { name: "Delete" }).isDisabled()).toBe(true);
  await page.getByRole("checkbox", { name: "Select AAA" }).check();
  await page.getByRole("checkbox", { name: "Select BBB" }).check();
  await bar.getByRole("button", { name: "Currency" }).tap();
  await page.getByText("Now USD, EUR.").waitFor();
  await page.getByRole("combobox", { name: "Currency" }).selectOption("GBX");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Change to GBX" }).tap();
  await page.locator(".toast").getByText("2 stocks are in GBX now").waitFor();
  const undo = page.getByRole("button", { name: "Undo" });
  // A message stays for as long as it has the focus.
  await undo.focus();
  await expect.poll(currencies).toEqual(["GBX", "GBX", "GBP"]);
  await undo.tap();
  await expect.poll(currencies).toEqual(["USD", "EUR", "GBP"]);
});

it("nothing is checked before all of the list is read, which may have the stock", async ({ desktop, tally }) => {
  // On the second page.
  await tally.seedStocks([...sampleStocks(200), { symbol: "ZZZ", exchange: "XNAS", quantity: "5" }]);
  const page = await desktop("/stocks", { allow: [/status of 400/] });
  const checks: unknown[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/add-stock")) checks.push(request.postDataJSON());
  });
  const rest = /list-stocks\?.*cursor/;
  await page.route(rest, (route) => route.fulfill({ status: 400, json: { error: "Not now." } }));
  await page.goto(IMPORT);
  await preview(page, "ZZZ 5 @ 10", "Check again");
  await page.locator(".import-problem").getByText("Not now.").waitFor();
  const letGo = await holdNext(page, rest, { method: "GET" });
  await press(page, "Check again");
  await page.getByRole("button", { name: "Checking", exact: true }).waitFor();
  letGo();
  await page.getByRole("button", { name: "Nothing to import", exact: true }).waitFor();
  await page.getByText("Matched to the one on XNAS.").waitFor();
  expect(checks).toMatchObject([{ items: [{ symbol: "ZZZ", exchange: "XNAS" }], dryRun: true }]);
});
