/** The agent knows where the person is, and can take them somewhere else: in the tab that asked, and nowhere outside. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { z } from "zod";
import { loseAnswer } from "../../support/browser/hold-next.ts";
import { stopClock } from "../../support/browser/page-life.ts";
import { it } from "../../support/browser/screen-test.ts";
import { callTool, say } from "../../support/model-script.ts";
import { holdBefore } from "../../support/model-troubles.ts";
import type { ScriptedModel } from "../../support/scripted-model.ts";
import { composer, log, runEnd, sendMessage } from "./agent-page.ts";

const STOCKS = [
  { symbol: "AAPL", name: "Apple", quantity: "10", avgCost: "100", lastPrice: "200", tags: ["tech"] },
  { symbol: "SAP", name: "SAP", currency: "EUR", watched: true, targetLow: "100", lastPrice: "90" },
  { symbol: "NVDA", name: "Nvidia", watched: true, targetLow: "100", lastPrice: "120" },
];

/** What the page has sent to an action so far, oldest first. */
const watchSent = (page: Page, action: string) => {
  const sent: Record<string, unknown>[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith(`/${action}`)) sent.push(request.postDataJSON());
  });
  return sent;
};
const watchTold = (page: Page) => watchSent(page, "set-navigation");

/** The answer of `view-screen` as the model got it, in its nth request from 1. */
const screenSeen = async (model: ScriptedModel, nth: number): Promise<Record<string, unknown>> => {
  const { body } = await model.reaches(nth, "answered");
  const Messages = z.array(z.object({ content: z.unknown() }));
  const last = Messages.parse(body.messages).at(-1)?.content;
  const Results = z.array(z.object({ content: z.unknown() }).loose());
  const content = Results.parse(last).at(-1)?.content;
  const text = typeof content === "string" ? content : z.array(z.object({ text: z.string() })).parse(content)[0]?.text;
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text ?? "null"));
};

const ask = async (page: Page, model: ScriptedModel, nth: number): Promise<Record<string, unknown>> => {
  // A message waits a second for the server to hear of the screen, and then goes without that.
  await stopClock(page);
  await sendMessage(page, model.prompt("What am I looking at?"));
  const seen = await screenSeen(model, nth);
  await page.clock.resume();
  return seen;
};

it("the agent sees the list as the person does: tab, search, filters, sort and selection", async ({
  desktop,
  tally,
  script,
}) => {
  const [apple] = await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks?tab=holdings&q=app&sort=-gainPct&tag=tech&currency=USD&status=holding");
  const told = watchTold(page);
  await page.getByRole("checkbox", { name: /AAPL/ }).check();
  await expect.poll(() => told.at(-1)).toMatchObject({ selectedIds: [apple?.id] });
  const model = await script([callTool("view-screen", {}), say("Your holdings.")]);
  const seen = await ask(page, model, 2);
  expect(seen).toMatchObject({
    screen: "stocks",
    summary: expect.stringMatching(/^Holdings: 1 of 3 stocks, searched for "app"/),
    visible: [{ symbol: "AAPL" }],
    selected: [{ id: apple?.id }],
    navigation: { sort: "-gainPct", filters: { tab: "holdings", q: "app", tags: ["tech"], currency: "USD" } },
  });
  await runEnd(page).waitFor();
});

it("the agent sees the stock that is open, the dialog, the trash and the chat", async ({ desktop, tally, script }) => {
  const [apple] = await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  const told = watchTold(page);
  await page.getByRole("link", { name: "AAPL" }).click();
  await page.getByRole("dialog").waitFor();
  await expect.poll(() => told.at(-1)).toMatchObject({ view: "stocks", dialog: "detail", stockId: apple?.id });
  await page.keyboard.press("Escape");
  await expect.poll(() => told.at(-1)).toMatchObject({ dialog: null, stockId: null });
  await page.goto("/stocks?trash=1");
  await expect.poll(() => told.at(-1)).toMatchObject({ filters: { deleted: true } });
  await page.getByRole("link", { name: "Chat" }).first().click();
  await expect.poll(() => told.at(-1)).toMatchObject({ view: "chat" });
  const model = await script([callTool("view-screen", {}), say("The chat.")]);
  expect(await ask(page, model, 2)).toMatchObject({ screen: "chat", visible: [], open: null });
  await runEnd(page).waitFor();
});

