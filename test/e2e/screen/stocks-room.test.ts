/** What the list has room for: rows in view, tools that stay, words that are read whole, and what is never out of reach. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { it } from "../../support/browser/screen-test.ts";

const selected = (page: Page): Locator => page.getByRole("region", { name: "Selected stocks" });

const startSelecting = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "List menu" }).click();
  await page.getByRole("button", { name: "Select", exact: true }).click();
  await selected(page).waitFor();
};

/** Stocks that are in view from their first to their last pixel: below what stays, above the bar at the bottom. */
const wholeRows = (): number =>
  [...document.querySelectorAll(".stock-list [data-id]")].filter((row) => {
    const { left, top, bottom, width } = row.getBoundingClientRect();
    const isShown = (y: number): boolean => row.contains(document.elementFromPoint(left + width / 2, y));
    return isShown(top + 2) && isShown(bottom - 2);
  }).length;

it("six stocks are in view on a phone, seven in compact rows, which are remembered", async ({ phone, tally }) => {
  await tally.seedStocks(20);
  const page = await phone("/stocks");
  await page.getByText("Gain", { exact: true }).waitFor();
  await expect.poll(() => page.evaluate(wholeRows)).toBeGreaterThanOrEqual(6);
  await page.getByRole("button", { name: "List menu" }).tap();
  await page.getByRole("button", { name: "Compact rows" }).tap();
  await expect.poll(() => page.evaluate(wholeRows)).toBeGreaterThanOrEqual(7);
  await page.reload();
  await page.getByText("Gain", { exact: true }).waitFor();
  await expect.poll(() => page.evaluate(wholeRows)).toBeGreaterThanOrEqual(7);
});

it("one line of tools stays when a phone's list is scrolled, and is not cut", async ({ phone, tally }) => {
  await tally.seedStocks(40);
  const page = await phone("/stocks");
  const field = page.getByRole("searchbox", { name: "Search stocks" });
  await page.locator("[data-id]").first().waitFor();
  await page.evaluate(() => scrollTo(0, 600));
  await expect.poll(async () => (await field.boundingBox())?.y).toBeLessThan(60);
  expect((await field.boundingBox())?.y).toBeGreaterThanOrEqual(4);
  expect(await page.locator(".list-tools").evaluate((tools) => tools.getBoundingClientRect().bottom)).toBeLessThan(120);
});

it("a phone on its side shows stocks", async ({ phone, tally }) => {
  await tally.seedStocks(20);
  const page = await phone("/stocks");
  await page.setViewportSize({ width: 740, height: 360 });
  await page.getByText("Gain", { exact: true }).waitFor();
  await expect.poll(() => page.evaluate(wholeRows)).toBeGreaterThanOrEqual(2);
  // Of what stays when it is scrolled, there is room for the tools alone.
  await page.evaluate(() => scrollTo(0, 300));
  await expect.poll(async () => (await page.getByRole("columnheader").first().boundingBox())?.y).toBeLessThan(0);
});

it("on a phone on its side, a place's count is beside its name", async ({ phone, tally }) => {
  await tally.seedStocks([{ symbol: "AAA", watched: true, lastPrice: "9", targetLow: "10" }]);
  const page = await phone("/stocks");
  await page.setViewportSize({ width: 740, height: 360 });
  const place = page.getByRole("link", { name: "Stocks 1 target reached" });
  const name = await place.getByText("Stocks", { exact: true }).boundingBox();
  const count = await place.getByTitle("target reached").boundingBox();
  expect(count?.x).toBeGreaterThanOrEqual((name?.x ?? Number.NaN) + (name?.width ?? Number.NaN));
});

