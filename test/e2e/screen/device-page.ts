/** Steps of tests of a browser as a device that gets pushes. */
import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { openAccount } from "../../support/browser/account-steps.ts";
import { startPushServer } from "../../support/push-server.ts";

/** Longest wait for what passes through the push service, the service worker and the device, on a machine that has more to do, in ms. */
export const WAIT = { timeout: 30_000 } as const;

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
      Object.assign(Object.create(PushSubscription.prototype), { toJSON: () => given });
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
