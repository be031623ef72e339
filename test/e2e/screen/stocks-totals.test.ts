/** What the holdings are worth: one figure in the person's own currency, over tab and filters, and what it is made of. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { stopClock } from "../../support/browser/page-life.ts";
import { it } from "../../support/browser/screen-test.ts";
import { waitForRows } from "./stocks-page.ts";

/** In dollars 1500 + 400 + 1375 + 5000 (the rates are those of the site); none of TWD. */
const HOLDINGS = [
  { symbol: "AAPL", quantity: "10", avgCost: "100", lastPrice: "150" },
  { symbol: "MSFT", quantity: "5", avgCost: "100", lastPrice: "80" },
  { symbol: "SAP", currency: "EUR", quantity: "10", avgCost: "100", lastPrice: "110", watched: true },
  { symbol: "SHEL", currency: "GBX", quantity: "100", avgCost: "2500", lastPrice: "3200" },
];

const totals = (page: Page) => page.getByRole("region", { name: "Totals" });

const text = async (page: Page): Promise<string> => (await totals(page).innerText()).replace(/\s+/g, " ");

it("are one figure each, through the rates of the day", async ({ desktop, tally }) => {
  await tally.seedStocks(HOLDINGS);
  const page = await desktop("/stocks", { colorScheme: "light" });
  await totals(page).getByText("$8,275.00").waitFor();
  expect(await text(page)).toMatch(/^Value, USD \$8,275\.00 Today – Gain \+\$1,618\.75\s*\+24\.32% Breakdown$/);
  await expectNoAxeViolations(page);
});

it("say what they leave out", async ({ phone, tally }) => {
  await tally.seedStocks([
    { symbol: "AAPL", quantity: "10", lastPrice: "150", lastPriceAt: "2026-01-05T10:00:00Z" },
    { symbol: "TSM", currency: "TWD", quantity: "10", lastPrice: "900" },
    { symbol: "NONE", quantity: "1" },
  ]);
  const page = await phone("/stocks", { colorScheme: "dark" });
  await totals(page)
    .getByText(/· 1 without a price · no rate for TWD · oldest price \d+ (days|months) ago/)
    .waitFor();
  expect(await text(page)).toContain("Value, USD $1,500.00");
  await expectNoAxeViolations(page);
});

it("are of the only currency where there is no rate for it", async ({ phone, tally }) => {
  await tally.seedStocks([{ symbol: "TSM", currency: "TWD", quantity: "10", lastPrice: "900", avgCost: "800" }]);
  const page = await phone("/stocks");
  await totals(page).getByText("NT$9,000.00").waitFor();
  expect(await text(page)).toMatch(/\+NT\$1,000\.00\s*\+12\.50%/);
});

it("say so where they could not be loaded", async ({ phone, tally, link }) => {
  await tally.seedStocks(HOLDINGS);
  const page = await phone("/stocks", { at: link.url, allow: [/ERR_|Failed/] });
  await totals(page).getByText("$8,275.00").waitFor();
  await page.context().setOffline(true);
  await page.getByRole("tab", { name: /Watchlist/ }).tap();
  await page.getByText("The totals could not be loaded.").waitFor();
});

it("are of the tab and its filters", async ({ desktop, tally }) => {
  await tally.seedStocks(HOLDINGS);
  const page = await desktop("/stocks?tab=holdings&currency=EUR");
  await totals(page).getByText("$1,375.00").waitFor();
  expect(await text(page)).toMatch(/\+\$125\.00\s*\+10\.00%/);
  await page.getByRole("button", { name: "Clear filters" }).click();
  await totals(page).getByText("$8,275.00").waitFor();
  await page.getByRole("tab", { name: /Watchlist/ }).click();
  await totals(page).getByText("$1,375.00").waitFor();
});

