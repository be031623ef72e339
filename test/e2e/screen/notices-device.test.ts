/** From turning pushes on to answering a permission from its notice. The push service is the tests' own, the browser's handing over Chromium's. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { openAccount } from "../../support/browser/account-steps.ts";
import { allowOnce, readyButton } from "../../support/browser/answer-card.ts";
import { ensureChromium } from "../../support/browser/ensure-chromium.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { WHOLE_BROWSER_PLACES } from "../../support/browser/find-chromium.ts";
import { itOnOwnSite } from "../../support/browser/screen-test.ts";
import { startBrowser } from "../../support/browser/start-browser.ts";
import { callTool, say } from "../../support/model-script.ts";
import { startPushServer } from "../../support/push-server.ts";
import { log, question, runEnd } from "./agent-page.ts";

const it = itOnOwnSite({
  args: ["--service-worker"],
  env: {
    // A pair of keys as `npm run push-keys` makes it, for nobody but the tests.
    VAPID_PUBLIC_KEY: "BB-Ad-O_FKJv-8OlWDFjaK23CfzA41D8mvZhDfWfeNbjWV3Yhd6pm6pxVlMaxy5IviHGTdUtL_sqi-whQpbRi1I",
    VAPID_PRIVATE_KEY: "lubziXEjL8Zhs6RvA2N3mStZVK8yymr0CZBZZkHyIjM",
    VAPID_SUBJECT: "mailto:ops@example.com",
    // Pushes leave the machine; here their service is on it.
    NOTICES_PAUSED: "",
  },
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads off the pattern which fixtures are needed: none.
}).extend("browser", { scope: "worker" }, async ({}, { onCleanup }) => {
  const browser = await startBrowser([], ensureChromium(WHOLE_BROWSER_PLACES));
  onCleanup(() => browser.close());
  return browser;
});

/** Hands a push to the page's service worker, as the browser's own connection to its push service does. */
const handOver = async (page: Page, data: string): Promise<void> => {
  const cdp = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [first] }) => {
      if (first !== undefined) resolve(first.registrationId);
    });
  });
  await cdp.send("ServiceWorker.enable");
  const { origin } = new URL(page.url());
  await cdp.send("ServiceWorker.deliverPushMessage", { origin, registrationId: await registered, data });
  await cdp.detach();
};

/**
 * Presses what the device shows, as far as a test can: nobody can press a notification of a headless browser, and only a press lets a
 * service worker open or focus a window. So the event is made here, and these two say what they were asked for. Resolves with
 * the address of the window that was to be opened, or with nothing when an open one was focused.
 */
const press = async (page: Page): Promise<string | undefined> => {
  const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent("serviceworker"));
  return await worker.evaluate(`(async () => {
    const [notification] = await self.registration.getNotifications();
    const { promise, resolve } = Promise.withResolvers();
    self.clients.openWindow = async (url) => resolve(url);
    WindowClient.prototype.focus = async function () {
      setTimeout(resolve);
      return this;
    };
    const event = new NotificationEvent("notificationclick", { notification });
    Object.defineProperty(event, "waitUntil", { value: (done) => done.catch(resolve) });
    self.dispatchEvent(event);
    return await promise;
  })()`);
};

/** Whether an element begins where its log does, with a little room above it. */
const isOnTop = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => {
    const below = node.getBoundingClientRect().top - (node.closest(".log")?.getBoundingClientRect().top ?? 0);
    return below >= 0 && below < 24;
  });

/** Longest the whole journey may take, with the start of its site, on a machine that has more to do. */
const JOURNEY_MS = 180_000;

/** Longest wait for what passes through the push service, the service worker and the device, on a machine that has more to do, in ms. */
const WAIT = { timeout: 30_000 } as const;

/** More than fits on a phone. */
const LONG = Array.from({ length: 40 }, (_, nth) => `Paragraph ${nth + 1}.`).join("\n\n");

/** What the device shows of the app. */
const shown = (page: Page) =>
  page.evaluate(async () =>
    (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, data }) => [title, data]),
  );

it("a permission is asked for on the phone, answered from there, and the notice is gone", {
  timeout: JOURNEY_MS,
}, async ({ phone, person, script, tally }) => {
  const service = await startPushServer();
  const subscription = JSON.stringify(await (await fetch(`${service.url}/subscribe/phone`)).json());
  const received = async (): Promise<readonly { readonly notice: { readonly kind: string } }[]> =>
    await (await fetch(`${service.url}/received/phone`)).json();
  const page = await phone("/stocks");
  await page.context().grantPermissions(["notifications"]);
  // The one without windows never has it (`find-chromium.ts`).
  expect(await page.evaluate(() => Notification.permission)).toBe("granted");
  await page.addInitScript((text) => {
    const { endpoint, keys } = JSON.parse(text);
    // Chromium without Google's keys has no push service to subscribe to.
    PushManager.prototype.subscribe = async () =>
      Object.assign(Object.create(PushSubscription.prototype), {
        ...{ toJSON: () => ({ endpoint, keys }) },
      });
    Object.defineProperty(PushSubscription.prototype, "endpoint", { get: () => endpoint });
  }, subscription);
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  await page.goto("/stocks");
  await openAccount(page, person.email);
  await page.getByRole("button", { name: "Turn on for this device" }).tap();
  await page.locator("dialog[open]").getByText("This device").waitFor();
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  const model = await script([say(LONG), callTool("add-stock", { symbol: "MSFT" }), say("Added."), say("Later.")]);
  await tally.eventsUntil(await tally.startTurn("from-afar", model.prompt("Tell me much.")), "run_end");
  const asking = await tally.startTurn("from-afar", model.prompt("Add Microsoft."));
  await tally.startTurn("from-afar", model.prompt(LONG));
  await expect.poll(received, WAIT).toHaveLength(1);
  await handOver(page, JSON.stringify((await received())[0]?.notice));
  const asked = (await tally.eventsUntil(asking, "permission_request")).at(-1)?.requestId;
  const path = `/t/from-afar#request-${asked}`;
  await expect.poll(() => shown(page), WAIT).toEqual([["The agent needs your permission", path]]);
  // The chat is not open yet: it opens at the card, with more above and below than fits.
  const opened = await press(page);
  expect(opened).toBe(new URL(path, page.url()).href);
  await page.goto(String(opened));
  const card = question(page, "Add MSFT");
  await card.and(page.locator(":focus")).waitFor();
  await log(page).getByText("Paragraph 40.").first().waitFor();
  await expect.poll(() => isOnTop(card), WAIT).toBe(true);
  expect(page.url()).toBe(new URL("/t/from-afar", page.url()).href);
  // It is open, and the person has gone elsewhere in it.
  await handOver(page, JSON.stringify((await received())[0]?.notice));
  await expect.poll(() => shown(page), WAIT).toHaveLength(1);
  await log(page).press("End");
  await expect.poll(() => isOnTop(card), WAIT).toBe(false);
  expect(await press(page)).toBeUndefined();
  await expect.poll(() => isOnTop(card), WAIT).toBe(true);
  await readyButton(page, "Allow once");
  await allowOnce(page);
  await runEnd(page).waitFor();
  await log(page).getByText("You allowed this once.").waitFor();
  await expect.poll(received, WAIT).toHaveLength(2);
  await handOver(page, JSON.stringify((await received())[1]?.notice));
  await expect.poll(() => shown(page), WAIT).toEqual([]);
  await service.close();
});
