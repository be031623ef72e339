/** What the agent changes is seen at once: in the list, in an open dialog, and once. Another tab: `two-tabs.test.ts`. */
import type { Page, Request } from "playwright-core";
import { expect } from "vitest";
import { RunId } from "../../../src/contract/ids.ts";
import { allowOnce, answerCard, readAndAllow } from "../../support/browser/answer-card.ts";
import { freezeTab, hideTab, showTab } from "../../support/browser/page-life.ts";
import { it } from "../../support/browser/screen-test.ts";
import { untilSeen } from "../../support/browser/until-seen.ts";
import { callTool, say } from "../../support/model-script.ts";
import { holdBefore, holdMidStream } from "../../support/model-troubles.ts";
import { log, runEnd, sendMessage } from "./agent-page.ts";

const APPLE = { symbol: "AAPL", quantity: "10", avgCost: "100", lastPrice: "200" };

/** Everything the page says aloud from now on, in its order. */
const watchSaid = (page: Page) =>
  page.evaluateHandle(() => {
    const said: string[] = [];
    const region = document.querySelector(".vh[aria-live]");
    if (region === null) throw new Error("Nothing to hear the page by.");
    new MutationObserver(() => said.push(region.textContent ?? "")).observe(region, { childList: true, subtree: true });
    return said;
  });

it("a changed row lights up, and the change is said once", async ({ desktop, tally, script }) => {
  const [apple] = await tally.seedStocks([APPLE]);
  const model = await script([callTool("update-stock", { id: apple?.id, set: { lastPrice: "321" } }), say("Done.")]);
  const page = await desktop("/stocks", { reducedMotion: "reduce" });
  await page.getByRole("link", { name: "AAPL" }).waitFor();
  const said = await watchSaid(page);
  // It lasts for two seconds.
  const isLit = untilSeen(page, ".flash", "321");
  await sendMessage(page, model.prompt("The price is 321."));
  await allowOnce(page);
  await isLit;
  await runEnd(page).waitFor();
  await expect.poll(async () => (await said.jsonValue()).join(" ")).toContain("Done.");
  expect((await said.jsonValue()).join(" ").split("The agent changed AAPL.")).toHaveLength(2);
});

