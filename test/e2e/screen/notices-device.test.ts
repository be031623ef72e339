/**
 * From turning pushes on to answering a permission from its notice. The push service and the desktop that shows notices are the tests'
 * own; what lies between them is Chromium's, presses too. Needs Linux.
 */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { openAccount } from "../../support/browser/account-steps.ts";
import { allowOnce, readyButton } from "../../support/browser/answer-card.ts";
import type { NotificationArea } from "../../support/browser/desktop/notification-area.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { addLapsedDevice } from "../../support/browser/site-database.ts";
import { callTool, say } from "../../support/model-script.ts";
import { composer, log, question, runEnd } from "./agent-page.ts";
import { aPushService, askedAfterTurningOn, deviceKey, it, readyPage, subscribeAs, WAIT } from "./device-page.ts";

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

/** Resolves when a page has nothing else to do: the service worker waits only briefly for it to say where it is. */
const untilIdle = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => resolve())));

/** Presses the only notice that is shown, when it is. */
const press = async (area: NotificationArea): Promise<void> => {
  await expect.poll(() => area.shown(), WAIT).toHaveLength(1);
  area.press(area.shown()[0]?.id ?? 0);
};

/** Presses it and returns the window that it opens. */
const pressAndOpen = async (area: NotificationArea, page: Page): Promise<Page> => {
  const opened = page.context().waitForEvent("page", WAIT);
  await press(area);
  return await opened;
};

/** Whether an element begins where its log does, with a little room above it. */
const isOnTop = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => {
    const below = node.getBoundingClientRect().top - (node.closest(".log")?.getBoundingClientRect().top ?? 0);
    return below >= 0 && below < 24;
  });

/** Longest the whole journey may take, with the start of its site, on a machine that has more to do. */
const JOURNEY_MS = 180_000;

/** More than fits on a phone. */
const LONG = Array.from({ length: 40 }, (_, nth) => `Paragraph ${nth + 1}.`).join("\n\n");

const titles = (area: NotificationArea): readonly string[] => area.shown().map(({ title }) => title);

it("a permission is asked for on the phone, answered from there, and the notice is gone", {
  timeout: JOURNEY_MS,
}, async ({ phone, person, script, tally, area }) => {
  const service = await aPushService();
  const received = async (): Promise<readonly { readonly notice: { readonly kind: string } }[]> =>
    await (await fetch(`${service.url}/received/phone`)).json();
  const page = await readyPage(phone);
  await subscribeAs(page, await service.subscription("phone"));
  await page.goto("/stocks");
  await openAccount(page, person.email);
  await page.getByText(/icon of its own and opens without a network\.$/).waitFor();
  await page.getByRole("button", { name: "Turn on for this device" }).tap();
  // Exactly: that it is turned on is said to screen readers as well, in a sentence that begins so.
  await page.locator("dialog[open]").getByText("This device", { exact: true }).waitFor();
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  const model = await script([say(LONG), callTool("add-stock", { symbol: "MSFT" }), say("Added."), say("Later.")]);
  await tally.eventsUntil(await tally.startTurn("from-afar", model.prompt("Tell me much.")), "run_end");
  await tally.startTurn("from-afar", model.prompt("Add Microsoft."));
  await tally.startTurn("from-afar", model.prompt(LONG));
  await expect.poll(received, WAIT).toHaveLength(1);
  const asked = JSON.stringify((await received())[0]?.notice);
  await handOver(page, asked);
  await expect.poll(() => titles(area), WAIT).toEqual(["The agent needs your permission"]);
  // The chat is not open yet: it opens at the card, with more above and below than fits.
  const chat = await pressAndOpen(area, page);
  const card = question(chat, "Add MSFT");
  await card.and(chat.locator(":focus")).waitFor();
  await log(chat).getByText("Paragraph 40.").first().waitFor();
  await expect.poll(() => isOnTop(card), WAIT).toBe(true);
  expect(chat.url()).toBe(new URL("/t/from-afar", chat.url()).href);
  // It is open, and the person has gone elsewhere in it.
  await handOver(chat, asked);
  await log(chat).press("End");
  await expect.poll(() => isOnTop(card), WAIT).toBe(false);
  const pages = chat.context().pages();
  await untilIdle(chat);
  await press(area);
  await expect.poll(() => isOnTop(card), WAIT).toBe(true);
  expect(chat.context().pages()).toEqual(pages);
  await handOver(chat, asked);
  await expect.poll(() => titles(area), WAIT).toHaveLength(1);
  await readyButton(chat, "Allow once");
  await allowOnce(chat);
  await runEnd(chat).waitFor();
  await log(chat).getByText("You allowed this once.").waitFor();
  await expect.poll(received, WAIT).toHaveLength(2);
  await handOver(chat, JSON.stringify((await received())[1]?.notice));
  await expect.poll(() => titles(area), WAIT).toEqual([]);
});

