/** A page that nobody leaves or comes back to: it asks for a new version each hour by itself, by a clock that the test moves. */
import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { itOnOwnSite } from "../../support/browser/screen-test.ts";
import { serveTwoBuilds } from "../../support/browser/two-builds.ts";

const it = itOnOwnSite({ args: ["--auth", "--service-worker"] });

/** Longest wait for what passes through the service worker, on a machine that has more to do, in ms. */
const WAIT = { timeout: 30_000 } as const;

type Counted = { readonly asked: number; readonly answered: number; readonly met: number };

/** Counts what the page asks of the browser, what of that is over, and what it says to service workers, from its next load on. */
const count = async (page: Page): Promise<void> => {
  await page.addInitScript(() => {
    const counted = { asked: 0, answered: 0, met: 0 };
    Object.assign(globalThis, { counted });
    const { update } = ServiceWorkerRegistration.prototype;
    ServiceWorkerRegistration.prototype.update = async function (this: ServiceWorkerRegistration) {
      counted.asked += 1;
      const found = await update.call(this);
      counted.answered += 1;
      return found;
    };
    const { postMessage } = ServiceWorker.prototype;
    ServiceWorker.prototype.postMessage = function (this: ServiceWorker, message: unknown) {
      counted.met += 1;
      postMessage.call(this, message);
    };
  });
};

const counted = (page: Page): Promise<Counted> => page.evaluate(() => Object(globalThis).counted);

it("a page that stays in view asks for a new version each hour, and says when there is one", async ({
  desktop,
  site,
}) => {
  const builds = await serveTwoBuilds(site.url);
  onTestFinished(builds.close);
  const page = await desktop("/stocks", { at: builds.url });
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated", null, WAIT);
  await count(page);
  await page.clock.install();
  await page.reload();
  // Its first word to the service worker is the last step of its start.
  await expect.poll(async () => (await counted(page)).met, WAIT).toBeGreaterThan(0);
  await page.clock.fastForward("30:00");
  expect(await counted(page)).toMatchObject({ asked: 0 });
  await page.clock.fastForward("30:01");
  expect(await counted(page)).toMatchObject({ asked: 1 });
  // While it is on its way, a browser takes the next question for the same one.
  await expect.poll(async () => (await counted(page)).answered, WAIT).toBe(1);
  builds.deploySecond();
  await page.clock.fastForward("01:00:01");
  expect(await counted(page)).toMatchObject({ asked: 2 });
  await page.locator(".toast").getByText("There is a new version of Tally.").waitFor(WAIT);
});
