/** The trash: empty, full, and the way back out of it. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { answerInstead } from "../../support/browser/answer-instead.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";

it("an empty trash says what it is for", async ({ phone }) => {
  const page = await phone("/stocks?trash=1", { colorScheme: "dark" });
  await page.getByText("The trash is empty").waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Back to the list" }).tap();
  await page.getByRole("heading", { name: "Stocks" }).waitFor();
});

it("deleted stocks come by pages, newest first, and each can be restored", async ({ phone, tally }) => {
  const stocks = await tally.seedStocks(60);
  const ids = stocks.map(({ id }) => id);
  await tally.act("delete-stock", { ids: ids.slice(1) });
  await tally.act("delete-stock", { id: ids[0] ?? "" });
  const page = await phone("/stocks?trash=1", { colorScheme: "light" });
  const restore = page.getByRole("button", { name: /^Restore / });
  await restore.first().waitFor();
  expect(await restore.count()).toBe(50);
  expect(await restore.first().getAttribute("aria-label")).toBe("Restore AAPL");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Show more" }).tap();
  await expect.poll(() => restore.count()).toBe(60);
  await restore.first().tap();
  await page.getByRole("button", { name: "Restore AAPL" }).waitFor({ state: "detached" });
  await page.getByText("AAPL restored").waitFor({ state: "attached" });
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
  expect(await tally.act("get-stock", { id: ids[0] ?? "" })).toMatchObject({ stock: { deletedAt: null } });
});

/** The names of what had the focus and was covered, over this many presses of Tab. */
const coveredStops = async (page: Page, presses: number): Promise<readonly string[]> => {
  const covered: string[] = [];
  for (let press = 0; press < presses; press += 1) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => {
      const focused = document.activeElement;
      const { left, top, width, height } = focused?.getBoundingClientRect() ?? new DOMRect();
      const isSeen = focused?.contains(document.elementFromPoint(left + width / 2, top + height / 2));
      return isSeen ? undefined : (focused?.ariaLabel ?? focused?.outerHTML);
    });
    if (name !== undefined) covered.push(name);
  }
  return covered;
};

it("the bar at the bottom of a narrow window does not cover what has the focus", async ({ phone, tally }) => {
  const stocks = await tally.seedStocks(10);
  await tally.act("delete-stock", { ids: stocks.map(({ id }) => id) });
  const page = await phone("/stocks?trash=1");
  const restore = page.getByRole("button", { name: /^Restore / });
  await restore.first().focus();
  expect(await restore.count()).toBe(10);
  // The window ends below the fifth: that one is not outside, but behind the bar.
  const { y = 0, height = 0 } = (await restore.nth(4).boundingBox()) ?? {};
  await page.setViewportSize({ width: 360, height: Math.ceil(y + height) + 4 });
  expect(await coveredStops(page, 9)).toEqual([]);
});

it("where the next page cannot be loaded, that is said", async ({ phone, tally }) => {
  const stocks = await tally.seedStocks(51);
  await tally.act("delete-stock", { ids: stocks.map(({ id }) => id) });
  const page = await phone("/stocks?trash=1", { allow: [/ERR_/, /list-stocks/] });
  const more = page.getByRole("button", { name: "Show more" });
  await more.waitFor();
  const letPageCome = await answerInstead(page.context(), /cursor=/, (route) => route.abort());
  await more.tap();
  await page.getByRole("alert").filter({ hasText: "Check your connection" }).waitFor();
  letPageCome();
  await more.tap();
  await expect.poll(() => page.getByRole("button", { name: /^Restore / }).count()).toBe(51);
});

it("a trash that cannot be loaded can be asked for again", async ({ phone, tally }) => {
  const [stock] = await tally.seedStocks(1);
  await tally.act("delete-stock", { id: stock?.id ?? "" });
  const page = await phone("/stocks", { allow: [/ERR_/, /list-stocks/] });
  await page.getByRole("heading", { name: "Stocks" }).waitFor();
  const letTrashCome = await answerInstead(page.context(), /deleted=true/, (route) => route.abort());
  await page.goto("/stocks?trash=1");
  await page.getByText("The trash could not be loaded").waitFor();
  letTrashCome();
  await page.getByRole("button", { name: "Try again" }).tap();
  await page
    .getByRole("button", { name: /^Restore / })
    .first()
    .waitFor();
});
