/** The search of the list: what it finds, when, and what is offered where it finds nothing. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { stopClock } from "../../support/browser/page-life.ts";
import { it } from "../../support/browser/screen-test.ts";
import { STOCKS, waitForRows } from "./stocks-page.ts";

const rows = (page: Page): Promise<string[]> => page.locator("[data-id] .open").allInnerTexts();

it("the search finds while one types, marks it, tells the count, and keeps it in the address", async ({
  phone,
  tally,
}) => {
  await tally.seedStocks(STOCKS);
  const page = await phone("/stocks");
  await page.getByRole("searchbox", { name: "Search stocks" }).fill("nestle");
  await waitForRows(page, "NESN");
  expect(await page.locator("mark").allInnerTexts()).toEqual(["Nestlé"]);
  await page.getByText("Found 1 of 4").waitFor();
  await page.waitForURL("**/stocks?q=nestle");
  await page.reload();
  await waitForRows(page, "NESN");
  await page.locator(".list-status").getByRole("button", { name: "Clear search" }).tap();
  await waitForRows(page, "AAPL AMD NESN NVDA");
  await page.waitForURL("**/stocks");
});

it("a link's fragment is no part of what is searched for", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await waitForRows(page, "AAPL AMD NESN NVDA");
  const told = page.waitForRequest(
    (request) => request.url().endsWith("/set-navigation") && (request.postData() ?? "").includes("nestle"),
  );
  await page.evaluate(() => {
    const link = document.createElement("a");
    link.href = "/stocks?q=nestle#found";
    document.body.append(link);
    link.click();
  });
  expect((await told).postDataJSON()).toMatchObject({ path: "/stocks?q=nestle", filters: { q: "nestle" } });
  await waitForRows(page, "NESN");
  expect(await page.getByRole("searchbox", { name: "Search stocks" }).inputValue()).toBe("nestle");
});

it("a market of which a part is found stays one word", async ({ desktop, tally }) => {
  await tally.seedStocks([{ symbol: "AAPL", exchange: "XNAS" }]);
  const page = await desktop("/stocks");
  await page.getByRole("searchbox", { name: "Search stocks" }).fill("na");
  const market = page.locator(".badge", { has: page.locator("mark") });
  expect(await market.innerText()).toBe("XNAS");
});

it("the list follows each letter at once, and on a slow device when the typing pauses", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await waitForRows(page, "AAPL AMD NESN NVDA");
  await stopClock(page);
  const search = page.getByRole("searchbox", { name: "Search stocks" });
  await search.press("n");
  await page.clock.runFor(50);
  expect(await rows(page)).toEqual(["NESN", "NVDA", "AAPL", "AMD"]);

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
    expect(await rows(page)).toEqual(["NESN", "NVDA", "AAPL", "AMD"]);
  }
  expect(await search.inputValue()).toBe("nvid");
  await page.clock.runFor(100);
  expect(await rows(page)).toEqual(["NVDA"]);

  // Enter goes to what was typed, also while the list is still behind.
  await search.fill("chips");
  await search.press("Enter");
  await page.clock.runFor(300);
  expect(await rows(page)).toEqual(["AMD", "NVDA"]);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("AMD");
  await search.fill("nestle");
  await search.press("ArrowDown");
  await page.clock.runFor(300);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("NESN");

  // What is cleared meanwhile stays cleared.
  await search.press("s");
  await page.locator(".list-status").getByRole("button", { name: "Clear search" }).click();
  await page.clock.runFor(300);
  expect(await rows(page)).toEqual(["AAPL", "AMD", "NESN", "NVDA"]);
  expect(await search.inputValue()).toBe("");
});

it("the search is reached by the slash key, and emptied by Escape", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await waitForRows(page, "AAPL AMD NESN NVDA");
  await page.keyboard.press("/");
  await page.keyboard.type("chips");
  await waitForRows(page, "AMD NVDA");
  await page.keyboard.press("Escape");
  await waitForRows(page, "AAPL AMD NESN NVDA");
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
    .toBe("Search stocks");
});

it("the search offers to add what it does not find, by Enter as well", async ({ phone, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await phone("/stocks");
  await page.getByRole("searchbox").fill("TSLA");
  await page.getByRole("heading", { name: "No stocks match “TSLA”" }).waitFor();
  await page.getByRole("button", { name: "Add “TSLA”" }).waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole("searchbox").press("Enter");
  await page.waitForURL("**/stocks?**dialog=add&draft=TSLA");
});

it("what is typed right after the search is cleared stays", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks?q=nestle");
  await waitForRows(page, "NESN");
  await stopClock(page);
  await page.locator(".list-status").getByRole("button", { name: "Clear search" }).click();
  const search = page.getByRole("searchbox", { name: "Search stocks" });
  await search.fill("chips");
  await page.clock.runFor(1_000);
  expect(await search.inputValue()).toBe("chips");
  expect(await rows(page)).toEqual(["AMD", "NVDA"]);
  expect(new URL(page.url()).search).toBe("?q=chips");
});

it("what is typed right after a step back stays", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks?q=nestle");
  await waitForRows(page, "NESN");
  await page.getByRole("link", { name: "Stocks" }).first().click();
  await waitForRows(page, "AAPL AMD NESN NVDA");
  await stopClock(page);
  await page.goBack();
  const search = page.getByRole("searchbox", { name: "Search stocks" });
  await search.fill("chips");
  await page.clock.runFor(1_000);
  expect(await search.inputValue()).toBe("chips");
  expect(await rows(page)).toEqual(["AMD", "NVDA"]);
  expect(new URL(page.url()).search).toBe("?q=chips");
});

it("a step back takes back what was typed before it", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks?q=nestle");
  await waitForRows(page, "NESN");
  await page.getByRole("link", { name: "Stocks" }).first().click();
  await waitForRows(page, "AAPL AMD NESN NVDA");
  await stopClock(page);
  const search = page.getByRole("searchbox", { name: "Search stocks" });
  await search.fill("chips");
  await page.goBack();
  await page.clock.runFor(1_000);
  expect(await search.inputValue()).toBe("nestle");
  expect(await rows(page)).toEqual(["NESN"]);
  expect(new URL(page.url()).search).toBe("?q=nestle");
});

it("a dialog that opens right after typing leaves the search when it is closed", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await waitForRows(page, "AAPL AMD NESN NVDA");
  await stopClock(page);
  const search = page.getByRole("searchbox", { name: "Search stocks" });
  await search.fill("nestle");
  await search.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: /NESN/ }).waitFor();
  await page.clock.runFor(1_000);
  await page.keyboard.press("Escape");
  await page.waitForURL("**/stocks?q=nestle");
  await page.clock.runFor(1_000);
  expect(await search.inputValue()).toBe("nestle");
  expect(await rows(page)).toEqual(["NESN"]);
});
