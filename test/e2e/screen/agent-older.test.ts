/** Older messages of a long chat are shown above what one reads, which stays where it is. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { it } from "../../support/browser/screen-test.ts";
import type { tallyClient } from "../../support/browser/tally-client.ts";
import { say } from "../../support/model-script.ts";
import type { ScriptedModel } from "../../support/scripted-model.ts";
import { log } from "./agent-page.ts";

/** Runs of the chat: more than are shown at first. */
const RUNS = 14;

const answer = (nth: number): string => [`Answer ${nth}.`, ...Array<string>(12).fill("A line of it.")].join("\n\n");

type Asked = {
  readonly tally: ReturnType<typeof tallyClient>;
  readonly model: ScriptedModel;
  readonly from?: number;
  readonly to: number;
};

/** Asks one question after the other in the thread. Returns the first run's id. */
const askAll = async (threadId: string, { tally, model, from = 1, to }: Asked): Promise<string | undefined> => {
  const runIds: string[] = [];
  for (let nth = from; nth <= to; nth += 1) {
    const turn = await tally.startTurn(threadId, model.prompt(`Question ${nth}.`));
    await tally.eventsUntil(turn, "run_end");
    runIds.push(turn.runId);
  }
  return runIds[0];
};

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
  await askAll("long", { tally, model, to: RUNS });
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

it("replaced messages that are unfolded stay so when older ones join them", async ({ phone, script, tally }) => {
  const model = await script(Array.from({ length: 12 }, (_, nth) => say(`Answer ${nth + 1}.`)));
  await askAll("folded", { tally, model, to: 1 });
  const beforeRunId = await askAll("folded", { tally, model, from: 2, to: 5 });
  await tally.send("POST", "/_framework/threads/folded/rewind", { beforeRunId });
  await askAll("folded", { tally, model, from: 6, to: 12 });
  const page = await phone("/t/folded");
  const folded = log(page).locator("summary", { hasText: "Replaced" });
  await folded.getByText("3 messages").waitFor();
  await folded.click();
  const answer5 = log(page).getByText("Answer 5.", { exact: true });
  await answer5.waitFor();
  await page.getByRole("button", { name: "Show older messages" }).tap();
  await folded.getByText("4 messages").waitFor();
  expect(await answer5.isVisible()).toBe(true);
});
