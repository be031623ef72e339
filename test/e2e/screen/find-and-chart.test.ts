/**
 * What the demo's price source shows: finding a stock by its name in the add dialog, a combobox over one's own list and that source;
 * a stock's chart, its crosshair, ranges and table, and its words without closes. One file, because such a site takes seconds to start.
 */
import { expect } from "vitest";
import { answerInstead } from "../../support/browser/answer-instead.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { holdNext } from "../../support/browser/hold-next.ts";
import { stopClock } from "../../support/browser/page-life.ts";
import { itOnOwnSite } from "../../support/browser/screen-test.ts";
import type { tallyClient } from "../../support/browser/tally-client.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";

const it = itOnOwnSite({ args: ["--demo", "--auth"] });

it("a name typed by keyboard finds its listings, and the one picked fills the form and gets its price", async ({
  desktop,
  tally,
}) => {
  const page = await desktop("/stocks?dialog=add");
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  // At once: what the beginning of it finds has as many matches.
  await symbol.fill("vodaf");
  const list = page.getByRole("listbox", { name: "Matching stocks" });
  const options = list.getByRole("option");
  await expect.poll(() => options.count()).toBe(3);
  await page.getByRole("status").getByText("3 matches.").waitFor({ state: "attached" });
  expect(await symbol.getAttribute("aria-expanded")).toBe("true");
  expect(await symbol.getAttribute("aria-activedescendant")).toBe(null);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowDown");
  const first = list.getByRole("option", { name: "VOD Vodafone Group XLON · GBX" });
  expect(await first.getAttribute("aria-selected")).toBe("true");
  expect(await symbol.getAttribute("aria-activedescendant")).toBe(await first.getAttribute("id"));
  await expectNoAxeViolations(page);
  await page.keyboard.press("Enter");
  await list.waitFor({ state: "detached" });
  expect(await symbol.inputValue()).toBe("VOD");
  await waitForFocus(symbol);
  expect(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("Vodafone Group");
  expect(await page.getByLabel("Currency").inputValue()).toBe("GBX");
  expect(await page.getByLabel("Exchange").inputValue()).toBe("XLON");
  // The page looks for the price three times in its first seconds: those begin when the server has it.
  await stopClock(page);
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await tally.act("list-stocks", {})).items[0]?.lastPriceSource).toBe("demo");
  await page.clock.resume();
  await page.locator(".toast").getByText("VOD added").waitFor();
  await page.getByText("Vodafone Group").waitFor();
  const { stock } = await tally.act("get-stock", { symbol: "VOD" });
  expect(stock).toMatchObject({ exchange: "XLON", currency: "GBX", instrument: { source: "demo", symbol: "VOD" } });
  // The page shows it without being loaded again.
  await page.locator("[data-id] time").first().waitFor();
});

it("what is in the field as soon as it is there is searched for", async ({ desktop }) => {
  const page = await desktop("/stocks");
  await page.getByRole("button", { name: "Add stock" }).first().waitFor();
  await page.evaluate(() =>
    new MutationObserver((_, observer) => {
      const field = document.querySelector<HTMLInputElement>("input[role=combobox]");
      if (field === null) return;
      observer.disconnect();
      field.value = "nestl";
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }).observe(document.body, { childList: true, subtree: true }),
  );
  await page.getByRole("button", { name: "Add stock" }).first().click();
  await page.getByRole("option", { name: /^NESN Nestlé/ }).waitFor();
});

it("a finger picks a listing, which says when its prices are not in the plan", async ({ phone, tally }) => {
  const page = await phone("/stocks?dialog=add", { colorScheme: "dark" });
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  await symbol.fill("nestl");
  const option = page.getByRole("option", { name: "NESN Nestlé XSWX · CHF not in the plan" });
  await option.waitFor();
  expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  await expectNoAxeViolations(page);
  await option.tap();
  await expect.poll(() => symbol.inputValue()).toBe("NESN");
  await page.getByRole("dialog").getByRole("button", { name: "Add stock" }).tap();
  await page.locator(".toast").getByText("NESN added").waitFor();
  expect((await tally.act("get-stock", { symbol: "NESN" })).stock).toMatchObject({ name: "Nestlé", currency: "CHF" });
});

