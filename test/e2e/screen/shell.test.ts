/** The frame around every screen: addresses, places, theme, focus, and what stands when a part breaks. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { answerInstead } from "../../support/browser/answer-instead.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { say } from "../../support/model-script.ts";
import { composer, log } from "./agent-page.ts";

const STOCKS = [
  { symbol: "AAPL", quantity: "10", avgCost: "100", lastPrice: "200" },
  { symbol: "SAP", watched: true, targetLow: "100", lastPrice: "90" },
];

/** Text or name of what has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`);

const scrollWidth = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);

it("opens on a phone without anything to scroll sideways", async ({ phone }) => {
  const page = await phone("/", { colorScheme: "dark" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await page.title()).toContain("Tally");
  expect(await scrollWidth(page)).toBe(360);
  await expectNoAxeViolations(page);
});

it("opens on a desktop", async ({ desktop }) => {
  const page = await desktop("/", { colorScheme: "light" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  await expectNoAxeViolations(page);
});

it("every address opens by itself, and again after a reload", async ({ desktop, tally, script }) => {
  const [apple] = await tally.seedStocks(STOCKS);
  const model = await script([say("Kept.")]);
  await tally.eventsUntil(await tally.startTurn("a/b c", model.prompt("Remember")), "run_end");
  const page = await desktop("/t/a%2Fb%20c");
  await log(page).getByText("Kept.").waitFor();
  await page.reload();
  await log(page).getByText("Kept.").waitFor();
  await page.goto(`/stocks?tab=watchlist&q=sap&dialog=edit&id=${apple?.id}`);
  await page.getByRole("dialog", { name: /AAPL/ }).waitFor();
  await page.reload();
  await page.getByRole("dialog", { name: /AAPL/ }).waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("sap");
  await page.goto("/");
  await page.reload();
  await composer(page).waitFor();
});

it("an unknown address is the app's own page, with status 404 and a way on", async ({ desktop }) => {
  const page = await desktop("/", { allow: [/404/], colorScheme: "dark" });
  const answer = await page.goto("/nowhere/at%20all");
  expect(answer?.status()).toBe(404);
  await page.getByRole("heading", { name: "Page not found" }).first().waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: "Go to your stocks" }).click();
  await page.waitForURL("**/stocks");
});

it("the first Tab reaches a link that skips to the content", async ({ desktop }) => {
  const page = await desktop("/stocks", { colorScheme: "light" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("Tab");
  const skip = page.getByRole("link", { name: "Skip to content" });
  await waitForFocus(skip);
  const box = await skip.boundingBox();
  expect(box?.width).toBeGreaterThan(100);
  await expectNoAxeViolations(page);
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
});

it("the place where one is is marked, and reached targets are counted", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  const nav = page.getByRole("navigation", { name: "Main" });
  await nav.getByRole("link", { name: "Stocks 1 target reached" }).waitFor();
  expect(await nav.locator("[aria-current=page]").allTextContents()).toEqual(["Stocks1 target reached"]);
  await nav.getByRole("link", { name: "Chat" }).click();
  expect(await nav.locator("[aria-current=page]").allTextContents()).toEqual(["Chat"]);
});

it("a screen's heading takes the focus when one comes from another screen", async ({ desktop }) => {
  const page = await desktop("/stocks");
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await focused(page)).toMatch(/^BODY/);
  await page.getByRole("link", { name: "Chat" }).first().click();
  await expect.poll(() => focused(page)).toBe("H1 Chat");
  await page.goBack();
  await expect.poll(() => focused(page)).toMatch(/^H1 Stocks/);
  expect(await page.title()).toBe("Stocks · Tally");
});

it("a wide window has a sidebar, a narrow one a bar at its bottom", async ({ desktop }) => {
  const page = await desktop("/stocks");
  const nav = page.getByRole("navigation", { name: "Main" });
  expect((await nav.boundingBox())?.x).toBeLessThan(30);
  await page.setViewportSize({ width: 767, height: 800 });
  await expect.poll(async () => (await nav.boundingBox())?.width).toBe(767);
  expect(await nav.getByRole("link").allInnerTexts()).toHaveLength(3);
  await page.setViewportSize({ width: 768, height: 800 });
  await expect.poll(async () => (await nav.boundingBox())?.width).toBeLessThan(100);
});

it("a phone's bar marks the place where one is by more than a hue", async ({ phone }) => {
  const page = await phone("/stocks");
  const nav = page.getByRole("navigation", { name: "Main" });
  const shadowOf = (entry: Element): string => getComputedStyle(entry).boxShadow;
  expect(await nav.getByRole("link", { name: "Stocks" }).evaluate(shadowOf)).toMatch(/inset$/);
  expect(await nav.getByRole("link", { name: "Chat" }).evaluate(shadowOf)).toBe("none");
});

it("the chosen theme is there before the first paint of the next visit, and can be given up", async ({ desktop }) => {
  const page = await desktop("/stocks", { colorScheme: "light" });
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("button", { name: "Dark theme" }).waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Dark theme" }).click();
  await expect.poll(background).not.toBe(light);
  // The page without the app: what is painted before its scripts have come.
  const letScriptsCome = await answerInstead(page, "**/assets/chunk-*.js", () => undefined);
  await page.goto("/stocks", { waitUntil: "commit" });
  // There is no element at all yet when the page is committed.
  await page.locator("html[data-theme=dark]").waitFor({ state: "attached" });
  letScriptsCome();
  await page.goto("/stocks");
  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("button", { name: "System theme" }).click();
  await expect.poll(background).toBe(light);
});