it("an open stock shows the agent's change of it at once", async ({ desktop, tally, script }) => {
  // One that no run of another test has changed: its history would ask for a thread that is deleted.
  const [stock] = await tally.seedStocks([{ symbol: "DLG" }]);
  const model = await script([callTool("update-stock", { id: stock?.id, set: { notes: "Buy more" } }), say("Noted.")]);
  const turn = await tally.startTurn("dialog", model.prompt("Note it."));
  const page = await desktop("/t/dialog");
  await page.getByRole("button", { name: "Allow once" }).waitFor();
  await page.getByRole("link", { name: "Stocks" }).first().click();
  await page.getByRole("link", { name: "DLG" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await tally.answerPermission(turn, "allow_once");
  await dialog.getByText("Buy more", { exact: true }).waitFor();
});

it("a run goes on under a closed panel, and its changes and questions still arrive", async ({
  desktop,
  tally,
  script,
}) => {
  const [apple] = await tally.seedStocks([APPLE]);
  const model = await script([
    callTool("update-stock", { id: apple?.id, set: { lastPrice: "321" } }),
    callTool("delete-stock", { id: apple?.id }),
    say("Gone."),
  ]);
  const page = await desktop("/stocks");
  await page.getByRole("link", { name: "AAPL" }).waitFor();
  await sendMessage(page, model.prompt("Work."));
  await allowOnce(page);
  await page.getByRole("group", { name: "Delete AAPL?" }).waitFor();
  await page.getByRole("button", { name: "Close the agent" }).click();
  await page.getByRole("row", { name: /AAPL/ }).getByText("321").waitFor();
  await page.getByRole("link", { name: /Chat.*1.*chat waiting for you$/ }).click();
  await allowOnce(page);
  await log(page).getByText("You allowed this once.").nth(1).waitFor();
  await page.getByRole("link", { name: "Stocks" }).first().click();
  await page.getByRole("heading", { name: "Start your list" }).waitFor();
});

it("a result too long for the stream makes the list read itself again", async ({ desktop, tally, script }) => {
  await tally.seedStocks([APPLE]);
  const items = Array.from({ length: 60 }, (_, number) => ({
    symbol: `LONG${number}`,
    notes: `a${"\n".repeat(1_500)}b`,
  }));
  const model = await script([callTool("add-stock", { items }), say("All added.")]);
  const page = await desktop("/stocks");
  await page.getByRole("link", { name: "AAPL" }).waitFor();
  await sendMessage(page, model.prompt("Add them."));
  const showWhole = page.getByRole("button", { name: "Show in full" });
  await showWhole.click();
  // It takes the place of the cut one, which has to be read anew.
  await showWhole.waitFor({ state: "detached" });
  await readAndAllow(page);
  await page.getByText("61 stocks").first().waitFor();
  await runEnd(page).waitFor();
});

it("a reload in the middle of a run says and shows nothing old, and undoes nothing", async ({
  desktop,
  tally,
  script,
}) => {
  const [apple] = await tally.seedStocks([APPLE, { symbol: "SAP" }]);
  const model = await script([callTool("delete-stock", { id: apple?.id }), holdBefore(say("Deleted."))]);
  const page = await desktop("/stocks", { reducedMotion: "reduce" });
  await page.getByRole("link", { name: "AAPL" }).waitFor();
  await sendMessage(page, model.prompt("Delete it."));
  await allowOnce(page);
  await page.getByRole("link", { name: "AAPL" }).waitFor({ state: "detached" });
  await model.reaches(2, "held");
  await tally.act("update-stock", { id: apple?.id ?? "", restore: true, set: {} });
  await page.reload();
  const said = await watchSaid(page);
  await log(page).getByText("delete-stock").waitFor();
  await model.release();
  await log(page).getByText("Deleted.").waitFor();
  await runEnd(page).waitFor();
  await page.getByRole("link", { name: "AAPL" }).waitFor();
  await expect.poll(async () => (await said.jsonValue()).join(" ")).toContain("Deleted.");
  expect((await said.jsonValue()).join(" ")).not.toContain("The agent deleted");
});

it("a chat that is opened again while it works repeats nothing of what it did", async ({ desktop, script }) => {
  const asking = await script([
    callTool("navigate", { view: "stocks", q: "first" }),
    callTool("add-stock", { symbol: "SAP" }),
    say("No."),
  ]);
  const working = await script([holdBefore(say("Second."))]);
  const page = await desktop("/", { reducedMotion: "reduce" });
  await sendMessage(page, asking.prompt("Ask me."));
  await page.waitForURL("**/stocks?q=first");
  const chats = page.getByRole("navigation", { name: "Chats" });
  await page.getByRole("link", { name: /^Chat/ }).first().click();
  await chats.getByRole("button", { name: "New chat" }).click();
  await sendMessage(page, working.prompt("Work."));
  await working.reaches(1, "held");
  // Of the chats that are not on the screen, the tab follows the last one that works.
  await chats.getByRole("button", { name: "New chat" }).click();
  await page.waitForURL(/\/$/);
  const said = await watchSaid(page);
  await chats.getByRole("link", { name: /Ask me/ }).click();
  await page.getByRole("group", { name: "Add SAP?" }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/t\//);
  await answerCard(page, "Reject");
  await runEnd(page).waitFor();
  await expect.poll(() => said.jsonValue()).toEqual(["No."]);
  await working.release();
});

it("a phone that slept wakes to the whole answer, once", async ({ phone, script }) => {
  const model = await script([holdMidStream("Before sleep", ", after it.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Tell me."));
  await log(page).getByText("Before sleep").waitFor();
  const wake = await freezeTab(page);
  await model.release();
  await model.reaches(1, "answered");
  await wake();
  await runEnd(page).waitFor();
  expect(await log(page).locator(".say").allInnerTexts()).toEqual(["Before sleep, after it."]);
});

/** The page's requests from now on that have no answer yet, without streams. */
const watchOpen = (page: Page): ReadonlySet<Request> => {
  const open = new Set<Request>();
  page.on("request", (request) => request.url().includes("/events") || open.add(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  return open;
};

it("a tab that is hidden for long asks for nothing, and catches up when it is seen again", async ({
  desktop,
  tally,
  script,
  link,
}) => {
  await tally.seedStocks([APPLE]);
  const model = await script([holdMidStream("I begin", " and end.")]);
  const page = await desktop("/", { at: link.url });
  await page.clock.install();
  await page.goto("/stocks");
  await sendMessage(page, model.prompt("Go."));
  await log(page).getByText("I begin").waitFor();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  // A short look elsewhere, through which the stream stays.
  await hideTab(page);
  await page.clock.runFor(10_000);
  const open = watchOpen(page);
  await showTab(page);
  await hideTab(page);
  // What it asked for when it was seen is still on its way on a busy machine.
  await expect.poll(() => [...open].map((request) => request.url())).toEqual([]);
  const isLeft = page.waitForEvent("requestfailed", (request) => request.url().includes("/events"));
  await page.clock.runFor(30_000);
  await isLeft;
  await expect.poll(() => link.cut("/events")).toBe(0);
  const before = link.requests.length;
  await model.release();
  await model.reaches(1, "answered");
  // Every timer that is due within an hour fires now.
  await page.clock.fastForward("01:00:00");
  // A file that was asked for before may still be getting the chunks that it imports.
  expect(link.requests.slice(before).filter((request) => !request.includes("/assets/chunk-"))).toEqual([]);
  await page.clock.resume();
  await showTab(page);
  await runEnd(page).waitFor();
  expect(link.requests.filter((request) => request.includes("/events"))).toHaveLength(2);
  // What was due meanwhile is fetched now, unless it was before.
  const ahead = () => link.requests.filter((request) => request.includes("assets/stock-dialogs"));
  await expect.poll(ahead).toHaveLength(1);
  expect(await log(page).locator(".say").allInnerTexts()).toEqual(["I begin and end."]);
});

it("what was done and taken back while the page was away is not shown as happening now", async ({
  desktop,
  tally,
  script,
}) => {
  const [apple] = await tally.seedStocks([APPLE, { symbol: "SAP" }]);
  const model = await script([
    callTool("delete-stock", { id: apple?.id }),
    callTool("navigate", { view: "stocks", q: "elsewhere" }),
    holdBefore(say("Deleted.")),
  ]);
  const page = await desktop("/stocks", { reducedMotion: "reduce" });
  await page.getByRole("link", { name: "AAPL" }).waitFor();
  await page.clock.install();
  await sendMessage(page, model.prompt("Delete it."));
  await page.getByRole("group", { name: "Delete AAPL?" }).waitFor();
  const runId = RunId.parse((await tally.listThreads())[0]?.activeRunId);
  await hideTab(page);
  await page.clock.fastForward(HIDDEN_MS + 1_000);
  await tally.answerPermission({ runId, events: `/_framework/runs/${runId}/events`, sessionId: null }, "allow_once");
  await model.reaches(3, "held");
  await tally.act("update-stock", { id: apple?.id ?? "", restore: true, set: {} });
  await page.clock.fastForward(HIDDEN_MS);
  const said = await watchSaid(page);
  await showTab(page);
  await log(page).getByText("navigate").first().waitFor();
  await model.release();
  await runEnd(page).waitFor();
  await page.getByRole("link", { name: "AAPL" }).waitFor();
  // What is announced waits for a moment.
  await page.clock.runFor(200);
  expect((await said.jsonValue()).join(" ")).not.toContain("The agent deleted");
  expect(page.url()).not.toContain("elsewhere");
});

it("a request that came while the page was away is said when one is back", async ({ desktop, tally, script }) => {
  const [apple] = await tally.seedStocks([APPLE]);
  const deletes = holdBefore(callTool("delete-stock", { id: apple?.id }));
  const model = await script([callTool("list-stocks", {}), deletes, say("Kept.")]);
  const page = await desktop("/stocks", { reducedMotion: "reduce" });
  await page.getByRole("link", { name: "AAPL" }).waitFor();
  await page.clock.install();
  await sendMessage(page, model.prompt("Delete it."));
  await log(page).getByText("list-stocks").first().waitFor();
  await model.reaches(2, "held");
  const runId = RunId.parse((await tally.listThreads())[0]?.activeRunId);
  await hideTab(page);
  await page.clock.fastForward(HIDDEN_MS + 1_000);
  await model.release();
  await tally.eventsUntil({ events: `/_framework/runs/${runId}/events` }, "permission_request");
  await page.clock.fastForward(HIDDEN_MS);
  const said = await watchSaid(page);
  await showTab(page);
  await expect.poll(async () => (await said.jsonValue()).join(" ")).toContain("The agent asks: Delete AAPL?");
  await answerCard(page, "Reject");
  await runEnd(page).waitFor();
});

/** How long a hidden page stays connected (`run-stream.ts`). */
const HIDDEN_MS = 30_000;