it("one's own stock comes first, and opens", async ({ desktop, tally }) => {
  await tally.seedStocks([{ symbol: "VOD", exchange: "XLON", currency: "GBX", name: "Vodafone Group" }]);
  const page = await desktop("/stocks?dialog=add");
  await page.getByRole("combobox", { name: "Symbol" }).pressSequentially("vodaf");
  const options = page.getByRole("listbox").getByRole("option");
  await expect.poll(() => options.count()).toBe(3);
  expect(await options.first().textContent()).toContain("in your list");
  await options.first().click();
  await page.getByRole("dialog", { name: "VOD XLON" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(new URL(page.url()).search).toBe("");
});

it("Escape closes the list and leaves the dialog, and typing on without picking adds what was typed", async ({
  desktop,
  tally,
}) => {
  const page = await desktop("/stocks?dialog=add");
  await page.getByRole("combobox", { name: "Symbol" }).pressSequentially("voda");
  const list = page.getByRole("listbox");
  await list.waitFor();
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
  await page.getByRole("dialog", { name: "Add a stock" }).waitFor();
  await page.keyboard.press("Control+A");
  await page.keyboard.type("VODX 3 @ 7");
  await page.keyboard.press("Enter");
  await page.locator(".toast").getByText("VODX added").waitFor();
  expect((await tally.act("get-stock", { symbol: "VODX" })).stock).toMatchObject({ quantity: "3", exchange: null });
});

it("a search that fails says so in place, and keeps nobody from adding", async ({ phone, tally }) => {
  const page = await phone("/stocks?dialog=add", { allow: [/find-symbol/, /ERR_/] });
  await page.route("**/find-symbol", (route) => route.abort());
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  await symbol.fill("vodaf");
  await page.getByText("Search is not available: The server cannot be reached.").first().waitFor();
  await expectNoAxeViolations(page);
  await symbol.fill("VOD");
  await page.getByRole("dialog").getByRole("button", { name: "Add stock" }).tap();
  await page.locator(".toast").getByText("VOD added").waitFor();
  expect((await tally.act("list-stocks", {})).total).toBe(1);
});

/** A stock that is linked to its listing; its id. */
const linkedStock = async ({ act, seedStocks }: ReturnType<typeof tallyClient>): Promise<string> => {
  const [stock] = await seedStocks([
    {
      symbol: "VOD",
      exchange: "XLON",
      currency: "GBX",
      quantity: "10",
      avgCost: "76",
      targetLow: "1",
      targetHigh: "95",
    },
  ]);
  await act("list-stocks", {});
  const instrument = async () => (await act("list-stocks", {})).items[0]?.instrument?.source;
  await expect.poll(instrument).toBe("demo");
  return stock?.id ?? "";
};

it("is read by keys, says each day with its close, and is the same as a table", async ({ desktop, tally }) => {
  const id = await linkedStock(tally);
  const page = await desktop(`/stocks?dialog=detail&id=${id}`);
  const plot = page.getByRole("slider", { name: "Closes of VOD" });
  await plot.waitFor();
  const { history } = await tally.act("get-stock", { id, history: "6m" });
  const closes = history?.points ?? [];
  expect(closes.length).toBeGreaterThan(100);
  expect(await plot.getAttribute("aria-valuenow")).toBe(String(closes.length - 1));
  await plot.focus();
  await page.keyboard.press("ArrowLeft");
  expect(await plot.getAttribute("aria-valuenow")).toBe(String(closes.length - 2));
  await page.keyboard.press("Home");
  expect(await plot.getAttribute("aria-valuenow")).toBe("0");
  expect(await plot.getAttribute("aria-valuetext")).toContain(Number(closes[0]?.[1]).toString());
  await page.getByRole("button", { name: "Show as table" }).click();
  const rows = page.getByRole("region", { name: "Closes of VOD, newest first" }).getByRole("row");
  await expect.poll(() => rows.count()).toBe(closes.length + 1);
  const days = await rows.locator("time").evaluateAll((times) => times.map((time) => time.getAttribute("datetime")));
  expect(days).toEqual(closes.map(([day]) => day).reverse());
  await expectNoAxeViolations(page);
});

it("goes back as far as it is asked to, and says whose prices these are", async ({ desktop, tally }) => {
  const id = await linkedStock(tally);
  const page = await desktop(`/stocks?dialog=detail&id=${id}`);
  const plot = page.getByRole("slider", { name: "Closes of VOD" });
  await plot.waitFor();
  const group = page.getByRole("group", { name: "How far back" });
  expect(await group.getByRole("button", { pressed: true }).textContent()).toBe("6M");
  await group.getByRole("button", { name: "5 years" }).click();
  await page.getByText("over 5 years, between").waitFor();
  await expect.poll(() => plot.getAttribute("aria-valuemax")).toBe("299");
  await group.getByRole("button", { name: "1 month" }).click();
  await expect.poll(async () => Number(await plot.getAttribute("aria-valuemax"))).toBeLessThan(25);
  await page.getByRole("region", { name: "Price history" }).getByText("Demo prices, not real").waitFor();
  const levels = page.getByRole("list", { name: "Lines in the chart" });
  await levels.getByText("Average cost").waitFor();
  await levels.getByText(/Buy target .*, off the chart/).waitFor();
  const dashes = await levels
    .locator("line")
    .evaluateAll((keys) => keys.map((key) => getComputedStyle(key).strokeDasharray));
  expect(new Set(dashes).size).toBe(3);
});

it("shows the day under a finger on a phone, in both themes, with reduced motion", async ({ phone, tally }) => {
  const id = await linkedStock(tally);
  const page = await phone(`/stocks?dialog=detail&id=${id}`, { reducedMotion: "reduce" });
  const plot = page.getByRole("slider", { name: "Closes of VOD" });
  await plot.scrollIntoViewIfNeeded();
  const box = await plot.boundingBox();
  if (box === null) throw new Error("The plot is not there.");
  expect(box.x + box.width).toBeLessThan(360);
  await page.touchscreen.tap(box.x + 1, box.y + box.height / 2);
  await expect.poll(async () => Number(await plot.getAttribute("aria-valuenow"))).toBeLessThan(3);
  await expectNoAxeViolations(page);
});

it("names the range of what is shown, while another one is on its way or cannot be had", async ({ desktop, tally }) => {
  const id = await linkedStock(tally);
  // What the page fetches ahead may come to where there is no network.
  const page = await desktop(`/stocks?dialog=detail&id=${id}`, { allow: [/ERR_INTERNET_DISCONNECTED/] });
  const chart = page.getByRole("region", { name: "Price history" });
  const range = (words: string) => chart.getByText(`over ${words}, between`);
  await range("6 months").waitFor();
  const letGo = await holdNext(page, "**/get-stock?*history=5y*", { method: "GET" });
  await chart.getByRole("button", { name: "5 years" }).click();
  await chart.getByRole("button", { name: "5 years", pressed: true }).waitFor();
  expect(await range("6 months").count()).toBe(1);
  letGo();
  await range("5 years").waitFor();
  await page.context().setOffline(true);
  await chart.getByRole("button", { name: "1 month" }).click();
  await chart.getByRole("button", { name: "1 month", pressed: true }).waitFor();
  expect(await range("5 years").count()).toBe(1);
  expect(await chart.getAttribute("aria-busy")).toBe("true");
  await page.context().setOffline(false);
  await range("1 month").waitFor();
});

it("says that there are no closes, and that they could not be loaded, and tries again", async ({ desktop, tally }) => {
  const id = await linkedStock(tally);
  const page = await desktop("/stocks", { allow: [/history=/, /ERR_/] });
  const letHistoryCome = await answerInstead(page, "**/get-stock?*history=6m*", (route) => route.abort());
  await page.getByRole("link", { name: "VOD" }).click();
  const chart = page.getByRole("region", { name: "Price history" });
  await chart.getByText("The server cannot be reached.").waitFor();
  letHistoryCome();
  const { stock, events } = await tally.act("get-stock", { id });
  const letClosesCome = await answerInstead(page, "**/get-stock?*history=6m*", (route) =>
    route.fulfill({ json: { stock, events, history: null } }),
  );
  await chart.getByRole("button", { name: "Try again" }).click();
  await chart.getByText("There are no past prices yet.").waitFor();
  await page.locator(".vh[aria-live]").getByText("There are no past prices yet.").waitFor({ state: "attached" });
  await expectNoAxeViolations(page);
  letClosesCome();
  await chart.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("slider", { name: "Closes of VOD" }).waitFor();
});

it("of all holdings is what today's would have been worth, in one currency, and is the same as a table", async ({
  phone,
  tally,
}) => {
  await tally.seedStocks([
    { symbol: "AAPL", exchange: "XNAS", currency: "USD", quantity: "10" },
    { symbol: "MINE", exchange: "XOFF", currency: "USD", quantity: "1", lastPrice: "5" },
  ]);
  const read = (range: "6m" | "5y") => tally.act("value-history", { range });
  await tally.act("list-stocks", {});
  await expect.poll(async () => (await read("6m")).points.length).toBeGreaterThan(100);
  const page = await phone("/stocks", { colorScheme: "dark" });
  await page.getByRole("button", { name: "Breakdown" }).tap();
  const chart = page.getByRole("region", { name: "Value of today's holdings" });
  const plot = chart.getByRole("slider", { name: "Value of today's holdings" });
  await plot.waitFor();
  await chart
    .getByText("Today's quantities at past closing prices: not what you held then. Not included: MINE.")
    .waitFor();
  await chart.getByText("Demo prices, not real").waitFor();
  await expectNoAxeViolations(page);
  await chart.getByRole("button", { name: "5 years" }).tap();
  await chart.getByText("over 5 years, between").waitFor();
  const { points } = await read("5y");
  await expect.poll(() => plot.getAttribute("aria-valuemax")).toBe(String(points.length - 1));
  await chart.getByRole("button", { name: "Show as table" }).tap();
  const rows = chart.getByRole("region", { name: "Value of today's holdings, newest first" }).getByRole("row");
  await expect.poll(() => rows.count()).toBe(points.length + 1);
  const days = await rows.locator("time").evaluateAll((times) => times.map((time) => time.getAttribute("datetime")));
  expect(days).toEqual(points.map(([day]) => day).reverse());
  await expectNoAxeViolations(page);
});

it("is not there for a stock without a listing, and nothing is asked for it", async ({ desktop, tally }) => {
  await linkedStock(tally);
  await tally.seedStocks([{ symbol: "MINE", exchange: "XOFF" }]);
  const page = await desktop("/stocks");
  // The chart's code is there from now on: what comes late cannot be missing for that alone.
  await page.getByRole("link", { name: "VOD" }).click();
  await page.getByRole("slider", { name: "Closes of VOD" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.getByRole("link", { name: "MINE" }).click();
  await page.getByRole("dialog", { name: "MINE" }).getByText("Added by you").waitFor();
  expect(await page.getByRole("region", { name: "Price history" }).count()).toBe(0);
  expect(asked.filter((url) => url.includes("history="))).toEqual([]);
});
