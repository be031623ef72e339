/** Back on a phone closes what covers the screen, and stays in the app. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { holdNext } from "../../support/browser/hold-next.ts";
import { it } from "../../support/browser/screen-test.ts";
import { callTool, say } from "../../support/model-script.ts";
import { composer, log, runEnd, sendMessage } from "./agent-page.ts";

const STOCKS = [{ symbol: "AAA" }, { symbol: "BBB" }];

const bar = (page: Page) => page.getByRole("region", { name: "Selected stocks" });

const select = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "List menu" }).tap();
  await page.getByRole("button", { name: "Select", exact: true }).tap();
  await bar(page).waitFor();
};

it("the agent's sheet, and the chats in it before", async ({ phone, script, tally }) => {
  const model = await script([say("From before.")]);
  await tally.eventsUntil(await tally.startTurn("before", model.prompt("An old one")), "run_end");
  const page = await phone("/stocks");
  await page.getByRole("button", { name: /^Agent/ }).tap();
  await composer(page).waitFor();
  await page.getByRole("button", { name: "Chats" }).tap();
  await page.getByRole("link", { name: /An old one/ }).waitFor();
  await page.goBack();
  await composer(page).waitFor();
  await page.goBack();
  await composer(page).waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/stocks");
  // Closed by its button it leaves no step behind.
  const steps = await page.evaluate(() => history.state);
  await page.getByRole("button", { name: /^Agent/ }).tap();
  await composer(page).waitFor();
  await page.getByRole("button", { name: "Close" }).tap();
  await composer(page).waitFor({ state: "detached" });
  await page.waitForFunction((before) => history.state === before, steps);
});

it("the chat before, once a reload has closed the sheet and the list in it", async ({ phone }) => {
  const page = await phone("/");
  await composer(page).waitFor();
  await page.getByRole("link", { name: "Stocks" }).tap();
  await page.getByRole("heading", { name: "Stocks" }).waitFor();
  await page.getByRole("button", { name: /^Agent/ }).tap();
  await composer(page).waitFor();
  await page.getByRole("button", { name: "Chats" }).tap();
  await page.getByRole("navigation", { name: "Chats" }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "Stocks" }).waitFor();
  await page.waitForFunction(() => history.state === null);
  expect(new URL(page.url()).pathname).toBe("/stocks");
  await page.goBack();
  await composer(page).waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
});

it("a link out of the sheet leads where it says, and Back to the list", async ({ phone, script }) => {
  const model = await script([callTool("navigate", { view: "stocks", q: "zzz" }), say("Searched.")]);
  const page = await phone("/stocks");
  await page.getByRole("button", { name: /^Agent/ }).tap();
  await sendMessage(page, model.prompt("Search."));
  await page.waitForURL(/q=zzz/);
  await page.goBack();
  await page.waitForURL(/\/stocks$/);
  await page.waitForFunction(() => history.state === null);
});

it("the agent that is asked about a stock, and the stock before", async ({ phone, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await phone("/stocks");
  await page.getByRole("link", { name: "AAA" }).tap();
  const stock = page.getByRole("dialog", { name: "AAA" });
  await stock.getByRole("button", { name: "Watch", pressed: true }).tap();
  await stock.getByRole("button", { name: "Watch", pressed: false }).waitFor();
  await stock.getByRole("button", { name: "Next: BBB" }).tap();
  await page.getByRole("dialog", { name: "BBB" }).getByRole("button", { name: "Ask the agent" }).tap();
  await expect.poll(() => composer(page).inputValue()).toBe("About BBB: ");
  await page.getByRole("dialog", { name: "BBB" }).waitFor({ state: "detached" });
  await page.waitForFunction(() => history.state?.backStep !== undefined);
  await page.goBack();
  await composer(page).waitFor({ state: "detached" });
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(new URL(page.url()).search).toBe("");
  expect(await page.evaluate(() => history.state)).toBe(null);
});

it("the list of chats", async ({ phone, script, tally }) => {
  const model = await script([say("From before.")]);
  await tally.eventsUntil(await tally.startTurn("before", model.prompt("An old one")), "run_end");
  const page = await phone("/");
  // When the list is on the screen, before anybody can press anything.
  const state = page.evaluate(
    () =>
      new Promise<unknown>((resolve) => {
        new MutationObserver(() => {
          if (document.querySelector("nav.threads")) resolve(history.state);
        }).observe(document.body, { childList: true, subtree: true });
      }),
  );
  await page.getByRole("button", { name: "Chats" }).tap();
  expect(await state).toHaveProperty("backStep");
  await page.getByRole("link", { name: /An old one/ }).waitFor();
  await page.goBack();
  await composer(page).waitFor();
  await page.getByRole("button", { name: "Chats" }).tap();
  await page.getByRole("link", { name: /An old one/ }).tap();
  await log(page).getByText("From before.").waitFor();
  await page.goBack();
  await page.getByText("What would you like to know?").waitFor();
  expect(new URL(page.url()).pathname).toBe("/");
});

it("the list of chats, over a chat that has begun meanwhile", async ({ phone, script }) => {
  const model = await script([say("In the chat.")]);
  const page = await phone("/");
  const letGo = await holdNext(page, "**/api/agent/turn");
  const isHeld = page.waitForRequest("**/api/agent/turn");
  await sendMessage(page, model.prompt("Begin."));
  const threadId = String((await isHeld).postDataJSON().threadId);
  const chats = page.getByRole("navigation", { name: "Chats" });
  await page.getByRole("button", { name: "Chats" }).tap();
  await chats.waitFor();
  letGo();
  await page.waitForURL(`**/t/${threadId}`);
  await chats.getByRole("link", { name: /Begin/ }).waitFor();
  await page.goBack();
  await chats.waitFor({ state: "detached" });
  await runEnd(page).waitFor();
  expect(new URL(page.url()).pathname).toBe(`/t/${threadId}`);
  expect(await page.evaluate(() => history.state)).toBe(null);
  // Closed by its button, it leaves the same chat.
  await page.getByRole("button", { name: "Chats" }).tap();
  await chats.waitFor();
  await page.getByRole("button", { name: "Chats" }).tap();
  await chats.waitFor({ state: "detached" });
  await page.waitForFunction(() => history.state === null);
  expect(new URL(page.url()).pathname).toBe(`/t/${threadId}`);
});

