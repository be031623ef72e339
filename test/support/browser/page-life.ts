/**
 * A tab in the background, a device that sleeps, and a stopped clock. Playwright keeps every page visible and awake, whatever the browser's
 * options, so the page is sent the events that a browser sends when it is hidden; freezing is real: a paused debugger runs no script.
 */
import type { Page } from "playwright-core";
import { within } from "../../../src/contract/within.ts";

const setVisibility = (page: Page, state: "hidden" | "visible"): Promise<unknown> =>
  page.evaluate(`
    for (const [name, value] of [["visibilityState", "${state}"], ["hidden", ${state === "hidden"}]])
      Object.defineProperty(document, name, { configurable: true, get: () => value });
    Object.defineProperty(document, "hasFocus", { configurable: true, value: () => ${state === "visible"} });
    window.dispatchEvent(new Event("${state === "hidden" ? "blur" : "focus"}"));
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  `);

/** The person switches to another tab: `document.hidden`, `visibilitychange`, `blur`. Timers are not slowed. */
export const hideTab = (page: Page): Promise<unknown> => setVisibility(page, "hidden");

/** The phone discards the page in the background: its script stops there, and what it would do as it is left does not happen. */
export const dropTab = async (page: Page): Promise<void> => {
  await hideTab(page);
  await page.evaluate(() => {
    for (const type of ["visibilitychange", "pagehide"])
      addEventListener(type, (event) => event.stopImmediatePropagation(), { capture: true });
  });
};

/** The person comes back. */
export const showTab = (page: Page): Promise<unknown> => setVisibility(page, "visible");

/**
 * From here on the page's time, with its timers and frames, advances only by `page.clock`. The page still reacts to the person, so a
 * test can act between two things that would otherwise come in one frame.
 */
export const stopClock = async (page: Page): Promise<void> => {
  // `performance.now()` begins again with 0: what happened before must be past all the same.
  const ageMs = await page.evaluate(() => performance.now());
  await page.clock.install();
  await page.clock.pauseAt(await page.evaluate((ms) => Date.now() + ms + 10_000, ageMs));
};

/** Longest wait for an answer of the browser's debugger, in ms. Its protocol has no limit of its own. */
const DEBUGGER_LIMIT_MS = 30_000;

/** Stops all script of the page, as a sleeping phone does; the page answers nothing until the result is called. */
export const freezeTab = async (page: Page): Promise<() => Promise<void>> => {
  const cdp = await within(DEBUGGER_LIMIT_MS, () => page.context().newCDPSession(page));
  await within(DEBUGGER_LIMIT_MS, () => cdp.send("Debugger.enable"));
  const paused = new Promise<void>((resolve) => cdp.once("Debugger.paused", () => resolve()));
  // A statement that pauses, not `Debugger.pause`, which waits for one. The answer comes at the wake.
  void cdp.send("Runtime.evaluate", { expression: "debugger" }).catch(() => undefined);
  await within(DEBUGGER_LIMIT_MS, () => paused);
  return async () => {
    await within(DEBUGGER_LIMIT_MS, () => cdp.send("Debugger.resume"));
    await within(DEBUGGER_LIMIT_MS, () => cdp.detach());
  };
};
