/** The list on `/stocks`: reading, sorting and narrowing it, on a phone and on a desktop. */
import { describe, expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { APPLE, STOCKS, waitForRows } from "./stocks-page.ts";

it("shows cards on a phone, and nothing wider than the phone", async ({ phone, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await phone("/stocks", { colorScheme: "dark" });
  await waitForRows(page, "AAPL AMD NESN NVDA");
  const card = page.getByRole("listitem").filter({ hasText: "Apple" });
  expect((await card.innerText()).replaceAll("\n", " ")).toMatch(
    /AAPL XNAS\s+Apple\s+60 × \$226\.84\s*(?:just now|\d+ min ago)\s+\$13,610\.40\s+\+\$2,810\.40\s*\+26\.02%/,
  );
  expect(await page.locator("table").count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expectNoAxeViolations(page);
});

it("a list of which only a part is rendered is printed whole", async ({ desktop, tally }) => {
  await tally.seedStocks(100);
  const page = await desktop("/stocks");
  await page.getByRole("row", { name: /\w/ }).nth(1).waitFor();
  expect(await page.locator("[data-id]").count()).toBeLessThan(100);
  const pdf = await page.pdf({ tagged: true });
  // The rows of the table and its head, in the outline that is there for screen readers.
  expect(pdf.toString("latin1").split("/S /TR")).toHaveLength(1 + 1 + 100);
  await expect.poll(() => page.locator("[data-id]").count()).toBeLessThan(100);
});

it("shows what a holding without a price cost, and takes its price at once", async ({ phone, tally }) => {
  await tally.seedStocks([{ symbol: "HELD", name: "HELD", quantity: "10", avgCost: "5" }]);
  const page = await phone("/stocks");
  const card = page.getByRole("listitem").filter({ hasText: "HELD" });
  expect((await card.innerText()).replace(/\s+/g, " ")).toMatch(/^HELD 10 × \$5\.00 cost \$50\.00 Set price$/);
  await card.getByRole("button", { name: "Set price of HELD" }).tap();
  await page.locator("input:focus").fill("7");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await card.getByText("$70.00").waitFor();
});

it("a table says what a holding was bought at, which is no factor of the value above it", async ({
  desktop,
  tally,
}) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await page.getByRole("row", { name: /AAPL/ }).getByText("60 @ $180.00", { exact: true }).waitFor();
});

it("the watchlist's table shows targets where there is room for them or for gains", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  const heads = () => page.getByRole("columnheader").allInnerTexts();
  await page.getByRole("row", { name: /AAPL/ }).waitFor();
  expect(await heads()).toEqual(["Symbol", "Last", "Today", "Value", "Gain %"]);
  await page.getByRole("tab", { name: /Watchlist/ }).click();
  await waitForRows(page, "NVDA AMD NESN");
  expect(await heads()).toEqual(["Symbol", "Last", "Today", "Target"]);
  expect(await page.getByRole("row", { name: /AMD/ }).getByRole("cell").nth(4).innerText()).toContain("100");
});

it("beside the agent too, a table says how far two targets are, and all of a badge", async ({ desktop, tally }) => {
  await tally.seedStocks([
    { symbol: "AZN", currency: "GBX", lastPrice: "11882", targetLow: "9500", targetHigh: "14000", watched: true },
    { symbol: "WISH", lastPrice: "88.2", targetLow: "90", watched: true },
  ]);
  const page = await desktop("/stocks?tab=watchlist");
  const range = page.getByRole("img", { name: /^Targets: buy at GBX/ });
  // Measured at once: what is above the list may still be on its way.
  const below = await range.getByText("17.8% away").evaluate((words) => {
    const ends = [words, words.closest("[role=img]")].map((box) => box?.getBoundingClientRect().bottom);
    return (ends[0] ?? Number.NaN) - (ends[1] ?? Number.NaN);
  });
  expect(below).toBeLessThanOrEqual(1);
  const line = page.getByRole("row", { name: /WISH/ }).locator(".whole");
  expect(await line.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  // Selected, it is still seen as a badge.
  await page.getByRole("checkbox", { name: "Select WISH" }).check();
  const row = page.getByRole("row", { name: /WISH/ });
  const backgroundOf = (box: Element): string => getComputedStyle(box).backgroundColor;
  await expect.poll(() => row.evaluate(backgroundOf)).not.toBe("rgba(0, 0, 0, 0)");
  expect(await line.locator(".badge").evaluate(backgroundOf)).not.toBe(await row.evaluate(backgroundOf));
  await expectNoAxeViolations(page);
});

it("a holding's line keeps what it is multiplied with exact before it keeps the currency", async ({
  desktop,
  phone,
  tally,
}) => {
  await tally.seedStocks([
    { symbol: "VOD", currency: "GBX", quantity: "1500", lastPrice: "93.14" },
    { symbol: "NESN", currency: "CHF", quantity: "33", avgCost: "98.6" },
  ]);
  const page = await phone("/stocks");
  await page.getByText("1,500 × 93.14p", { exact: true }).waitFor();
  const wide = await desktop("/stocks");
  await wide.getByText("33, at cost", { exact: true }).waitFor();
});

it("shows a table where there is room, with the totals", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks", { colorScheme: "light" });
  await page.getByRole("row", { name: /AAPL/ }).waitFor();
  expect(await page.getByRole("list", { name: /^Stocks/ }).count()).toBe(0);
  expect((await page.getByRole("region", { name: "Totals" }).innerText()).replaceAll("\n", " ")).toMatch(
    /Value, USD \$13,610\.40 Today – Gain \+\$2,810\.40\s*\+26\.02%/,
  );
  await expectNoAxeViolations(page);
});

/** Whether there is a row, and no gap, wherever one looks in the window below `top` px. */
const isFilled = (top: number): boolean => {
  for (let y = top; y < innerHeight - 100; y += 20) {
    if (!document.elementFromPoint(innerWidth / 2, y)?.closest("[data-id]")) return false;
  }
  return true;
};

it("ends a jump in a long list where it went, with all rows that are in view", async ({ phone, desktop, tally }) => {
  await tally.seedStocks(300);
  for (const page of [await phone("/stocks"), await desktop("/stocks")]) {
    await page.getByText("300 stocks").waitFor();
    for (const place of [6_000, 15_000, 3_000, 9_000]) {
      await page.evaluate((y) => scrollTo(0, y), place);
      await page.waitForFunction(isFilled, 120);
      expect(await page.evaluate(() => scrollY)).toBe(place);
      expect(await page.locator("[data-id]").count()).toBeLessThan(60);
    }
  }
});

it("the agent's button hides nothing", async ({ phone, desktop, tally }) => {
  await tally.seedStocks(30);
  const wide = await desktop("/stocks");
  await wide.getByRole("button", { name: "Close the agent" }).click();
  for (const page of [wide, await phone("/stocks")]) {
    await page.getByRole("button", { name: /^Agent/ }).waitFor();
    await page.getByText("30 stocks").waitFor();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    const last = page.locator("[aria-rowindex='31'], [aria-posinset='30']");
    await last.waitFor();
    const row = await last.boundingBox();
    expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0);
    // It is in the sidebar, or in the bar, which the last row ends above.
    const button = page.getByRole("navigation", { name: "Main" }).getByRole("button", { name: /^Agent/ });
    const [box, bar] = await Promise.all([button.boundingBox(), page.locator(".sidebar, .bottom-bar").boundingBox()]);
    expect(box?.y).toBeGreaterThanOrEqual(bar?.y ?? 0);
    const isBeside = (bar?.x ?? 0) + (bar?.width ?? 0) <= (row?.x ?? 0);
    expect(isBeside || (row?.y ?? 0) + (row?.height ?? 0) <= (bar?.y ?? 0)).toBe(true);
  }
});

