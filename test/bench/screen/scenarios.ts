/** What is done on the screens while they are measured. Elements are found as a person does: by role and name. */
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { DESKTOP, PHONE } from "../../support/browser/devices.ts";
import type { Person } from "../../support/browser/person.ts";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import type { ScreenFigures } from "./screen-budgets.ts";
import { openSlowPage, type SlowPage } from "./slow-page.ts";

/** What the scenarios need: a browser, a site whose model is scripted, and who is signed in there. */
export type ScreenWorld = {
  readonly browser: Browser;
  readonly siteUrl: string;
  readonly modelUrl: string;
  readonly person: Person;
};

/** One round of one scenario. */
export type Scenario = (world: ScreenWorld) => Promise<ScreenFigures>;

/** Finds something, then nothing, then is taken back: short and long lists both. */
const SEARCH_WORDS = ["energy", "fjord", "zzz"] as const;

/** Between two keys, in ms: a fast typist. */
const KEY_DELAY_MS = 80;

/** Of a flick, in px a second, and how far one goes. */
const SCROLL = { speed: 4_000, distance: 20_000 } as const;

/** Bytes over the wire of scripts and styles that were asked for before the largest paint. */
const SIZES_BEFORE = (paintMs: number) => `(() => {
  const sum = (ending) => performance.getEntriesByType("resource")
    .filter(({ name, startTime }) => new URL(name).pathname.endsWith(ending) && startTime <= ${paintMs})
    .reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, 0);
  return { js: sum(".js"), css: sum(".css") };
})()`;

const onSlowPage = async (
  { browser, person }: ScreenWorld,
  device: typeof PHONE,
  measure: (slow: SlowPage) => Promise<ScreenFigures>,
): Promise<ScreenFigures> => {
  const slow = await openSlowPage(browser, device);
  try {
    await slow.page.context().addCookies([...person.cookies]);
    return await measure(slow);
  } finally {
    await slow.close();
  }
};

/** A table where there is room, a list on a phone; both have the name. The count is of what is rendered. */
const waitForStocks = (page: Page): Promise<void> =>
  page
    .getByRole("table", { name: "Stocks" })
    .or(page.getByRole("list", { name: "Stocks" }))
    .locator("tbody tr, li")
    .first()
    .waitFor();

const openStocks = async ({ page }: SlowPage, siteUrl: string): Promise<void> => {
  await page.goto(`${siteUrl}/stocks`);
  await waitForStocks(page);
};

/** The first visit of `/stocks` on a phone, nothing cached. */
export const firstPaint: Scenario = (world) =>
  onSlowPage(world, PHONE, async (slow) => {
    await openStocks(slow, world.siteUrl);
    const { paintMs, shift } = await slow.vitals();
    const sizes = z.object({ js: z.number(), css: z.number() }).parse(await slow.page.evaluate(SIZES_BEFORE(paintMs)));
    return { paintMs, shift, scriptKb: sizes.js / 1_024, styleKb: sizes.css / 1_024 };
  });

/** The same for any page without a script: the cost of this browser and connection alone. */
export const floorPaint =
  (floorUrl: string): Scenario =>
  (world) =>
    onSlowPage(world, PHONE, async (slow) => {
      await slow.page.goto(floorUrl);
      const { paintMs, shift } = await slow.vitals();
      return { paintMs, shift };
    });

/** Types and deletes the words; the worst key counts. */
const searchAround = async ({ page }: SlowPage): Promise<void> => {
  await page.getByRole("searchbox", { name: "Search stocks" }).click();
  for (const word of SEARCH_WORDS) {
    await page.keyboard.type(word, { delay: KEY_DELAY_MS });
    for (const _ of word) await page.keyboard.press("Backspace", { delay: KEY_DELAY_MS });
  }
};

/** Searching on a phone. */
export const typing: Scenario = (world) =>
  onSlowPage(world, PHONE, async (slow) => {
    await openStocks(slow, world.siteUrl);
    await slow.restart();
    await searchAround(slow);
    return { typingMs: (await slow.vitals()).interactionMs };
  });

/** Searching on a desktop while the docked agent answers; the answer begins before the first key. */
export const typingBeside: Scenario = (world) =>
  onSlowPage(world, DESKTOP, async (slow) => {
    const { page } = slow;
    await openStocks(slow, world.siteUrl);
    const model = await scriptModel(world.modelUrl, [longAnswer()]);
    await page.getByRole("textbox", { name: /message/i }).fill(model.prompt("Go"));
    await page.getByRole("button", { name: /^send/i }).click();
    await page.getByText("The answer begins.").first().waitFor();
    await slow.restart();
    await searchAround(slow);
    return { typingBesideMs: (await slow.vitals()).interactionMs };
  });

/** 2,000 deltas over more time than the typing takes, with the marks that a model uses. */
const longAnswer = () => {
  const part =
    "- **AAPL** closed at `180.25`, *above* your cost.\n- MSFT did not.\n\nThat makes a gain of 12 %, so far.\n\n";
  return say(`The answer begins.\n\n${part.repeat(90)}`, { deltas: 2_000, delayMs: 3 });
};

/**
 * Scrolls down and up again on a phone's window: as a wheel, since Chromium's synthetic fingers do not scroll a page whose
 * touches are emulated. What is done on the main thread is the same.
 */
export const scrolling: Scenario = (world) =>
  onSlowPage(world, PHONE, async (slow) => {
    await openStocks(slow, world.siteUrl);
    await slow.page.getByText(/^5,000 stocks/).waitFor();
    await slow.restart();
    const cdp = await slow.page.context().newCDPSession(slow.page);
    const scroll = async (yDistance: number): Promise<void> => {
      const gesture = { x: 180, y: 400, yDistance, speed: SCROLL.speed, gestureSourceType: "mouse" } as const;
      await cdp.send("Input.synthesizeScrollGesture", gesture);
    };
    await scroll(-SCROLL.distance);
    const reached = await slow.page.evaluate("scrollY");
    if (reached !== SCROLL.distance) throw new Error(`Scrolled to ${reached} of ${SCROLL.distance} px.`);
    await scroll(SCROLL.distance);
    return { scrollTaskMs: (await slow.vitals()).taskMs };
  });