it("what is closed while its opening is still being told is told as well", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  // Not the app yet: what it tells first is watched, too.
  const page = await desktop("/icon.svg");
  const told = watchTold(page);
  await page.goto("/stocks");
  await expect.poll(() => told.at(-1)).toMatchObject({ view: "stocks" });
  const isClosed = Promise.withResolvers<void>();
  await page.route("**/set-navigation", async (route) => {
    await isClosed.promise;
    await route.continue();
  });
  await page.getByRole("link", { name: "AAPL" }).click();
  // Either may come first: the dialog loads its code, and the address is told.
  await page.getByRole("dialog").waitFor();
  await expect.poll(() => told.at(-1)).toMatchObject({ dialog: "detail" });
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  isClosed.resolve();
  await expect.poll(() => told.at(-1)).toMatchObject({ view: "stocks", dialog: null });
});

it("many quick changes are told once, as the last of them", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  const told = watchTold(page);
  await page.getByRole("link", { name: "AAPL" }).waitFor();
  await stopClock(page);
  await page.getByRole("tab", { name: /Watchlist/ }).click();
  await page.getByRole("tab", { name: /Holdings/ }).click();
  await page.getByRole("tab", { name: /Watchlist/ }).click();
  await page.getByRole("tab", { name: /All/ }).click();
  await page.getByRole("tab", { name: /Watchlist/ }).click();
  await page.clock.runFor(1_000);
  await expect.poll(() => told.at(-1)).toMatchObject({ filters: { tab: "watchlist" } });
  expect(told.filter(({ filters }) => JSON.stringify(filters)?.includes("watchlist"))).toHaveLength(1);
});

it("a second tab's screen does not stand in for that of the tab that asks", async ({ desktop, tally, script }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks?tab=holdings");
  await composer(page).waitFor();
  const other = await page.context().newPage();
  // Taken by the server, not only sent: what comes later counts as newer.
  const told = other.waitForResponse((response) => response.url().endsWith("/set-navigation"));
  await other.goto("/stocks?tab=watchlist");
  await told;
  const model = await script([callTool("view-screen", {}), say("Yours.")]);
  expect(await ask(page, model, 2)).toMatchObject({ summary: expect.stringMatching(/^Holdings/) });
  await runEnd(page).waitFor();
});

it("a message goes out though the screen cannot be told", async ({ desktop, script }) => {
  const model = await script([say("All the same.")]);
  const page = await desktop("/stocks");
  await page.route("**/set-navigation", () => undefined);
  await sendMessage(page, model.prompt("Hello."));
  await log(page).getByText("All the same.").waitFor();
  await runEnd(page).waitFor();
});

it.for([
  [{ view: "stocks", tab: "watchlist" }, "/stocks?tab=watchlist"],
  [{ view: "stocks", q: "nvidia" }, "/stocks?q=nvidia"],
  [{ view: "chat" }, "/"],
] as const)("the agent shows %j", async ([place, url], { desktop, script }) => {
  const model = await script([callTool("navigate", place), say("Here it is.")]);
  const page = await desktop("/stocks?tab=holdings");
  await sendMessage(page, model.prompt("Take me there."));
  await page.waitForURL((now) => now.pathname + now.search === url);
});

it("the agent opens a stock, and the add dialog with what is to be added", async ({ desktop, tally, script }) => {
  const [apple] = await tally.seedStocks(STOCKS);
  const model = await script([
    callTool("navigate", { view: "stocks", stockId: apple?.id }),
    say("Apple."),
    callTool("navigate", { view: "stocks", dialog: "add", q: "MSFT 5 @ 400" }),
    say("Check it and save."),
  ]);
  const page = await desktop("/stocks");
  await sendMessage(page, model.prompt("Open Apple."));
  await page.getByRole("dialog", { name: /AAPL|Apple/ }).waitFor();
  await page.keyboard.press("Escape");
  await runEnd(page).waitFor();
  await sendMessage(page, "Prepare Microsoft.");
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await expect.poll(() => dialog.getByRole("combobox", { name: "Symbol" }).inputValue()).toMatch(/^MSFT/);
});

const PREPARED = { view: "stocks", dialog: "add", q: "MSFT 5 @ 400" } as const;

it("a dialog that the agent opens does not interrupt who is writing, and is there when they want it", async ({
  desktop,
  tally,
  script,
}) => {
  const model = await script([holdBefore(callTool("navigate", PREPARED)), say("Check it."), say("You are welcome.")]);
  const page = await desktop("/stocks");
  await sendMessage(page, model.prompt("Prepare Microsoft."));
  await model.reaches(1, "held");
  await composer(page).fill("Thank you");
  await model.release();
  await page.getByRole("button", { name: "Show", exact: true }).waitFor();
  await page.keyboard.press("Enter");
  await log(page).getByText("You are welcome.").waitFor();
  expect((await tally.act("list-stocks", {})).items).toEqual([]);
  await page.getByRole("button", { name: "Show", exact: true }).click();
  const symbol = page.getByRole("dialog").getByRole("combobox", { name: "Symbol" });
  await expect.poll(() => symbol.inputValue()).toBe("MSFT");
});