const NOTICE = { kind: "run_end", tag: "run-1", title: "The agent has finished", url: "/t/elsewhere" };

it("a press starts a service worker that was stopped, and opens the app when no window of it is open", async ({
  desktop,
  area,
}) => {
  const page = await readyPage(desktop);
  await handOver(page, JSON.stringify(NOTICE));
  await expect.poll(() => titles(area), WAIT).toEqual([NOTICE.title]);
  // A page of the browser's own keeps it open.
  await page.goto("about:blank");
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("ServiceWorker.enable");
  await cdp.send("ServiceWorker.stopAllWorkers");
  const opened = await pressAndOpen(area, page);
  await opened.waitForURL("/t/elsewhere");
  await expect.poll(() => titles(area), WAIT).toEqual([]);
});

it("a press leaves other pages of the app as they are, and opens nothing but the app", async ({ desktop, area }) => {
  const page = await readyPage(desktop);
  await handOver(page, JSON.stringify({ ...NOTICE, url: "https://example.com/from-a-push" }));
  const first = await pressAndOpen(area, page);
  await first.waitForURL("/");
  // Until then it does not say where it is.
  await composer(first).waitFor();
  // One that did not come by a push, as only a script of the app's own could show it.
  await page.evaluate(async () => {
    const worker = await navigator.serviceWorker.ready;
    await worker.showNotification("Odd", { data: "https://example.com/from-a-script" });
  });
  const urls = page
    .context()
    .pages()
    .map((one) => one.url());
  // The app's first page is open: that one is shown, and told where to go.
  const told = first.evaluate(
    () =>
      new Promise<unknown>((resolve) =>
        navigator.serviceWorker.addEventListener("message", ({ data }) => data.hash !== undefined && resolve(data)),
      ),
  );
  // Idle, it also listens already.
  await untilIdle(first);
  await press(area);
  expect(await told).toEqual({ hash: "" });
  expect(
    page
      .context()
      .pages()
      .map((one) => one.url()),
  ).toEqual(urls);
  expect(page.url()).toMatch(/\/stocks$/);
});

it("a press goes by where each page is now, not by where it was loaded", { timeout: JOURNEY_MS }, async ({
  desktop,
  script,
  tally,
  area,
}) => {
  const model = await script([callTool("add-stock", { symbol: "SAP" })]);
  const turn = await tally.startTurn("gone-to", model.prompt("Add SAP."));
  const request = (await tally.eventsUntil(turn, "permission_request")).at(-1);
  const asked = JSON.stringify({ ...NOTICE, url: `/t/gone-to#request-${request?.requestId}` });
  const focusedCard = (shown: Page) => question(shown, "Add SAP").and(shown.locator(":focus"));
  const page = await readyPage(desktop);
  // Loaded at the stocks, and shows the chat.
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Chat/ }).click();
  await page
    .getByRole("navigation", { name: "Chats" })
    .getByRole("link", { name: /Add SAP/ })
    .click();
  await page.waitForURL("/t/gone-to");
  await question(page, "Add SAP").waitFor();
  await handOver(page, asked);
  const pages = page.context().pages();
  await untilIdle(page);
  await press(area);
  await focusedCard(page).waitFor();
  expect(page.context().pages()).toEqual(pages);
  // Loaded at the chat, and shows the stocks.
  await page.reload();
  await question(page, "Add SAP").waitFor();
  await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link", { name: /^Stocks/ })
    .click();
  await page.waitForURL("/stocks");
  await handOver(page, asked);
  await focusedCard(await pressAndOpen(area, page)).waitFor();
  expect(page.url()).toMatch(/\/stocks$/);
  await tally.send("POST", `/_framework/runs/${turn.runId}/abort`);
});