it("a thousand stocks are counted on the narrowest phone, and nothing is wider than it", async ({ phone, tally }) => {
  await tally.seedStocks(1_000);
  const page = await phone("/stocks");
  await page.getByText("1,000 stocks").waitFor();
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

describe("sorting", () => {
  it("is by the heads of the table, and by one of them at a time", async ({ desktop, tally }) => {
    await tally.seedStocks(STOCKS);
    const page = await desktop("/stocks");
    await page.getByRole("button", { name: "Last", exact: true }).click();
    await waitForRows(page, "AAPL AMD NVDA NESN");
    expect(await page.getByRole("columnheader", { name: "Last" }).getAttribute("aria-sort")).toBe("descending");
    await page.getByRole("button", { name: "Last", exact: true }).click();
    await waitForRows(page, "NVDA AMD AAPL NESN");
    expect(await page.locator("[aria-sort]").count()).toBe(1);
    await page.waitForURL("**/stocks?sort=lastPrice");
  });

  it("is by a choice on a phone", async ({ phone, tally }) => {
    await tally.seedStocks(STOCKS);
    const page = await phone("/stocks");
    await page.getByRole("combobox", { name: "Sort by" }).selectOption("name");
    await waitForRows(page, "AMD AAPL NESN NVDA");
    await page.getByRole("button", { name: "List menu" }).tap();
    await page.getByRole("button", { name: "Sort descending" }).tap();
    await waitForRows(page, "NVDA NESN AAPL AMD");
  });

  it("of the watchlist begins with the reached targets, and says how far the others are", async ({ phone, tally }) => {
    await tally.seedStocks(STOCKS);
    const page = await phone("/stocks");
    await page.getByRole("tab", { name: "Watchlist 3" }).tap();
    await waitForRows(page, "NVDA AMD NESN");
    await page.getByRole("listitem").filter({ hasText: "buy target reached" }).waitFor();
    await page.getByRole("img", { name: "Targets: buy at $120.00, sell at $190.00", exact: true }).waitFor();
    const far = page.getByRole("img", { name: "Targets: buy at $100.00, 33.3% away", exact: true });
    expect(await far.textContent()).toBe("100.0033.3% away");
    await page.keyboard.press("ArrowRight");
    await waitForRows(page, "AAPL");
    await page.goBack();
    await waitForRows(page, "NVDA AMD NESN");
  });
});

it("filters by status, currency, target and tags, and says how much is left", async ({ phone, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await phone("/stocks");
  await page.getByRole("button", { name: "Filters" }).tap();
  const dialog = page.getByRole("dialog", { name: "Filters" });
  await dialog.getByRole("checkbox", { name: "chips 2" }).check();
  await dialog.getByRole("button", { name: "Show 2 stocks" }).waitFor();
  await dialog.getByRole("checkbox", { name: "Target reached" }).check();
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  await dialog.getByRole("button", { name: "Show 1 stock" }).tap();
  await waitForRows(page, "NVDA");
  await page.getByText("Filtered: 1 of 4").waitFor();
  await page.getByRole("button", { name: "Filters, 2 on" }).tap();
  await dialog.getByRole("button", { name: "Clear filters" }).tap();
  await dialog.getByRole("combobox", { name: "Currency" }).selectOption("CHF");
  await page.keyboard.press("Escape");
  await waitForRows(page, "NESN");
  await page.waitForURL("**/stocks?currency=CHF");
});

it("filters by what is held, only watched, or neither", async ({ phone, tally }) => {
  await tally.seedStocks([...STOCKS, { symbol: "IDLE", watched: false }]);
  const page = await phone("/stocks");
  await page.getByRole("button", { name: "Filters" }).tap();
  const dialog = page.getByRole("dialog", { name: "Filters" });
  const status = dialog.getByRole("combobox", { name: "Status" });
  await status.selectOption("Watched only");
  await waitForRows(page, "AMD NESN NVDA");
  await status.selectOption("Held");
  await waitForRows(page, "AAPL");
  await status.selectOption("Neither held nor watched");
  await dialog.getByRole("button", { name: "Show 1 stock" }).tap();
  await waitForRows(page, "IDLE");
  await page.waitForURL("**/stocks?status=inactive");
  await page.getByRole("button", { name: "Filters, 1 on" }).waitFor();
});

it("a star puts a stock on the watchlist, and the row's menu takes it off again", async ({ desktop, tally }) => {
  const [apple] = await tally.seedStocks([APPLE]);
  const page = await desktop("/stocks");
  const saved = () => page.waitForResponse("**/_framework/actions/update-stock");
  const [first] = await Promise.all([saved(), page.getByRole("button", { name: "Watch AAPL" }).click()]);
  expect(await first.json()).toMatchObject({ stock: { watched: true } });
  await page.getByRole("button", { name: "Remove AAPL from watchlist" }).waitFor();
  await page.getByRole("button", { name: "Actions for AAPL" }).click();
  await Promise.all([saved(), page.getByRole("button", { name: "Remove from watchlist", exact: true }).click()]);
  await page.getByRole("button", { name: "Watch AAPL" }).waitFor();
  expect((await tally.act("get-stock", { id: apple?.id ?? "" })).stock.watched).toBe(false);
});
