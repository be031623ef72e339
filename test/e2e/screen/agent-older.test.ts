/** Older messages of a long chat are shown above what one reads, which stays where it is. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { it } from "../../support/browser/screen-test.ts";
import { say } from "../../support/model-script.ts";
import { log } from "./agent-page.ts";

/** Runs of the chat: more than are shown at first. */
const RUNS = 14;

const answer = (nth: number): string => [`Answer ${nth}.`, ...Array<string>(12).fill("A line of it.")].join("\n\n");

/** Takes from the page what Safari before version 27 does not have: keeping the place by itself. */
const keepNoPlace = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(".log, .log * { overflow-anchor: none !important; content-visibility: visible !important }");
    document.adoptedStyleSheets.push(sheet);
  });

it.for([
  ["a browser that keeps the place by itself", async () => {}],
  ["one that does not", keepNoPlace],
] as const)("in %s", async ([, prepare], { phone, script, tally }) => {
  const model = await script(Array.from({ length: RUNS }, (_, nth) => say(answer(nth + 1))));
  for (let nth = 1; nth <= RUNS; nth += 1) {
    await tally.eventsUntil(await tally.startTurn("long", model.prompt(`Question ${nth}.`)), "run_end");
  }
  const page = await phone("/t/long", { reducedMotion: "reduce" });
  await prepare(page);
  const first = log(page).getByText(`Answer ${RUNS - 9}.`, { exact: true });
  await log(page).getByText(`Answer ${RUNS}.`, { exact: true }).waitFor();
  await first.waitFor({ state: "attached" });
  await expect
    .poll(async () => {
      await log(page).evaluate((box) => box.scrollTo({ top: 0 }));
      return await page.getByRole("button", { name: "Latest" }).isVisible();
    })
    .toBe(true);
  const topOf = (): Promise<number> => first.evaluate((line) => Math.round(line.getBoundingClientRect().top));
  const before = await topOf();
  await page.getByRole("button", { name: "Show older messages" }).tap();
  for (let nth = 1; nth < RUNS - 9; nth += 1) {
    await log(page).getByText(`Answer ${nth}.`, { exact: true }).waitFor({ state: "attached" });
  }
  await expect.poll(topOf).toBe(before);
  await log(page).evaluate((box) => box.scrollBy({ top: 300 }));
  await expect.poll(topOf).toBe(before - 300);
});
