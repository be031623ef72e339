/**
 * A tab in the background, a device that sleeps, and a stopped clock. Playwright keeps every page visible and awake, whatever the browser's
 * options, so the page is sent the events that a browser sends when it is hidden; freezing is real: a paused debugger runs no script.
 */
import type { Page } from "playwright-core";

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

/** The person comes back. */
export const showTab = (page: Page): Promise<unknown> => setVisibility(page, "visible");

/**
 * From here on the page's time, with its timers and frames, advances only by `page.clock`. The page still reacts to the person, so a
 * test can act between two things that would otherwise come in one frame.
 */
export const stopClock = async (page: Page): Promise<void> => {
  await page.clock.install();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
};

/** Stops all script of the page, as a sleeping phone does; the page answers nothing until the result is called. */
export const freezeTab = async (page: Page): Promise<() => Promise<void>> => {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Debugger.enable");
  const paused = new Promise<void>((resolve) => cdp.once("Debugger.paused", () => resolve()));
  await cdp.send("Debugger.pause");
  // A page at rest has no next statement to pause at: give it one, and leave its answer for the wake.
  void cdp.send("Runtime.evaluate", { expression: "0" }).catch(() => undefined);
  await paused;
  return async () => {
    await cdp.send("Debugger.resume");
    await cdp.detach();
  };
};