it("an Enter that was meant for the chat adds nothing that the agent has just prepared", async ({
  desktop,
  tally,
  script,
}) => {
  const model = await script([holdBefore(callTool("navigate", PREPARED)), say("Check it.")]);
  const page = await desktop("/stocks");
  const added = watchSent(page, "add-stock");
  await sendMessage(page, model.prompt("Prepare Microsoft."));
  await model.reaches(1, "held");
  await stopClock(page);
  await model.release();
  const symbol = page.getByRole("dialog").getByRole("combobox", { name: "Symbol" });
  await symbol.and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Enter");
  await page.clock.runFor(1_000);
  expect(added).toEqual([]);
  await page.keyboard.press("Enter");
  await symbol.waitFor({ state: "detached" });
  expect((await tally.act("list-stocks", {})).items).toMatchObject([{ symbol: "MSFT", quantity: "5" }]);
});

it("on a phone the agent's sheet makes room for what it shows", async ({ phone, tally, script }) => {
  await tally.seedStocks(STOCKS);
  const model = await script([callTool("navigate", { view: "stocks", tab: "watchlist" }), say("Your watchlist.")]);
  const page = await phone("/stocks");
  await page.getByRole("button", { name: /^Agent/ }).click();
  await sendMessage(page, model.prompt("Show my watchlist."));
  await page.waitForURL("**/stocks?tab=watchlist");
  await log(page).waitFor({ state: "detached" });
  await page.getByRole("listitem").filter({ hasText: "NVDA" }).waitFor();
});

it("another tab that shows the same thread stays where it is", async ({ desktop, script }) => {
  const model = await script([holdBefore(callTool("navigate", { view: "stocks", q: "moved" })), say("Moved.")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Move."));
  await page.waitForURL(/\/t\//);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await log(other).getByText("Move.").waitFor();
  await model.release();
  await page.waitForURL("**/stocks?q=moved");
  await log(other).getByText("Moved.").waitFor();
  await runEnd(other).waitFor();
  expect(new URL(other.url()).pathname).toMatch(/^\/t\//);
});

it("a reload in the middle of the run does not go there again", async ({ desktop, script }) => {
  const model = await script([callTool("navigate", { view: "stocks", q: "once" }), holdBefore(say("Done."))]);
  const page = await desktop("/stocks");
  await sendMessage(page, model.prompt("Go."));
  await page.waitForURL("**/stocks?q=once");
  await model.reaches(2, "held");
  await page.goto("/stocks?tab=holdings");
  await log(page).getByText("navigate").waitFor();
  await model.release();
  await log(page).getByText("Done.").waitFor();
  await runEnd(page).waitFor();
  expect(new URL(page.url()).search).toBe("?tab=holdings");
});

it("what a turn did long ago leads nowhere, when its message is sent again because the answer was lost", async ({
  desktop,
  script,
}) => {
  const model = await script([callTool("navigate", { view: "stocks", q: "elsewhere" }), holdBefore(say("Done."))]);
  const page = await desktop("/stocks", { allow: [/ERR_/] });
  await page.clock.install();
  await loseAnswer(page, "**/api/agent/turn");
  await sendMessage(page, model.prompt("Go."));
  await model.reaches(2, "held");
  await page.getByRole("button", { name: "Send", exact: true }).waitFor();
  await page.clock.fastForward(60_000);
  await composer(page).press("Enter");
  await log(page).getByText("navigate").waitFor();
  await model.release();
  await runEnd(page).waitFor();
  expect(new URL(page.url()).search).toBe("");
});

it("a hostile model leads nowhere else", async ({ desktop, script }) => {
  const model = await script([
    callTool("navigate", { view: "https://evil.test/" }),
    callTool("navigate", { view: "stocks", stockId: "../../../t/x" }),
    callTool("navigate", { view: "stocks", path: "//evil.test" }),
    callTool("navigate", { view: "stocks", q: "javascript:alert(1)//evil.test" }),
    say("I tried."),
  ]);
  const page = await desktop("/stocks");
  const visited: string[] = [];
  page.on("framenavigated", (frame) => visited.push(new URL(frame.url()).origin));
  await sendMessage(page, model.prompt("Be evil."));
  await log(page).getByText("I tried.").waitFor();
  await runEnd(page).waitFor();
  expect(new URL(page.url()).pathname).toBe("/stocks");
  expect(new URL(page.url()).searchParams.get("q")).toBe("javascript:alert(1)//evil.test");
  expect(new Set(visited)).toEqual(new Set([new URL(page.url()).origin]));
});
