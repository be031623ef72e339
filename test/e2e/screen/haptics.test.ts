/** A finger feels what it selects, on devices that can knock, unless their person wants nothing to move. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { it } from "../../support/browser/screen-test.ts";

const STOCKS = [{ symbol: "AAA" }, { symbol: "BBB" }];

const bar = (page: Page) => page.getByRole("region", { name: "Selected stocks" });

/** From the next load on, what the page asks of the device's motor is kept instead. */
const recordKnocks = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const knocks: unknown[] = [];
    Object.assign(window, { knocks });
    navigator.vibrate = (pattern) => {
      knocks.push(pattern);
      return true;
    };
  });
  await page.reload();
};

const knocks = (page: Page): Promise<unknown> => page.evaluate(() => Reflect.get(window, "knocks"));

/** Selects a stock by its box, and takes it back. */
const selectAndTakeBack = async (page: Page, press: "tap" | "click"): Promise<void> => {
  const box = page.getByRole("checkbox", { name: "Select AAA" });
  await box[press]();
  await bar(page).getByText("1 selected").waitFor();
  await box[press]();
  await expect.poll(() => box.isChecked()).toBe(false);
};

const startSelecting = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "List menu" }).tap();
  await page.getByRole("button", { name: "Select", exact: true }).tap();
  await bar(page).waitFor();
};

it("a short knock for each stock that a finger selects, and for one that it takes back", async ({ phone, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await phone("/stocks");
  await recordKnocks(page);
  await startSelecting(page);
  await selectAndTakeBack(page, "tap");
  expect(await knocks(page)).toEqual([8, 8]);
});

it("none where nothing is to move", async ({ phone, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await phone("/stocks", { reducedMotion: "reduce" });
  await recordKnocks(page);
  await startSelecting(page);
  await selectAndTakeBack(page, "tap");
  expect(await knocks(page)).toEqual([]);
});

it("none for a mouse", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await recordKnocks(page);
  await selectAndTakeBack(page, "click");
  expect(await knocks(page)).toEqual([]);
});
