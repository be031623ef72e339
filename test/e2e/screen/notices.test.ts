/** How a person chooses what they are told, and how. The devices themselves: `notices-device.test.ts`. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { openAccount } from "../../support/browser/account-steps.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { holdNext } from "../../support/browser/hold-next.ts";
import { it } from "../../support/browser/screen-test.ts";

const settings = (page: Page) =>
  page.evaluate(async () => (await (await fetch("/_framework/settings")).json()).notices);

/** The next change that the server has taken. */
const saved = (page: Page) =>
  page.waitForResponse((response) => response.request().method() === "PATCH" && response.ok());

it("each kind has its own way, which is saved at once and stays", async ({ phone, person }) => {
  const page = await phone("/stocks");
  await openAccount(page, person.email);
  const finished = page.getByLabel("When the agent has finished");
  expect(await finished.locator("option:checked").textContent()).toBe("Nothing");
  const taken = saved(page);
  await finished.selectOption("Email");
  await taken;
  await page.getByText("Saved.").waitFor({ state: "attached" });
  expect(await settings(page)).toMatchObject({ permission: "mail", runEnd: "mail", target: "mail" });
  await page.reload();
  await openAccount(page, person.email);
  expect(await finished.locator("option:checked").textContent()).toBe("Email");
});

it("quiet hours begin as a night of the browser's time zone, and can be changed and ended", async ({
  desktop,
  person,
}) => {
  const page = await desktop("/stocks", { colorScheme: "dark" });
  await openAccount(page, person.email);
  const switched = saved(page);
  await page.getByLabel("Quiet hours", { exact: true }).check();
  await switched;
  const timeZone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  expect(await settings(page)).toMatchObject({ quietHours: { from: "22:00", to: "07:00", timeZone } });
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  const later = saved(page);
  await page.getByLabel("To", { exact: true }).fill("08:30");
  await later;
  const moved = saved(page);
  await page.getByLabel("Time zone").selectOption("Europe/Berlin");
  await moved;
  expect(await settings(page)).toMatchObject({ quietHours: { from: "22:00", to: "08:30", timeZone: "Europe/Berlin" } });
  await page.getByLabel("From", { exact: true }).fill("08:30");
  await page.getByText("Not saved: use two different times.").waitFor();
  const ended = saved(page);
  await page.getByLabel("Quiet hours", { exact: true }).uncheck();
  await ended;
  expect(await settings(page)).toMatchObject({ quietHours: null });
});

it("quiet hours that are typed are saved once, when the field is left or Enter is pressed", async ({
  desktop,
  person,
}) => {
  const page = await desktop("/stocks");
  await openAccount(page, person.email);
  const switched = saved(page);
  await page.getByLabel("Quiet hours", { exact: true }).check();
  await switched;
  const from = page.getByLabel("From", { exact: true });
  const to = page.getByLabel("To", { exact: true });
  const ended = saved(page);
  await to.fill("19:00");
  await ended;
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "PATCH" && sent.push(request.postData() ?? ""));
  await from.focus();
  // From 10 in the evening it is 7 in the evening first, when they would end as they begin.
  await page.keyboard.type("0730A");
  expect(await from.inputValue()).toBe("07:30");
  expect(sent).toEqual([]);
  const left = saved(page);
  await to.focus();
  await left;
  expect(await settings(page)).toMatchObject({ quietHours: { from: "07:30", to: "19:00" } });
  await from.focus();
  await page.keyboard.type("0845");
  const entered = saved(page);
  await page.keyboard.press("Enter");
  await entered;
  await to.focus();
  expect(await settings(page)).toMatchObject({ quietHours: { from: "08:45" } });
  expect(sent.length).toBe(2);
});

it("a late answer about a device leaves the focus, and a time that is half typed, as they are", async ({
  desktop,
  person,
}) => {
  const page = await desktop("/stocks");
  let devices = [{ deviceId: crypto.randomUUID(), label: "Old phone", createdAt: "2026-01-01T00:00:00.000Z" }];
  const isAnswered = Promise.withResolvers<void>();
  await page.route("**/_framework/push**", async (route) => {
    if (route.request().method() === "DELETE") {
      await isAnswered.promise;
      devices = [];
    }
    await route.fulfill({ json: { publicKey: "a-key", devices, lapsed: [] } });
  });
  await openAccount(page, person.email);
  const switched = saved(page);
  await page.getByLabel("Quiet hours", { exact: true }).check();
  await switched;
  await page.getByRole("button", { name: "Remove Old phone" }).click();
  const from = page.getByLabel("From", { exact: true });
  await from.focus();
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "PATCH" && sent.push(request.postData() ?? ""));
  // The first digit of 11 is a time of its own.
  await page.keyboard.press("1");
  isAnswered.resolve();
  await page.getByText("Old phone no longer gets push notifications.").waitFor({ state: "attached" });
  expect(await from.and(page.locator(":focus")).count()).toBe(1);
  expect(sent).toEqual([]);
});