it("are of what is searched, read once typing rests", async ({ desktop, tally }) => {
  await tally.seedStocks(HOLDINGS);
  const page = await desktop("/stocks");
  await totals(page).getByText("$8,275.00").waitFor();
  const read: string[] = [];
  page.on("request", (request) => read.push(request.url()));
  await stopClock(page);
  await page.getByRole("searchbox", { name: "Search stocks" }).pressSequentially("msft");
  await page.clock.resume();
  await totals(page).getByText("$400.00", { exact: true }).waitFor();
  expect(await text(page)).toMatch(/Gain −\$100\.00\s*−20\.00%/);
  await page.getByText("Found 1 of 4").waitFor();
  expect(read.filter((url) => url.includes("list-stocks"))).toHaveLength(1);
  await totals(page).getByRole("button", { name: "Breakdown" }).click();
  await page.getByRole("dialog").getByRole("img", { name: "Allocation: MSFT 100%" }).waitFor();
  await page.goBack();
  await page.getByRole("searchbox", { name: "Search stocks" }).fill("nothing like it");
  await page.getByText("No holdings in this view.").waitFor();
});

it("stay until those of another tab are here", async ({ desktop, tally, link }) => {
  await tally.seedStocks(HOLDINGS);
  const page = await desktop("/stocks", { at: link.url });
  await totals(page).getByText("$8,275.00").waitFor();
  const letGo = link.hold("list-stocks");
  await page.getByRole("tab", { name: /Watchlist/ }).click();
  await waitForRows(page, "SAP");
  expect(await text(page)).toMatch(/^Value, USD \$8,275\.00/);
  letGo();
  await totals(page).getByText("$1,375.00").waitFor();
});