it("selecting, in which a tap on a stock selects it", async ({ phone, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await phone("/stocks");
  await select(page);
  await page.getByRole("link", { name: "AAA" }).tap();
  await bar(page).getByText("1 selected").waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.getByRole("link", { name: "AAA" }).tap();
  await bar(page).getByText("0 selected").waitFor();
  expect(await bar(page).getByRole("button", { disabled: true }).count()).toBe(4);
  await page.goBack();
  await bar(page).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "AAA" }).tap();
  await page.getByRole("dialog").waitFor();
});

it("a search typed while selecting stays, also when a stock or the chat is left again", async ({ phone, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await phone("/stocks");
  await select(page);
  await page.getByRole("searchbox").fill("aaa");
  await page.waitForURL(/q=aaa/);
  await bar(page).getByRole("button", { name: "Clear" }).tap();
  await bar(page).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "AAA" }).tap();
  await page.getByRole("dialog").getByRole("button", { name: "Close" }).tap();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await select(page);
  await page.getByRole("searchbox").fill("bbb");
  await page.waitForURL(/q=bbb/);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Chat/ }).tap();
  await composer(page).waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "BBB" }).waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("bbb");
  await page.goBack();
  await page.getByRole("link", { name: "AAA" }).waitFor();
  expect(await page.getByRole("searchbox").inputValue()).toBe("aaa");
});

it("Chat returns to the chat one came from, and from there to a new one", async ({ phone, script }) => {
  const model = await script([say("In the chat.")]);
  const page = await phone("/");
  const place = (name: RegExp) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });
  await sendMessage(page, model.prompt("Begin."));
  await runEnd(page).waitFor();
  await place(/^Stocks/).tap();
  await page.waitForURL("**/stocks");
  await place(/^Chat/).tap();
  await log(page).getByText("In the chat.").waitFor();
  await place(/^Chat/).tap();
  await page.getByText("What would you like to know?").waitFor();
});
