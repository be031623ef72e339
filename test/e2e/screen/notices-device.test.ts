/** From turning pushes on to answering a permission from its notice. The push service is the tests' own, the browser's handing over Chromium's. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { openAccount } from "../../support/browser/account-steps.ts";
import { allowOnce, readyButton } from "../../support/browser/answer-card.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { itOnOwnSite } from "../../support/browser/screen-test.ts";
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

/** What the device shows of the app. */
const shown = (page: Page) =>
  page.evaluate(async () =>
    (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, data }) => [title, data]),
  );

it("a permission is asked for on the phone, answered from there, and the notice is gone", async ({
  phone,
  person,
  script,
  tally,
}) => {
  const service = await startPushServer();
  const subscription = JSON.stringify(await (await fetch(`${service.url}/subscribe/phone`)).json());
  const received = async (): Promise<readonly { readonly notice: { readonly kind: string } }[]> =>
    await (await fetch(`${service.url}/received/phone`)).json();
  const page = await phone("/stocks");
  await page.context().grantPermissions(["notifications"]);
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
  const model = await script([callTool("add-stock", { symbol: "MSFT" }), say("Added.")]);
  await tally.startTurn("from-afar", model.prompt("Add Microsoft."));
  await expect.poll(received, { timeout: 20_000 }).toHaveLength(1);
  await handOver(page, JSON.stringify((await received())[0]?.notice));
  await expect.poll(() => shown(page)).toEqual([["The agent needs your permission", "/t/from-afar"]]);
  await page.goto("/t/from-afar");
  await question(page, "Add MSFT").waitFor();
  await readyButton(page, "Allow once");
  await allowOnce(page);
  await runEnd(page).waitFor();
  await log(page).getByText("You allowed this once.").waitFor();
  await expect.poll(received, { timeout: 20_000 }).toHaveLength(2);
  await handOver(page, JSON.stringify((await received())[1]?.notice));
  await expect.poll(() => shown(page)).toEqual([]);
  await service.close();
});
