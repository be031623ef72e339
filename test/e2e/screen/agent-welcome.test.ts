/** What an empty conversation, or an empty list, offers to send: it stays where it was shown, and is sent once. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { loseAnswer } from "../../support/browser/hold-next.ts";
import { it } from "../../support/browser/screen-test.ts";
import { say } from "../../support/model-script.ts";
import { composer, log, runEnd } from "./agent-page.ts";

const FAILS = { allow: [/Failed to load resource/] };

/** Holds the requests for the list from the next load on. Called, the result lets them through. */
const holdList = async (page: Page): Promise<() => void> => {
  const released = Promise.withResolvers<void>();
  await page.route("**/list-stocks*", async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
};

/** Holds each turn that is sent, and refuses it once `refuse` was called. `sent` has their prompts. */
const holdTurns = async (page: Page) => {
  const refused = Promise.withResolvers<void>();
  const sent: unknown[] = [];
  await page.route("**/api/agent/turn", async (route) => {
    sent.push(route.request().postDataJSON().prompt);
    await refused.promise;
    await route.fulfill({ status: 400, json: { error: "Not now." } });
  });
  return { sent, refuse: refused.resolve };
};

it("offers nothing to press before it is known whether the list is empty", async ({ phone }) => {
  const page = await phone("/");
  const release = await holdList(page);
  await page.reload();
  await log(page).getByRole("heading", { name: "What would you like to know?" }).waitFor();
  expect(await log(page).getByRole("button").count()).toBe(0);
  release();
  await log(page).getByRole("button", { name: "What can you do here?" }).waitFor();
  await log(page).getByRole("button", { name: "Import a file" }).waitFor();
});

it("offers questions where the list cannot be read", async ({ phone }) => {
  const page = await phone("/", FAILS);
  await page.route("**/list-stocks*", (route) => route.fulfill({ status: 400, json: { error: "No." } }));
  await page.reload();
  await log(page).getByRole("button", { name: "What do I own?" }).waitFor();
});

it("sends a question once, however often it is pressed before it is there", async ({ desktop, tally }) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const page = await desktop("/", FAILS);
  const { sent, refuse } = await holdTurns(page);
  const first = page.getByRole("button", { name: "What do I own?" });
  const other = page.getByRole("button", { name: "Which targets are reached?" });
  await first.click();
  await first.click({ force: true });
  await other.click({ force: true });
  const takesMore = await other.isEnabled();
  refuse();
  await expect.poll(() => composer(page).inputValue()).toContain("What do I own?");
  await other.click();
  await expect.poll(() => composer(page).inputValue()).toContain("Which targets are reached?");
  expect(sent).toEqual(["What do I own?", "Which targets are reached?"]);
  expect(takesMore).toBe(false);
});

it("so does the empty list beside it", async ({ desktop }) => {
  const page = await desktop("/stocks", FAILS);
  const { sent, refuse } = await holdTurns(page);
  const list = page.getByRole("main");
  const watch = list.getByRole("button", { name: "Watch NVDA below 120" });
  await list.getByRole("button", { name: "Add 10 AAPL at 180" }).click();
  await watch.click({ force: true });
  const takesMore = await watch.isEnabled();
  refuse();
  await expect.poll(() => composer(page).inputValue()).toContain("Add 10 AAPL at 180");
  await watch.click();
  await expect.poll(() => composer(page).inputValue()).toContain("Watch NVDA below 120");
  expect(sent).toEqual(["Add 10 AAPL at 180", "Watch NVDA below 120"]);
  expect(takesMore).toBe(false);
});

it("the list of chats makes room for what is sent from there", async ({ desktop }) => {
  const page = await desktop("/stocks", FAILS);
  const { sent, refuse } = await holdTurns(page);
  await page.getByRole("button", { name: "Chats" }).click();
  const chats = page.getByRole("navigation", { name: "Chats" });
  await chats.waitFor();
  await page.getByRole("main").getByRole("button", { name: "Add 10 AAPL at 180" }).click();
  await expect.poll(() => sent).toEqual(["Add 10 AAPL at 180"]);
  expect(await chats.count()).toBe(0);
  expect(await log(page).isVisible()).toBe(true);
  refuse();
  await expect.poll(() => composer(page).inputValue()).toContain("Add 10 AAPL at 180");
});

it("a message that offers a question sends it to the chat on the screen, in sight, and opens nothing over the next screen", async ({
  phone,
}) => {
  const page = await phone("/stocks?dialog=add", FAILS);
  const { sent, refuse } = await holdTurns(page);
  const bar = page.getByRole("navigation", { name: "Main" });
  await page.getByRole("combobox", { name: "Symbol" }).fill("AAPL");
  await page.getByRole("dialog").getByRole("button", { name: "Add stock" }).tap();
  const offer = page.getByRole("button", { name: "Ask what I own" });
  await offer.waitFor();
  await bar.getByRole("link", { name: /^Chat/ }).tap();
  await page.getByRole("button", { name: "Chats" }).tap();
  const chats = page.getByRole("navigation", { name: "Chats" });
  await chats.waitFor();
  await offer.tap();
  await expect.poll(() => sent).toEqual(["What do I own?"]);
  expect(await chats.count()).toBe(0);
  expect(await log(page).isVisible()).toBe(true);
  await bar.getByRole("link", { name: /^Stocks/ }).tap();
  await page.getByRole("link", { name: "AAPL" }).waitFor();
  expect(await page.locator(".app.with-agent").count()).toBe(0);
  refuse();
});

it("a question whose answer was lost is sent again from the composer without starting twice", async ({
  desktop,
  script,
  tally,
}) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const model = await script([say("Apple.")]);
  const page = await desktop("/", FAILS);
  await loseAnswer(page, "**/api/agent/turn");
  await page.route("**/api/agent/turn", async (route) => {
    const turn = route.request().postDataJSON();
    await route.fallback({ postData: { ...turn, prompt: model.prompt(turn.prompt) } });
  });
  await page.getByRole("button", { name: "What do I own?" }).click();
  await expect.poll(() => composer(page).inputValue()).toBe("What do I own?");
  await composer(page).press("Enter");
  await runEnd(page).waitFor();
  expect(await log(page).locator(".me").count()).toBe(1);
  expect(await model.requests()).toHaveLength(1);
});