it("a browser that gets pushes tells the server again after a sign-in, until it is removed from elsewhere", {
  timeout: JOURNEY_MS,
}, async ({ desktop, person }) => {
  const { subscription } = await aPushService();
  const page = await readyPage(desktop);
  const asked = await askedAfterTurningOn(page, person.email, await subscription("desktop"));
  const signInAgain = () =>
    page.evaluate(() => {
      const [endpoint] = localStorage.getItem("tally.device-told")?.split(" ") ?? [];
      localStorage.setItem("tally.device-told", `${endpoint} in an earlier log-in`);
    });
  await signInAgain();
  await page.reload();
  await expect.poll(() => asked, WAIT).toEqual(["GET", "POST"]);
  const told = () => page.evaluate(() => localStorage.getItem("tally.device-told"));
  await expect.poll(told, WAIT).not.toContain("in an earlier log-in");
  expect((await page.request.delete(`/_framework/push/${await deviceKey(page)}`)).status()).toBe(200);
  await signInAgain();
  await page.reload();
  await expect.poll(() => deviceKey(page), WAIT).toBeNull();
  expect(asked).toEqual(["GET", "POST", "GET"]);
});

it("a browser whose subscription the push service ended tells the server of the next one", {
  timeout: JOURNEY_MS,
}, async ({ phone, person, script, tally }) => {
  const { url, subscription } = await aPushService();
  const page = await readyPage((path) => phone(path, { allow: [/404/] }));
  const asked = await askedAfterTurningOn(page, person.email, await subscription("first"));
  const deviceId = await deviceKey(page);
  // Other tests of this file leave devices of the same person.
  const devices = async () => JSON.stringify(await tally.send("GET", "/_framework/push"));
  expect(await devices()).toContain(deviceId);
  await fetch(`${url}/answer/first`, { method: "POST", body: JSON.stringify([{ status: 410 }]) });
  // Nobody is told of a request that a page shows.
  await page.goto("about:blank");
  await subscribeAs(page, await subscription("second"));
  const model = await script([callTool("add-stock", { symbol: "MSFT" })]);
  const { runId } = await tally.startTurn("t", model.prompt("Add Microsoft."));
  await expect.poll(devices, WAIT).not.toContain(deviceId);
  await page.goto("/stocks");
  // The former one could still be there, had the push service not told the server.
  await expect.poll(() => asked, WAIT).toEqual(["GET", "POST", "DELETE"]);
  await tally.send("POST", `/_framework/runs/${runId}/abort`);
});

it("a device that lapsed is replaced when this one is turned on, and can be removed here after it was elsewhere", {
  timeout: JOURNEY_MS,
}, async ({ desktop, person, site }) => {
  const { subscription } = await aPushService();
  const page = await readyPage((path) => desktop(path, { allow: [/404/] }));
  const lapsedId = addLapsedDevice(site, person.email, "Chrome of before");
  await page.evaluate((id) => localStorage.setItem("tally.device", id), lapsedId);
  await subscribeAs(page, await subscription("anew"));
  await page.goto("/stocks");
  await openAccount(page, person.email);
  const dialog = page.locator("dialog[open]");
  const own = dialog.getByRole("listitem").filter({ hasText: "This device" });
  await own.getByText("Chrome of before").waitFor();
  await dialog.getByRole("button", { name: "Turn on for this device" }).click();
  await own.getByText("Chrome on Linux").waitFor();
  expect(await dialog.getByRole("listitem").filter({ hasText: "Chrome of before" }).count()).toBe(0);
  expect(await page.evaluate(async () => (await (await fetch("/_framework/push")).json()).lapsed)).toEqual([]);
  expect((await page.request.delete(`/_framework/push/${await deviceKey(page)}`)).status()).toBe(200);
  await own.getByRole("button", { name: "Remove" }).click();
  await own.waitFor({ state: "detached" });
  expect(await dialog.getByRole("alert").count()).toBe(0);
  expect(await deviceKey(page)).toBeNull();
});