it("are never of other stocks than the per cent beside them", async ({ desktop, tally, link }) => {
  await tally.seedStocks(HOLDINGS);
  const page = await desktop("/stocks", { at: link.url });
  await totals(page).getByText("$8,275.00").waitFor();
  const before = await text(page);
  const letGo = link.hold("list-stocks");
  await page.getByRole("button", { name: "Actions for MSFT" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByText("3 stocks", { exact: true }).waitFor();
  expect(await text(page)).toBe(before);
  letGo();
  await totals(page).getByText("$7,875.00").waitFor();
  expect(await text(page)).toMatch(/Gain \+\$1,718\.75\s*\+27\.92%/);
});

it("of a part of the list follow a change in it", async ({ desktop, tally }) => {
  const [apple] = await tally.seedStocks(HOLDINGS);
  const page = await desktop("/stocks?currency=USD");
  await totals(page).getByText("$1,900.00").waitFor();
  await page.getByRole("button", { name: "Actions for AAPL" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await totals(page).getByText("$400.00", { exact: true }).waitFor();
  expect(apple?.symbol).toBe("AAPL");
});

it("say what is missing where nothing can be summed up", async ({ phone, tally }) => {
  await tally.seedStocks([{ symbol: "NVDA", watched: true }]);
  const page = await phone("/stocks");
  await page.getByText("Add a quantity to a stock to see value and gain here.").waitFor();
  await tally.seedStocks([{ symbol: "VOD", quantity: "100" }]);
  await page.reload();
  await page.getByText("Add a price to a holding to see value and gain here.").waitFor();
  // What was paid is known, in another currency, and nothing of what it is worth.
  await tally.seedStocks([{ symbol: "NESN", currency: "CHF", quantity: "33", avgCost: "98.6" }]);
  await page.reload();
  await page.getByText("NESN").waitFor();
  await page.getByText("Add a price to a holding to see value and gain here.").waitFor();
  await page.getByRole("tab", { name: /Watchlist/ }).tap();
  await page.getByText("No holdings in this view.").waitFor();
});

/** Opens the breakdown: the bar of the allocation, the parts of its legend, and what it tells of the chosen one. */
const openBreakdown = async (page: Page, press: "tap" | "click") => {
  await totals(page).getByRole("button", { name: "Breakdown" })[press]();
  const dialog = page.getByRole("dialog", { name: "Breakdown" });
  const bar = dialog.getByRole("img", { name: /^Allocation/ });
  await bar.waitFor();
  return {
    bar,
    legend: dialog.locator("#allocation-part"),
    part: (name: string) => dialog.getByRole("button", { name }),
  };
};

describe("the breakdown", () => {
  it("has the allocation, each currency, and the day of the rates", async ({ phone, tally }) => {
    const paid = { symbol: "PAID", currency: "CHF", quantity: "1", avgCost: "98" };
    await tally.seedStocks([...HOLDINGS, { symbol: "NONE", quantity: "1" }, paid]);
    const page = await phone("/stocks", { colorScheme: "dark" });
    await totals(page).getByRole("button", { name: "Breakdown" }).tap();
    const dialog = page.getByRole("dialog", { name: "Breakdown" });
    await dialog.getByRole("img", { name: "Allocation: SHEL 60%, AAPL 18%, SAP 17%, MSFT 5%" }).waitFor();
    const rows = (await dialog.getByRole("row").allInnerTexts()).map((row) => row.replace(/\s+/g, " ").trim());
    expect(rows).toEqual([
      "Currency Value Gain",
      "CHF – – –",
      "EUR 17% €1,100.00 +€100.00",
      "GBP 60% £3,200.00 +£700.00",
      "USD 23% $1,900.00 +$400.00",
      "Total, USD $8,275.00 +$1,618.75",
    ]);
    await dialog.getByText("In USD at the ECB's reference rates of Nov 20, 2026.").waitFor();
    await dialog.getByText("Without a price, and so not in the value: NONE, PAID.").waitFor();
    await expectNoAxeViolations(page);
    await page.goBack();
    await dialog.waitFor({ state: "detached" });
  });

  it("tells of a part where the pointer is on the bar, and where it is on the legend", async ({ desktop, tally }) => {
    await tally.seedStocks(HOLDINGS);
    const { legend, bar, part } = await openBreakdown(await desktop("/stocks"), "click");
    expect(await legend.innerText()).toBe("Choose a part to see what it is worth.");
    await bar.hover({ position: { x: 20, y: 22 } });
    await legend.getByText("£3,200.00").waitFor();
    await part("AAPL 18%").hover();
    await legend.getByText("$1,500.00").waitFor();
  });

  it("tells of a part that has the focus, also a screen reader", async ({ desktop, tally }) => {
    await tally.seedStocks(HOLDINGS);
    const page = await desktop("/stocks");
    const { legend, part } = await openBreakdown(page, "click");
    await part("AAPL 18%").focus();
    await legend.getByText("$1,500.00").waitFor();
    await page.keyboard.press("Tab");
    await legend.getByText("€1,100.00").waitFor();
    await page.getByRole("button", { name: "SAP 17%", description: "€1,100.00" }).waitFor();
  });

  it("tells of a part that is tapped, on the bar and on the legend", async ({ phone, tally }) => {
    await tally.seedStocks(HOLDINGS);
    const { legend, bar, part } = await openBreakdown(await phone("/stocks"), "tap");
    await bar.tap({ position: { x: 20, y: 22 } });
    await legend.getByText("£3,200.00").waitFor();
    await part("MSFT 5%").tap();
    await legend.getByText("$400.00").waitFor();
  });

  it("tells two markets of one symbol apart", async ({ phone, tally }) => {
    const shell = { symbol: "SHEL", currency: "EUR", quantity: "10", lastPrice: "30" };
    await tally.seedStocks([
      { ...shell, exchange: "XAMS" },
      { ...shell, quantity: "20", exchange: "XETR" },
    ]);
    const { legend, part } = await openBreakdown(await phone("/stocks"), "tap");
    await part("SHEL XETR 67%").tap();
    await legend.getByText("€600.00").waitFor();
    await part("SHEL XAMS 33%").tap();
    await legend.getByText("€300.00").waitFor();
  });

  it("is reached and left by the keyboard", async ({ desktop, tally }) => {
    await tally.seedStocks(HOLDINGS);
    const page = await desktop("/stocks", { colorScheme: "light" });
    await totals(page).getByRole("button", { name: "Breakdown" }).press("Enter");
    await page.getByRole("dialog", { name: "Breakdown" }).getByRole("table").waitFor();
    await expectNoAxeViolations(page);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });
});

it("values of several currencies are sorted by what they are worth", async ({ desktop, tally }) => {
  await tally.seedStocks([
    ...HOLDINGS,
    { symbol: "JPY1", currency: "JPY", quantity: "10", lastPrice: "2000" },
    { symbol: "TSM", currency: "TWD", quantity: "10", lastPrice: "900" },
  ]);
  const page = await desktop("/stocks?sort=-marketValue");
  await waitForRows(page, "SHEL AAPL SAP MSFT JPY1 TSM");
  const { items } = await tally.act("list-stocks", { sort: "marketValue", order: "desc" });
  expect(items.map(({ symbol }) => symbol).join(" ")).toBe("SHEL AAPL SAP MSFT JPY1 TSM");
});
