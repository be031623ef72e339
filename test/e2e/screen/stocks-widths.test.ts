/** That no amount is cut, at any width and with text twice as large: ten currencies, the longest names, large and tiny amounts. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { it } from "../../support/browser/screen-test.ts";

const LONG = "Taiwan Semiconductor Manufacturing Company Limited American Depositary Shares";

const STOCKS = ["USD", "EUR", "GBX", "CHF", "JPY", "SEK", "KRW", "INR", "IDR", "ZAR"].map((currency, place) => ({
  ...{ symbol: `LONGSYMBOL.${currency}`, name: `${LONG} ${currency}`, exchange: "XNAS", currency, watched: true },
  ...{ quantity: String(1234.5678 * 7 ** (place % 5)), avgCost: String(9 * 11 ** (place % 5)) },
  ...{ lastPrice: `${12 * 11 ** (place % 5)}.0625`, targetLow: "10.5", targetHigh: "123456.75" },
}));

const TINY = { symbol: "TINY", quantity: "123456789012", avgCost: "0.0000000012", lastPrice: "0.0000000034" };

const UNPRICED = { symbol: "UNPRICED", currency: "SEK", quantity: "117", avgCost: "60634.15" };

/** Texts of amounts that are wider than their place, or out of the window. */
const cutAmounts = (): string[] => {
  const amounts = document.querySelectorAll(
    ".totals dd, .totals dt, tbody .num:not(.stale) , .stock-card .num, .breakdown td, .breakdown th, .range > span",
  );
  const isCut = (element: Element): boolean => {
    const range = document.createRange();
    const box = element.getBoundingClientRect();
    // An age is words: cut, it has the whole in its title.
    const own = [...element.childNodes].filter((node) => !(node instanceof Element && node.matches(".sub:has(time)")));
    return own.some((node) => {
      range.selectNodeContents(node);
      const { left, right } = range.getBoundingClientRect();
      return left < box.left - 1 || right > box.right + 1 || left < 0 || right > document.documentElement.clientWidth;
    });
  };
  return [...amounts].filter(isCut).map((element) => `${element.className} ${element.textContent}`);
};

/** Stocks whose price stands there without its age: it wrapped out of sight. */
const withoutAge = (): string[] =>
  [...document.querySelectorAll<HTMLElement>(".stock-card .fine time")]
    .filter((age) => age.getBoundingClientRect().top >= (age.closest(".fine")?.getBoundingClientRect().bottom ?? 0) - 1)
    .map((age) => age.closest(".stock-card")?.textContent ?? "");

/** As a person sets it in the browser. */
const doubleText = async (page: Page): Promise<void> => {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.setFontSizes", { fontSizes: { standard: 32, fixed: 26 } });
  await page.reload();
  await page.locator("[data-id]").first().waitFor();
};

const widths = [320, 360, 412, 640, 768, 1_024, 1_280, 1_680];

const measureAt = async (page: Page, width: number): Promise<string[]> => {
  await page.setViewportSize({ width, height: 900 });
  await page.getByRole("region", { name: "Totals" }).waitFor();
  // Two frames: the list measures itself in the first.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  return [...(wide > 0 ? [`${width}: the page is ${wide} px too wide`] : []), ...(await page.evaluate(cutAmounts))];
};

it.for(widths)("nothing is cut at %i px", async (width, { phone, tally }) => {
  await tally.seedStocks([...STOCKS, TINY, UNPRICED]);
  const page = await phone("/stocks");
  await page
    .locator("[data-id]")
    .nth(STOCKS.length + 1)
    .waitFor();
  expect(await measureAt(page, width)).toEqual([]);
  expect(await page.evaluate(withoutAge)).toEqual([]);
  await page.getByRole("tab", { name: /Watchlist/ }).click();
  expect(await measureAt(page, width)).toEqual([]);
  await page.getByRole("tab", { name: /All/ }).click();
  await page.getByRole("button", { name: "Breakdown" }).click();
  await page.getByRole("dialog").getByRole("table").waitFor();
  expect(await measureAt(page, width)).toEqual([]);
  await doubleText(page);
  await page.getByRole("dialog").getByRole("table").waitFor();
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe("32px");
  expect(await measureAt(page, width)).toEqual([]);
});

/** The sorts whose name is wider than the control that shows it. */
const cutSorts = (select: HTMLSelectElement): string[] => {
  const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(select);
  const pen = document.createElement("canvas").getContext("2d");
  if (!pen) return ["no canvas"];
  pen.font = font;
  const padding = Number.parseFloat(paddingInlineStart) + Number.parseFloat(paddingInlineEnd);
  return [...select.options].flatMap(({ value, text }) => {
    select.value = value;
    // Its own width is in whole pixels.
    return pen.measureText(text).width > select.clientWidth - padding + 1 ? text : [];
  });
};

it.for([320, 360, 412])("the name of every sort is read whole at %i px", async (width, { phone, tally }) => {
  await tally.seedStocks([TINY]);
  const page = await phone("/stocks");
  await page.setViewportSize({ width, height: 740 });
  expect(await page.getByLabel("Sort by").evaluate(cutSorts)).toEqual([]);
});

/** Names of tabs and places that are broken over lines, or reach over their neighbour or out of the window. */
const crowdedNames = (): string[] => {
  const placeOf = (node: Node): DOMRect[] => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()];
  };
  const nameOf = (button: Element): Node =>
    button.querySelector(":scope > span:not(.badge)") ?? button.firstChild ?? button;
  return [".tabs button", ".bottom-bar .entry"].flatMap((row) => {
    const names = [...document.querySelectorAll(row)].map(nameOf);
    const ends = [...names.slice(1).map((next) => placeOf(next)[0]?.left), innerWidth];
    return names
      .filter((name, at) => placeOf(name).length !== 1 || (placeOf(name)[0]?.right ?? 0) > (ends[at] ?? 0))
      .map(({ textContent }) => `${textContent}`);
  });
};

it.for([320, 360, 412])(
  "names of tabs and places are whole, text twice as large, at %i px",
  async (width, { phone, tally }) => {
    await tally.seedStocks([...STOCKS, TINY]);
    const page = await phone("/stocks");
    await page.setViewportSize({ width, height: 740 });
    await doubleText(page);
    expect(await page.locator(".tabs button, .bottom-bar .entry").count()).toBe(8);
    expect(await page.evaluate(crowdedNames)).toEqual([]);
  },
);

it.for([320, 360])("what was searched for fits beside “Add”, at %i px", async (width, { phone, tally }) => {
  await tally.seedStocks([TINY]);
  const page = await phone("/stocks?q=Vanguard%20FTSE%20All-World%20UCITS%20ETF%20Acc");
  await page.setViewportSize({ width, height: 740 });
  await page.getByRole("button", { name: /^Add “Vanguard/ }).waitFor();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
});
