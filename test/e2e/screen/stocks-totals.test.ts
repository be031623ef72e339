/** What holdings in several currencies are worth: each currency by itself, never summed up. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";

/** Three in dollars, two in euros, one in pounds: in this order the currencies are shown. */
const HOLDINGS = [
  { symbol: "AAPL", quantity: "10", avgCost: "100", lastPrice: "150" },
  { symbol: "MSFT", quantity: "5", avgCost: "100", lastPrice: "80" },
  { symbol: "TSLA", quantity: "1", avgCost: "100", lastPrice: "100" },
  { symbol: "SAP", currency: "EUR", quantity: "6", avgCost: "100", lastPrice: "110" },
  { symbol: "ALV", currency: "EUR", quantity: "2", avgCost: "200", lastPrice: "170" },
  { symbol: "SHEL", currency: "GBP", quantity: "100", avgCost: "25", lastPrice: "20" },
];

const totals = (page: Page) => page.getByRole("region", { name: "Totals" });

/** The figures as one reads them, a currency each. */
const figures = async (page: Page): Promise<string[]> =>
  (await totals(page).locator("dl").allInnerTexts()).map((text) => text.replace(/\s+/g, " "));

it("are figures and an allocation for each of two currencies", async ({ desktop, tally }) => {
  await tally.seedStocks(HOLDINGS.slice(0, 5));
  const page = await desktop("/stocks");
  await totals(page).getByRole("img", { name: "Allocation in USD: AAPL 75%, MSFT 20%, TSLA 5%" }).waitFor();
  await totals(page).getByRole("img", { name: "Allocation in EUR: SAP 66%, ALV 34%" }).waitFor();
  expect(await figures(page)).toEqual([
    expect.stringMatching(/^Value, USD \$2,000\.00 Gain \+\$400\.00\s*\+25\.00%$/),
    expect.stringMatching(/^Value, EUR €1,000\.00 Gain €0\.00\s*0\.00%$/),
  ]);
  expect(await totals(page).getByRole("button").count()).toBe(0);
});

it("hide the third currency behind a button of a wide window", async ({ desktop, tally }) => {
  await tally.seedStocks(HOLDINGS);
  const page = await desktop("/stocks", { colorScheme: "light" });
  await totals(page).getByRole("button", { name: "+1 more currencies" }).click();
  await totals(page).getByRole("img", { name: "Allocation in GBP: SHEL 100%" }).waitFor();
  expect((await figures(page)).at(-1)).toMatch(/^Value, GBP £2,000\.00 Gain −£500\.00\s*−20\.00%$/);
  await expectNoAxeViolations(page);
  await totals(page).getByRole("button", { name: "Show fewer currencies" }).click();
  await totals(page).getByText("Value, GBP").waitFor({ state: "detached" });
});

it("are of one currency on a phone, and of all when asked", async ({ phone, tally }) => {
  await tally.seedStocks(HOLDINGS);
  const page = await phone("/stocks", { colorScheme: "dark" });
  const more = totals(page).getByRole("button", { name: "+2 more currencies" });
  expect(await more.getAttribute("aria-expanded")).toBe("false");
  expect(await figures(page)).toHaveLength(1);
  await more.tap();
  await totals(page).getByText("Value, GBP").waitFor();
  expect(await figures(page)).toHaveLength(3);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expectNoAxeViolations(page);
  await totals(page).getByRole("button", { name: "Show fewer currencies" }).tap();
  await totals(page).getByText("Value, GBP").waitFor({ state: "detached" });
  expect(await figures(page)).toEqual([expect.stringContaining("Value, USD")]);
});

it("begin with the currency of most stocks, pence among the pounds", async ({ phone, tally }) => {
  await tally.seedStocks([
    { symbol: "SAP", currency: "EUR", quantity: "1", lastPrice: "50" },
    { symbol: "VOD", currency: "GBX", quantity: "1", lastPrice: "100" },
    { symbol: "BP", currency: "GBX", quantity: "1", lastPrice: "400" },
  ]);
  const page = await phone("/stocks");
  await totals(page).getByText("Value, GBP").waitFor();
  expect(await figures(page)).toHaveLength(1);
});

it("say what is missing where nothing can be summed up", async ({ phone, tally }) => {
  await tally.seedStocks([{ symbol: "NVDA", watched: true }]);
  const page = await phone("/stocks");
  await page.getByText("Add a quantity to a stock to see value and gain here.").waitFor();
  await tally.seedStocks([{ symbol: "VOD", quantity: "100" }]);
  await page.reload();
  await page.getByText("Add a price to a holding to see value and gain here.").waitFor();
});

it("count pence as pounds", async ({ desktop, tally }) => {
  await tally.seedStocks([
    { symbol: "SHEL", currency: "GBP", quantity: "30", lastPrice: "20" },
    { symbol: "VOD", currency: "GBX", quantity: "400", lastPrice: "100" },
  ]);
  const page = await desktop("/stocks");
  await totals(page).getByRole("img", { name: "Allocation in GBP: SHEL 60%, VOD 40%" }).waitFor();
  await totals(page).getByText("£1,000.00").waitFor();
});
