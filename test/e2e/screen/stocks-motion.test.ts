/** What moves in the list: it is there, waits for nobody, and is off for who wants none. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { it } from "../../support/browser/screen-test.ts";
import { STOCKS, waitForRows } from "./stocks-page.ts";

/**
 * Has the page note, for `moving`, what a transition was of that the browser gave up: it does with one that waits 4 s for a picture or a
 * frame, on a machine that has more to do. One that ends for another reason is not noted.
 */
const noteGivenUp = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const start = document.startViewTransition.bind(document);
    const named = (): string[] =>
      [...document.querySelectorAll<HTMLElement>("[style]")]
        .map(({ style }) => style.viewTransitionName)
        .filter((name) => name !== "");
    document.startViewTransition = (update) => {
      const before = named();
      const after: string[] = [];
      Reflect.set(globalThis, "givenUp", []);
      const transition = start(() => {
        const updated: unknown = typeof update === "function" ? update() : undefined;
        after.push(...named());
        return updated;
      });
      transition.ready.catch(({ name }) => {
        const groups = [...before, ...after].map((of) => `::view-transition-group(${of})`);
        const left = before.map((of) => `::view-transition-old(${of})`);
        if (name === "TimeoutError") Reflect.set(globalThis, "givenUp", [...groups, ...left]);
      });
      return transition;
    };
  });

/** Waits until the code is here of what moves, which comes with the menus, and of an open stock; from then on nothing that moves ends. */
const holdMotion = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "List menu" }).click();
  await page.getByRole("button", { name: "Export as CSV" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Export as CSV" }).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "AAPL" }).press("Enter");
  await page.getByRole("dialog", { name: "AAPL" }).getByText("Added by you").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.waitForFunction(
    () =>
      !document.getAnimations().some(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY),
  );
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Animation.enable");
  await devtools.send("Animation.setPlaybackRate", { playbackRate: 1e-6 });
  await noteGivenUp(page);
};

/** Pictures that move, or that the browser gave up, or rows, by their symbols. */
const moving = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const shown = document.getAnimations().flatMap(({ effect }) => {
      if (!(effect instanceof KeyframeEffect)) return [];
      const { target, pseudoElement } = effect;
      return pseudoElement ?? target?.closest("[data-id]")?.querySelector(".open")?.textContent ?? [];
    });
    const givenUp: string[] = Reflect.get(globalThis, "givenUp") ?? [];
    return [...shown, ...givenUp].sort();
  });

const GROUP = "::view-transition-group(stock-symbol)";

/** The picture of a stock that leaves. */
const LEAVING = "::view-transition-old(stock-panel)";

/** Two frames: in the second, what began with the last change moves. */
const twoFrames = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

describe("between the list and a stock", () => {
  it("the symbol moves, and whatever is pressed meanwhile counts", async ({ desktop, tally }) => {
    await tally.seedStocks(STOCKS);
    const page = await desktop("/stocks");
    await holdMotion(page);
    await page.getByRole("link", { name: "AAPL" }).click();
    await page.getByRole("dialog", { name: "AAPL" }).waitFor();
    await expect.poll(() => moving(page)).toContain(GROUP);
    await page.getByRole("link", { name: "AMD" }).click();
    await page.getByRole("dialog", { name: "AMD" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "NVDA" }).click();
    await page.getByRole("dialog", { name: "NVDA" }).waitFor();
    await page.goBack();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("a stock that is closed beside the list leaves, though the list becomes a table", async ({ desktop, tally }) => {
    await tally.seedStocks(STOCKS);
    const page = await desktop("/stocks");
    await holdMotion(page);
    await page.getByRole("link", { name: "AAPL" }).click();
    await expect.poll(() => moving(page)).toContain(GROUP);
    expect(await moving(page)).not.toContain(LEAVING);
    await page.keyboard.press("Escape");
    await page.getByRole("columnheader").first().waitFor();
    await twoFrames(page);
    await expect.poll(() => moving(page)).toContain(LEAVING);
    await twoFrames(page);
    expect(await moving(page)).toContain(LEAVING);
  });

  it("a sheet on a phone comes and leaves in the same way", async ({ phone, tally }) => {
    await tally.seedStocks(STOCKS);
    const page = await phone("/stocks");
    await holdMotion(page);
    await page.getByRole("link", { name: "AAPL" }).tap();
    await expect.poll(() => moving(page)).toContain(GROUP);
    await page.getByRole("dialog", { name: "AAPL" }).getByRole("button", { name: "Close" }).tap();
    await expect.poll(() => moving(page)).toContain(LEAVING);
    expect(await moving(page)).toContain(GROUP);
  });

  it("nothing moves where that is not wanted", async ({ phone, tally }) => {
    await tally.seedStocks(STOCKS);
    const page = await phone("/stocks", { reducedMotion: "reduce" });
    await holdMotion(page);
    await page.getByRole("link", { name: "AAPL" }).tap();
    await page.getByRole("dialog", { name: "AAPL" }).waitFor();
    await twoFrames(page);
    expect(await moving(page)).toEqual([]);
    await page.getByRole("dialog", { name: "AAPL" }).getByRole("button", { name: "Close" }).tap();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await twoFrames(page);
    expect(await moving(page)).toEqual([]);
    await page.getByRole("link", { name: "AAPL" }).tap();
    await page.getByRole("dialog", { name: "AAPL" }).getByRole("button", { name: "Delete" }).tap();
    await waitForRows(page, "AMD NESN NVDA");
    expect(await moving(page)).toEqual([]);
  });
});

it("rows close up behind one that goes, and make room for one that comes", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await holdMotion(page);
  await page.getByRole("link", { name: "AMD" }).press("Delete");
  await waitForRows(page, "AAPL NESN NVDA");
  expect(await moving(page)).toEqual(["NESN", "NVDA"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await waitForRows(page, "AAPL AMD NESN NVDA");
  await expect.poll(() => moving(page)).toContain("AMD");
  // Another list is there at once.
  await page.getByRole("tab", { name: /Holdings/ }).click();
  await waitForRows(page, "AAPL");
  expect(await moving(page)).toEqual([]);
});