/** Whether the first line of the count is all that is seen of it, and whether its word is in it. */
const countLine = (count: Element) => {
  const [number, word] = [...count.childNodes].filter(({ textContent }) => textContent?.trim());
  const placeOf = (node: Node | undefined): DOMRect => {
    const range = document.createRange();
    if (node) range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const box = count.getBoundingClientRect();
  const [one, other] = [placeOf(number), placeOf(word)];
  const isCut = one.right > box.right + 1 || box.height > one.height * 1.6;
  return { isCut, hasWord: other.top < box.bottom - 1 && other.right <= box.right + 1 };
};

it("how many are selected is one line, at 320 px the number alone", async ({ phone, tally }) => {
  await tally.seedStocks(12);
  const page = await phone("/stocks");
  await startSelecting(page);
  const count = selected(page).getByRole("status");
  await count.filter({ hasText: "0 selected" }).waitFor();
  await expect.poll(() => count.evaluate(countLine)).toEqual({ isCut: false, hasWord: true });
  await page.setViewportSize({ width: 320, height: 740 });
  await expect.poll(() => count.evaluate(countLine)).toEqual({ isCut: false, hasWord: false });
});

it("beside an open stock and the agent, the count is whole and stocks can be added", async ({ desktop, tally }) => {
  const [first] = await tally.seedStocks(12);
  const page = await desktop(`/stocks?dialog=detail&id=${first?.id}`);
  await page.getByRole("textbox", { name: "Message to the agent" }).waitFor();
  await page.getByRole("dialog").waitFor();
  await page.getByRole("table").waitFor({ state: "detached" });
  await startSelecting(page);
  await expect
    .poll(() => selected(page).getByRole("status").evaluate(countLine))
    .toEqual({ isCut: false, hasWord: true });
  await page.getByRole("button", { name: "Add stock" }).click();
  await page.getByRole("dialog", { name: "Add a stock" }).waitFor();
});

/** Of the field's placeholder: "whole", "cut", or "none" where only the glass is shown. */
const placeholder = (field: HTMLInputElement): string => {
  const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(field);
  if (getComputedStyle(field, "::placeholder").color === "rgba(0, 0, 0, 0)") return "none";
  const pen = document.createElement("canvas").getContext("2d");
  if (!pen) return "no canvas";
  pen.font = font;
  const room = field.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd);
  return pen.measureText(field.placeholder).width <= room + 1 ? "whole" : "cut";
};

it("the search beside a long sort is a glass on the narrowest phone, with room for words once it is typed in", async ({
  phone,
  tally,
}) => {
  await tally.seedStocks(3);
  const page = await phone("/stocks?tab=watchlist");
  const field = page.getByRole("searchbox", { name: "Search stocks" });
  await page.getByLabel("Sort by").waitFor();
  await expect.poll(() => field.evaluate(placeholder)).toBe("whole");
  await page.setViewportSize({ width: 320, height: 740 });
  await expect.poll(() => field.evaluate(placeholder)).toBe("none");
  const filters = page.getByRole("button", { name: "Filters" });
  const before = await filters.boundingBox();
  await field.tap();
  await expect.poll(() => field.evaluate(placeholder)).toBe("whole");
  // What is pressed next has not moved.
  expect(await filters.boundingBox()).toEqual(before);
});

/** Between the lines of a card's left column: the space above, between and below them, in px. */
const spaces = (card: Element): readonly number[] => {
  const box = card.getBoundingClientRect();
  const lines = [...card.querySelectorAll(".who > *")].map((line) => line.getBoundingClientRect());
  const edges = [
    box.top,
    ...lines.filter(({ height }) => height > 0).flatMap(({ top, bottom }) => [top, bottom]),
    box.bottom,
  ];
  return edges.flatMap((edge, nth) => (nth % 2 === 1 ? [Math.round(edge - (edges[nth - 1] ?? 0))] : []));
};

it("a card without a name has its lines together in the middle, with or without a price", async ({ phone, tally }) => {
  await tally.seedStocks([
    { symbol: "COST", quantity: "10", avgCost: "180" },
    { symbol: "PAID", quantity: "10", lastPrice: "180" },
  ]);
  const page = await phone("/stocks");
  await page.getByRole("link", { name: "PAID" }).waitFor();
  const [cost, paid] = await page
    .getByRole("listitem")
    .filter({ has: page.locator(".open") })
    .all();
  const [above, between, below] = (await cost?.evaluate(spaces)) ?? [];
  expect(between).toBe(0);
  expect(Math.abs((above ?? 0) - (below ?? 0))).toBeLessThanOrEqual(2);
  expect(await paid?.evaluate(spaces)).toEqual([above, between, below]);
});
