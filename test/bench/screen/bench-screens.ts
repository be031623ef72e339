/** Measures the screens in Chromium: some rounds of every scenario, beside a plain page as floor. Never asserts a time. */
import { newPerson } from "../../support/browser/person.ts";
import { startSite } from "../../support/browser/site.ts";
import { startBrowser } from "../../support/browser/start-browser.ts";
import { tallyClient } from "../../support/browser/tally-client.ts";
import type { Result } from "../report.ts";
import type { Stops } from "../stops.ts";
import { startFloorPage } from "./floor-page.ts";
import {
  firstPaint,
  floorPaint,
  type Scenario,
  type ScreenWorld,
  scrolling,
  typing,
  typingBeside,
} from "./scenarios.ts";
import { SCREEN_BUDGETS, type ScreenFigures } from "./screen-budgets.ts";

const STOCKS = 1_000;

/** What is scrolled: as many as one person can have. */
const MOST_STOCKS = 5_000;

type Step = { readonly side: "floor" | "product"; readonly scenario: Scenario };

/** Starts a site and a browser and runs `rounds` rounds after one that warms up. A scenario that fails is left out. */
export const benchScreens = async (rounds: number, stops: Stops): Promise<Result[]> => {
  const board = scoreboard();
  const runRounds = async (world: ScreenWorld, steps: readonly Step[]): Promise<void> => {
    for (let round = 0; round <= rounds; round += 1) {
      process.stderr.write(`screens, round ${round} of ${rounds}\n`);
      for (const { side, scenario } of steps) {
        const figures = await scenario(world).catch((error: unknown) => {
          process.stderr.write(`left out, ${side}: ${String(error)}\n`);
        });
        if (figures !== undefined && round > 0) board.record(side, figures);
      }
    }
  };

  const browser = await startBrowser();
  stops.add(() => browser.close());
  const floor = await startFloorPage(STOCKS);
  stops.add(floor.stop);
  const site = await startSite({ args: ["--auth"] });
  stops.add(site.stop);
  const worldWith = async (stocks: number): Promise<ScreenWorld> => {
    const person = await newPerson(site);
    await tallyClient(site.url, person).seedStocks(stocks);
    return { browser, siteUrl: site.url, modelUrl: site.modelUrl ?? "", person };
  };

  await runRounds(await worldWith(STOCKS), [
    { side: "floor", scenario: floorPaint(floor.url) },
    { side: "product", scenario: firstPaint },
    { side: "product", scenario: typing },
    { side: "product", scenario: typingBeside },
  ]);
  await runRounds(await worldWith(MOST_STOCKS), [{ side: "product", scenario: scrolling }]);
  return board.results;
};

/** One row a budget, and the figures that belong to it. */
const scoreboard = () => {
  const rows = Object.entries(SCREEN_BUDGETS).map(([key, budget]) => ({
    key,
    result: { budget, samples: { floor: [] as number[], product: [] as number[] } },
  }));
  const record = (side: Step["side"], figures: ScreenFigures): void => {
    for (const [key, figure] of Object.entries(figures)) {
      rows.find((row) => row.key === key)?.result.samples[side].push(figure);
    }
  };
  return { results: rows.map(({ result }) => result), record };
};