it("without keys for pushes nothing offers them", async ({ phone, person }) => {
  const page = await phone("/stocks");
  await openAccount(page, person.email);
  const choice = page.getByLabel("When a stock reaches a target");
  await choice.waitFor();
  expect(await choice.locator("option").allTextContents()).toEqual(["Email", "Nothing"]);
  expect(await page.getByText("Turn on for this device").count()).toBe(0);
  await expectNoAxeViolations(page, { within: "dialog[open]" });
});

it("a choice that cannot be saved says so, and what is in force is shown again", async ({ desktop, person, link }) => {
  const page = await desktop("/stocks", { at: link.url, allow: [/ERR_FAILED/] });
  await openAccount(page, person.email);
  const choice = page.getByLabel("When the agent needs an answer");
  await choice.waitFor();
  await page.route("**/_framework/settings", (route) =>
    route.request().method() === "PATCH" ? route.abort() : route.continue(),
  );
  await choice.selectOption("Nothing");
  await page.getByText(/^Not saved\./).waitFor();
  await expect.poll(() => choice.locator("option:checked").textContent()).toBe("Email");
});

it("of two choices the one that cannot be saved is taken back, and the other one stays", async ({
  desktop,
  person,
}) => {
  const page = await desktop("/stocks", { allow: [/ERR_FAILED/] });
  await openAccount(page, person.email);
  const asked = page.getByLabel("When the agent needs an answer");
  const finished = page.getByLabel("When the agent has finished");
  await asked.waitFor();
  const letFail = await holdNext(page, "**/_framework/settings", { method: "PATCH", end: "abort" });
  await asked.selectOption("Nothing");
  await finished.selectOption("Email");
  const taken = saved(page);
  letFail();
  await taken;
  await expect.poll(() => asked.locator("option:checked").textContent()).toBe("Email");
  expect(await finished.locator("option:checked").textContent()).toBe("Email");
});

type Held = { readonly url: string; readonly method: string; readonly act: () => Promise<unknown> };

/** The request that `act` makes fails once the account was closed, which a message tells. */
const failAfterClosing = async (page: Page, { url, method, act }: Held): Promise<void> => {
  const letFail = await holdNext(page, url, { method, end: "abort" });
  await act();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  letFail();
  const told = page.getByRole("region", { name: "Messages" });
  await told
    .getByRole("alert")
    .getByText("Your account may not have been changed. The server cannot be reached.")
    .waitFor();
  await told.getByRole("button", { name: "Dismiss" }).click();
  await told.getByRole("alert").waitFor({ state: "detached" });
};

it("what fails after the account was closed is told: a choice, a key, a sign-out", async ({ desktop, person }) => {
  const page = await desktop("/stocks", { allow: [/ERR_FAILED/] });
  const choose = () => page.getByLabel("When the agent has finished").selectOption("Email");
  await openAccount(page, person.email);
  await failAfterClosing(page, { url: "**/_framework/settings", method: "PATCH", act: choose });

  await openAccount(page, person.email);
  await page.getByLabel("Key", { exact: true }).fill("0123456789abcdef");
  const saveKey = () => page.getByRole("button", { name: "Save the key" }).click();
  await failAfterClosing(page, { url: "**/_framework/settings/quotes-key", method: "PUT", act: saveKey });

  await openAccount(page, person.email);
  const signOut = () => page.getByRole("button", { name: "Sign out everywhere" }).click();
  await failAfterClosing(page, { url: "**/revoke-sessions", method: "POST", act: signOut });
});

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

/** Words about making Tally an app of the device. */
const installWords = (page: Page) => page.getByText(/Home Screen|Install Tally|Tally as an app/);

it("how Tally becomes an app is said in Account alone, once, on an iPhone in the words of its menus", async ({
  phone,
  person,
}) => {
  const page = await phone("/stocks", { userAgent: IPHONE });
  await page.getByText("Start your list").waitFor();
  expect(await installWords(page).count()).toBe(0);
  await page.goto("/");
  await page.getByLabel("Message to the agent").waitFor();
  expect(await installWords(page).count()).toBe(0);
  await openAccount(page, person.email);
  await page.getByText("In Safari tap Share, then “Add to Home Screen”.").waitFor();
  // Its heading and the words.
  expect(await installWords(page).count()).toBe(2);
  await expectNoAxeViolations(page, { within: "dialog[open]" });
});

it("a browser that offers it by itself keeps doing so, and nothing is said where Tally is an app", async ({
  desktop,
  person,
}) => {
  const page = await desktop("/stocks");
  await page.getByText("Start your list").waitFor();
  const isLeftAlone = () => dispatchEvent(new Event("beforeinstallprompt", { cancelable: true }));
  expect(await page.evaluate(isLeftAlone)).toBe(true);
  expect(await installWords(page).count()).toBe(0);
  // Without an offer that can be taken up there are words.
  await page.reload();
  await openAccount(page, person.email);
  await page.getByText("In the browser's menu choose “Install Tally”.").waitFor();
  await page.addInitScript(() => {
    const matchOther = window.matchMedia.bind(window);
    // A browser of tests has no window of an app's.
    window.matchMedia = (query) => matchOther(query === "(display-mode: standalone)" ? "all" : query);
  });
  await page.reload();
  await openAccount(page, person.email);
  await page.getByText("Notices", { exact: true }).waitFor();
  expect(await installWords(page).count()).toBe(0);
});
