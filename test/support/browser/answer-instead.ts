import type { BrowserContext, Page, Route } from "playwright-core";

/**
 * Answers requests to `url` instead of the server, until the result is called. It stays in place then and passes them on: when a page's
 * last route is removed, Playwright itself lets the requests go on that are being answered, and the answers fail.
 */
export const answerInstead = async (
  page: Page | BrowserContext,
  url: string | RegExp,
  answer: (route: Route) => unknown,
): Promise<() => void> => {
  let isOver = false;
  await page.route(url, (route) => (isOver ? route.fallback() : answer(route)));
  return () => {
    isOver = true;
  };
};
