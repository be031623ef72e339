/** The list on `/stocks`: finding, narrowing, sorting and reading it, on a phone and on a desktop. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";

const APPLE = { symbol: "AAPL", name: "Apple", exchange: "XNAS", quantity: "60", avgCost: "180", lastPrice: "226.84" };
const NESTLE = { symbol: "NESN", name: "Nestlé", currency: "CHF", watched: true, tags: ["food"] };
const NVIDIA = {
  symbol: "NVDA",
  name: "NVIDIA",
  lastPrice: "118.2",
  targetLow: "120",
  targetHigh: "190",
  tags: ["chips"],
};
const AMD = { symbol: "AMD", name: "Advanced Micro Devices", lastPrice: "150", targetLow: "100", tags: ["chips"] };
const STOCKS = [APPLE, NESTLE, NVIDIA, AMD];

/** Waits until the rows are of these symbols, in this order. */
const waitForRows = async (page: Page, expected: string): Promise<void> => {
  await page.waitForFunction(
    (text) => [...document.querySelectorAll("[data-id] .open")].map((link) => link.textContent).join(" ") === text,
    expected,
  );
};

it("shows cards on a phone, and nothing wider than the phone", async ({ phone, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await phone("/stocks", { colorScheme: "dark" });
  await waitForRows(page, "AAPL AMD NESN NVDA");
  const card = page.getByRole("listitem").filter({ hasText: "Apple" });
  expect((await card.innerText()).replaceAll("\n", " ")).toMatch(
    /AAPL XNAS \$13,610\.40 Apple \+\$2,810\.40\s*\+26\.02% 60 × \$180\.00 \$226\.84 · just now/,
  );
  expect(await page.locator("table").count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expectNoAxeViolations(page);
});

it("shows a holding without a price, and no age of one", async ({ phone, tally }) => {
  await tally.seedStocks([{ symbol: "HELD", name: "Held", quantity: "10", avgCost: "5" }]);
  const page = await phone("/stocks");
  const card = page.getByRole("listitem").filter({ hasText: "HELD" });
  expect((await card.innerText()).replaceAll("\n", " ")).toMatch(/10 × \$5\.00 –$/);
});

it("shows a table where there is room, with the totals of each currency", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks", { colorScheme: "light" });
  await page.getByRole("row", { name: /AAPL/ }).waitFor();
  expect(await page.getByRole("list", { name: /^Stocks/ }).count()).toBe(0);
  expect((await page.getByRole("region", { name: "Totals" }).innerText()).replaceAll("\n", " ")).toMatch(
    /Value, USD \$13,610\.40 Gain \+\$2,810\.40\s*\+26\.02%/,
  );
  await page.getByRole("img", { name: "Allocation in USD: AAPL 100%" }).waitFor();
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

it("a thousand stocks are counted on the narrowest phone, and nothing is wider than it", async ({ phone, tally }) => {
  await tally.seedStocks(1_000);
  const page = await phone("/stocks");
  await page.getByText("1,000 stocks").waitFor();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

describe("search", () => {
  it("finds while one types, marks it, tells the count, and keeps it in the address", async ({ phone, tally }) => {
    await tally.seedStocks(STOCKS);
    const page = await phone("/stocks");
    await page.getByRole("searchbox", { name: "Search stocks" }).fill("nestle");
    await waitForRows(page, "NESN");
    expect(await page.locator("mark").allInnerTexts()).toEqual(["Nestlé"]);
    await page.getByText("Filtered: 1 of 4").waitFor();
    await page.waitForURL("**/stocks?q=nestle");
    await page.reload();
    await waitForRows(page, "NESN");
    await page.getByRole("button", { name: "Clear search and filters" }).tap();
    await waitForRows(page, "AAPL AMD NESN NVDA");
    await page.waitForURL("**/stocks");
  });

  it("follows each letter at once, and on a slow device when the typing pauses", async ({ desktop, tally }) => {
    await tally.seedStocks(STOCKS);
    const page = await desktop("/stocks");
    await waitForRows(page, "AAPL AMD NESN NVDA");
    const rows = () => page.locator("[data-id] .open").allInnerTexts();
    // From here on time, and with it the frames, goes on only when it is told to.
    await page.clock.install();
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
    const search = page.getByRole("searchbox", { name: "Search stocks" });
    await search.press("n");
    await page.clock.runFor(50);
    expect(await rows()).toEqual(["NESN", "NVDA", "AAPL", "AMD"]);

    // Whatever is done takes 10 ms.
    await page.evaluate(() => {
      const now = performance.now.bind(performance);
      let spentMs = 0;
      performance.now = () => {
        spentMs += 10;
        return now() + spentMs;
      };
    });
    for (const letter of "vid") {
      await search.press(letter);
      await page.clock.runFor(150);
      expect(await rows()).toEqual(["NESN", "NVDA", "AAPL", "AMD"]);
    }
    expect(await search.inputValue()).toBe("nvid");
    await page.clock.runFor(100);
    expect(await rows()).toEqual(["NVDA"]);

    // Enter goes to what was typed, also while the list is still behind.
    await search.fill("chips");
    await search.press("Enter");
    await page.clock.runFor(300);
    expect(await rows()).toEqual(["AMD", "NVDA"]);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("AMD");
    await search.fill("nestle");
    await search.press("ArrowDown");
    await page.clock.runFor(300);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("NESN");

    // What is cleared meanwhile stays cleared.
    await search.press("s");
    await page.getByRole("button", { name: "Clear search and filters" }).click();
    await page.clock.runFor(300);
    expect(await rows()).toEqual(["AAPL", "AMD", "NESN", "NVDA"]);
    expect(await search.inputValue()).toBe("");
  });

  it("is reached by the slash key, and emptied by Escape", async ({ desktop, tally }) => {
    await tally.seedStocks(STOCKS);
    const page = await desktop("/stocks");
    await waitForRows(page, "AAPL AMD NESN NVDA");
    await page.keyboard.press("/");
    await page.keyboard.type("chips");
    await waitForRows(page, "AMD NVDA");
    await page.keyboard.press("Escape");
    await waitForRows(page, "AAPL AMD NESN NVDA");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Search stocks");
  });

  it("offers to add what it does not find, by Enter as well", async ({ phone, tally }) => {
    await tally.seedStocks(STOCKS);
    const page = await phone("/stocks");
    await page.getByRole("searchbox").fill("TSLA");
    await page.getByRole("heading", { name: "Nothing matches “TSLA”" }).waitFor();
    await page.getByRole("button", { name: "Add “TSLA”" }).waitFor();
    await expectNoAxeViolations(page);
    await page.getByRole("searchbox").press("Enter");
    await page.waitForURL("**/stocks?**dialog=add&draft=TSLA");
  });
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
    await page.getByRole("button", { name: /Sort descending/ }).tap();
    await waitForRows(page, "NVDA NESN AAPL AMD");
  });

  it("of the watchlist begins with the reached targets", async ({ phone, tally }) => {
    await tally.seedStocks(STOCKS);
    const page = await phone("/stocks");
    await page.getByRole("tab", { name: "Watchlist 3" }).tap();
    await waitForRows(page, "NVDA AMD NESN");
    await page.getByRole("listitem").filter({ hasText: "below buy target" }).waitFor();
    await page.getByRole("img", { name: "Targets: buy at $120.00, sell at $190.00" }).waitFor();
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

it("a star puts a stock on the watchlist, and the row's menu takes it off again", async ({ phone, tally }) => {
  const [apple] = await tally.seedStocks([APPLE]);
  const page = await phone("/stocks");
  const saved = () => page.waitForResponse("**/_framework/actions/update-stock");
  const [first] = await Promise.all([saved(), page.getByRole("button", { name: "Watch AAPL" }).tap()]);
  expect(await first.json()).toMatchObject({ stock: { watched: true } });
  await page.getByRole("button", { name: "Remove AAPL from watchlist" }).waitFor();
  await page.getByRole("button", { name: "More for AAPL" }).tap();
  await Promise.all([saved(), page.getByRole("button", { name: "Remove from watchlist", exact: true }).tap()]);
  await page.getByRole("button", { name: "Watch AAPL" }).waitFor();
  expect((await tally.act("get-stock", { id: apple?.id ?? "" })).stock.watched).toBe(false);
});
