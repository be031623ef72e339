/** Steps of tests of a browser as a device that gets pushes. */
import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { openAccount } from "../../support/browser/account-steps.ts";
import { type NotificationArea, startNotificationArea } from "../../support/browser/desktop/notification-area.ts";
import { openProfilePages } from "../../support/browser/profile-pages.ts";
import { itOnOwnSite } from "../../support/browser/screen-test.ts";
import { startPushServer } from "../../support/push-server.ts";

/** Longest wait for what passes through the push service, the service worker and the device, on a machine that has more to do, in ms. */
export const WAIT = { timeout: 30_000 } as const;

/** A site with keys for pushes, and a desktop that shows notices. */
export const it = itOnOwnSite({
  args: ["--service-worker"],
  env: {
    // A pair of keys as `npm run push-keys` makes it, for nobody but the tests.
    VAPID_PUBLIC_KEY: "BB-Ad-O_FKJv-8OlWDFjaK23CfzA41D8mvZhDfWfeNbjWV3Yhd6pm6pxVlMaxy5IviHGTdUtL_sqi-whQpbRi1I",
    VAPID_PRIVATE_KEY: "lubziXEjL8Zhs6RvA2N3mStZVK8yymr0CZBZZkHyIjM",
    VAPID_SUBJECT: "mailto:ops@example.com",
    // Pushes leave the machine; here their service is on it.
    NOTICES_PAUSED: "",
  },
})
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads off the pattern which fixtures are needed: none.
  .extend("area", async ({}, { onCleanup }): Promise<NotificationArea> => {
    const area = await startNotificationArea();
    onCleanup(area.close);
    return area;
  })
  // Presses reach the pages of a browser's own profile alone, so each test has a browser.
  .extend("pages", async ({ area, site, person, task }, { onCleanup }) => {
    const pages = openProfilePages(site.url, person, { env: { ...process.env, ...area.env } });
    onCleanup(async () => {
      if (task.result?.state === "fail") await pages.keepPictures(task.name);
      await pages.close();
    });
    return pages;
  });

/** A page whose browser may show notices and has the service worker at work. */
export const readyPage = async (open: (path: string) => Promise<Page>): Promise<Page> => {
  const page = await open("/stocks");
  await page.context().grantPermissions(["notifications"], { origin: new URL(page.url()).origin });
  // The one without windows never has it (`find-chromium.ts`).
  expect(await page.evaluate(() => Notification.permission)).toBe("granted");
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated", null, WAIT);
  return page;
};

/** What the browser subscribes with from the page's next load on: Chromium without Google's keys has no push service of its own. */
export const subscribeAs = async (page: Page, subscription: string): Promise<void> => {
  await page.addInitScript((text) => {
    // An empty page has none.
    if (!("PushManager" in window)) return;
    const given = JSON.parse(text);
    PushManager.prototype.subscribe = async () =>
      Object.assign(Object.create(PushSubscription.prototype), { toJSON: () => given, unsubscribe: async () => true });
    PushManager.prototype.getSubscription = PushManager.prototype.subscribe;
    Object.defineProperty(PushSubscription.prototype, "endpoint", { configurable: true, get: () => given.endpoint });
  }, subscription);
};

/** A push service of the test's own, and what a browser that subscribes there is given. */
export const aPushService = async () => {
  const { url, close } = await startPushServer();
  onTestFinished(close);
  return { url, subscription: async (device: string) => await (await fetch(`${url}/subscribe/${device}`)).text() };
};

/** What a page asks about devices from its next load on, once pushes are turned on for its device. */
export const askedAfterTurningOn = async (
  page: Page,
  email: string,
  subscription: string,
): Promise<readonly string[]> => {
  await subscribeAs(page, subscription);
  await page.goto("/stocks");
  await openAccount(page, email);
  await page.getByRole("button", { name: "Turn on for this device" }).click();
  await page.locator("dialog[open]").getByText("This device", { exact: true }).waitFor();
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/_framework/push")) asked.push(request.method());
  });
  await page.goto("/stocks");
  return asked;
};

/** The id under which the server knows the page's browser, as the page keeps it. */
export const deviceKey = (page: Page): Promise<string | null> =>
  page.evaluate(() => localStorage.getItem("tally.device"));
