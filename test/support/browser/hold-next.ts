import type { Page } from "playwright-core";

type HoldOptions = { readonly method?: string; readonly end?: "continue" | "abort" | "fallback" };

/** Holds the page's next request to `url` by `method`, POST if not said. Call the result to let it go on, fail, or pass to earlier routes. */
export const holdNext = async (
  page: Page,
  url: string | RegExp,
  { method = "POST", end = "continue" }: HoldOptions = {},
): Promise<() => void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isHeld = false;
  await page.route(url, async (route) => {
    if (isHeld || route.request().method() !== method) return await route.fallback();
    isHeld = true;
    await promise;
    await route[end]();
  });
  return resolve;
};

/**
 * Loses the answer to the page's next request to `url`, which arrives. The route stays: with its last one, Playwright turns all routing
 * off, and a route that is made at that moment may be turned off with it.
 */
export const loseAnswer = (page: Page, url: string): Promise<unknown> => {
  let isLost = false;
  return page.route(url, async (route) => {
    if (isLost) return await route.fallback();
    isLost = true;
    await route.fetch();
    await route.abort("connectionreset");
  });
};