it("the light theme can be chosen where the system is dark", async ({ desktop }) => {
  const page = await desktop("/stocks", { colorScheme: "dark" });
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await background();
  await page.emulateMedia({ colorScheme: "light" });
  const light = await background();
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await background()).toBe(dark);
  await page.getByRole("button", { name: /^Account/ }).click();
  const bar = () =>
    page.evaluate(() => {
      const metas = [...document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")];
      return metas.find(({ media }) => matchMedia(media).matches)?.content;
    });
  expect(await bar()).toBe("#121314");
  await page.getByRole("button", { name: "Light theme" }).click();
  await expect.poll(background).toBe(light);
  expect(await bar()).toBe("#fbfbfa");
  await page.reload();
  expect(await background()).toBe(light);
});

it("the menu of the account is usable by keys alone, and shows the keys over any screen", async ({ desktop }) => {
  const page = await desktop("/", { colorScheme: "dark" });
  const button = page.getByRole("button", { name: /^Account/ });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => focused(page)).toBe("BUTTON Account");
  await expectNoAxeViolations(page);
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => focused(page)).toBe("BUTTON Schedules");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await dialog.waitFor();
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await waitForFocus(button);
  expect(new URL(page.url()).pathname).toBe("/");
});

it("says that it is offline, in words that fit every screen", async ({ phone }) => {
  const page = await phone("/stocks", { allow: [/ERR_INTERNET_DISCONNECTED/] });
  await page.getByText("Start your list").waitFor();
  await page.context().setOffline(true);
  const words = page.getByText("You are offline. What you see may be outdated. Changes cannot be saved.");
  await words.waitFor();
  await expectNoAxeViolations(page);
  await page.context().setOffline(false);
  await words.waitFor({ state: "detached" });
});

it("a screen whose code does not come leaves the rest, and comes when it is tried again", async ({ phone }) => {
  // Where there is room for the agent beside the stocks, its code is there already.
  const page = await phone("/stocks", { allow: [/ERR_FAILED/, /LoadError/] });
  await page.getByRole("heading", { level: 1 }).waitFor();
  const letCodeCome = await answerInstead(page, "**/assets/agent-views-*.js*", (route) => route.abort());
  await page.getByRole("link", { name: "Chat" }).first().click();
  await page.getByRole("alert").getByText("This part could not be loaded").last().waitFor();
  await expectNoAxeViolations(page);
  letCodeCome();
  await page.getByRole("button", { name: "Try again" }).click();
  await composer(page).waitFor();
  await expect.poll(() => focused(page)).toBe("H1 Chat");
});

it("a dialog whose code does not come leaves the list, says so, and opens the next time", async ({
  desktop,
  tally,
}) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/", { allow: [/ERR_FAILED/, /LoadError/] });
  // Before the list is shown, which fetches it ahead; what failed then is fetched as `?again=1`.
  const letCodeCome = await answerInstead(page, "**/assets/stock-dialogs-*.js*", (route) => route.abort());
  await page.goto("/stocks");
  await page.getByRole("link", { name: "AAPL" }).click();
  await page.getByText("This could not be loaded. Check your connection and try again.").waitFor();
  await page.waitForURL(/\/stocks$/);
  letCodeCome();
  await page.getByRole("link", { name: "AAPL" }).click();
  await page.getByRole("dialog", { name: /AAPL/ }).waitFor();
});

it("a suggestion for an agent whose code does not come is not sent later, and waits in its composer", async ({
  phone,
}) => {
  const page = await phone("/stocks", { allow: [/ERR_FAILED/, /LoadError/] });
  const sent: string[] = [];
  page.on("request", (request) => request.url().endsWith("/api/agent/turn") && sent.push(request.url()));
  const suggestions = page.getByRole("list", { name: "Or ask the agent" }).getByRole("button");
  const text = await suggestions.first().innerText();
  const letCodeCome = await answerInstead(page, "**/assets/agent-views-*.js*", (route) => route.abort());
  await suggestions.first().tap();
  await page.getByText("This could not be loaded. Check your connection and try again.").waitFor();
  letCodeCome();
  await expect.poll(() => suggestions.first().getAttribute("aria-disabled")).toBe("false");
  await page.getByRole("link", { name: "Chat" }).first().tap();
  await expect.poll(() => composer(page).inputValue()).toBe(text);
  expect(sent).toEqual([]);
});

it("nothing of the page throws when the line goes down while code is fetched ahead", async ({ desktop, link }) => {
  link.hold("assets/stock-dialogs");
  const page = await desktop("/stocks", { at: link.url, allow: [/^console error: Failed to load resource/] });
  await page.getByRole("textbox", { name: /message/i }).waitFor();
  await page.getByText("Start your list").waitFor();
  await expect.poll(() => link.requests).toContainEqual(expect.stringContaining("assets/stock-dialogs"));
  const failed = page.waitForEvent("requestfailed", (request) => /assets\/stock-dialogs/.test(request.url()));
  link.goDown();
  await failed;
  await page.getByRole("link", { name: "Chat" }).first().waitFor();
  link.goUp();
});

it.for(["/", "/stocks", "/stocks?trash=1", "/stocks?dialog=help", "/nowhere"])(
  "%s can be read under a zoom of 400 % without scrolling sideways",
  async (path, { phone, tally }) => {
    await tally.seedStocks(STOCKS);
    const page = await phone("/stocks", { allow: [/404/] });
    await page.setViewportSize({ width: 320, height: 256 });
    await page.goto(path);
    await page.getByRole("heading").first().waitFor();
    expect(await scrollWidth(page)).toBe(320);
    await expectNoAxeViolations(page);
  },
);
