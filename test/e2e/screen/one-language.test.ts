/** Words are English in every browser, dates and ages included; numbers are written as the person's language does. */
import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { PHONE } from "../../support/browser/devices.ts";
import { it } from "../../support/browser/screen-test.ts";

it("ages and dates are in English under a German browser, amounts in German digits", async ({ pages, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "AAPL", quantity: "1000", avgCost: "1", lastPrice: "1234.5" }]);
  const page = await pages.open({ ...PHONE, locale: "de-DE" })(`/stocks?dialog=detail&id=${stock?.id}`);
  // Some time after it was added.
  const age = /just now|\d min(utes?)? ago/;
  await page.getByRole("dialog").getByText(age).first().waitFor();
  await page.getByRole("dialog").getByText("1.234,50").first().waitFor();
  const titles = await page.locator("time[title]").evaluateAll((times) => times.map((time) => Object(time).title));
  expect(titles.length).toBeGreaterThan(0);
  expect(titles.filter((title: string) => /\d\.\d+\.\d{4}/.test(title))).toEqual([]);
});

it.for(["en-US@posix", "C"])(
  "a browser that calls its language %s writes American English",
  async (said, { pages, tally }) => {
    const [stock] = await tally.seedStocks([{ symbol: "AAPL", quantity: "1000", avgCost: "1", lastPrice: "1234.5" }]);
    const page = await pages.open(PHONE)("/icon.svg");
    await page.addInitScript((language) => {
      const get = (value: unknown) => ({ get: () => value });
      Object.defineProperties(Navigator.prototype, { language: get(language), languages: get([language]) });
    }, said);
    await page.goto(`/stocks?dialog=detail&id=${stock?.id}`);
    const dialog = page.getByRole("dialog");
    await dialog.getByText("$1,234.50").first().waitFor();
    await dialog.getByLabel("New price").fill("1,500.25");
    await page.keyboard.press("Enter");
    await dialog.getByText("$1,500.25").first().waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("listitem").filter({ hasText: "$1,500,250" }).waitFor();
  },
);

it.for([
  ["5", "150"],
  ["0.01", "99999.99"],
])(
  "the badge of a target is whole and so is the gain, bought at %s",
  async ([avgCost, lastPrice], { phone, tally }) => {
    const name = "A company with a name that is much too long for one line";
    await tally.seedStocks([{ symbol: "AAPL", name, quantity: "1", avgCost, targetHigh: "100", lastPrice }]);
    const page = await phone("/stocks");
    const card = page.getByRole("listitem").filter({ hasText: "AAPL" });
    await card.waitFor();
    const boxOf = async (part: Locator) => {
      const { x, width } = (await part.boundingBox()) ?? { x: Number.NaN, width: Number.NaN };
      return { start: x, end: x + width };
    };
    const badge = await boxOf(card.locator(".badge.hit"));
    const today = await boxOf(card.locator(".did"));
    const gain = await boxOf(card.locator(".worth .gain"));
    expect(badge.end).toBeLessThanOrEqual(today.start);
    expect(today.end).toBeLessThanOrEqual(gain.start);
    expect(gain.end).toBeLessThanOrEqual((await boxOf(card)).end);
    const isWhole = (selector: string) =>
      card.locator(selector).evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth);
    expect([await isWhole(".badge.hit"), await isWhole(".worth")]).toEqual([true, true]);
  },
);
