/**
 * A tab in the background, a device that sleeps, and a clock that stands still. Playwright keeps every page visible and awake, whatever the browser is
 * told, so hiding is said to the page as the browser would say it; freezing is real: a paused debugger runs no script.
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

/** The person goes to another tab: `document.hidden`, `visibilitychange`, `blur`. Timers are not slowed. */
export const hideTab = (page: Page): Promise<unknown> => setVisibility(page, "hidden");

/** The person comes back. */
export const showTab = (page: Page): Promise<unknown> => setVisibility(page, "visible");

/**
 * From here on the page's time, and with it its timers and frames, goes on only by `page.clock`. What a person does is
 * still answered: so a test can do something between two things that would else come in one frame.
 */
export const stopClock = async (page: Page): Promise<void> => {
  await page.clock.install();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000));
};

/** Stops all script of the page, as a sleeping phone does; nothing can be asked of the page until the result is called. */
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
