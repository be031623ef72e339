/** What tests of the app without a network wait for. On a site that lets its pages start the service worker. */
import type { Page } from "playwright-core";
import { expect } from "vitest";

/** What the console says of requests that no network answers, or nobody who is signed in. */
export const TROUBLES = [/ERR_INTERNET_DISCONNECTED|Failed to load|Failed to fetch|status of 401/];

/** Longest wait for what passes through the service worker, on a machine that has more to do, in ms. */
export const WAIT = { timeout: 30_000 } as const;

/** Waits until the service worker answers for this page. */
export const untilActive = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated", null, WAIT);
};

/** Waits until the app can be opened without a network, and has kept the list of this page. */
export const untilKept = async (page: Page, text: string): Promise<void> => {
  await untilActive(page);
  // The list is kept when it is read or changed.
  await page.reload();
  await expect.poll(() => kept(page), WAIT).toMatch(new RegExp(`kept-list .*${text}`));
};

/** All that this browser keeps for the site, as text. */
export const kept = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const stored: string[] = [JSON.stringify({ ...localStorage, ...sessionStorage })];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        // The files of the app are the same for everybody, and full of examples.
        const text = name.startsWith("tally-build-") ? "" : await (await cache.match(request))?.text();
        stored.push(`${name} ${request.url} ${text}`);
      }
    }
    for (const { name } of await indexedDB.databases()) stored.push(`IndexedDB ${name}`);
    return stored.join("\n");
  });
