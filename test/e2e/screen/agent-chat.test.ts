/** Talking to the agent: sending, streaming, stopping, queueing, and what survives reloads and lost networks. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { loseAnswer } from "../../support/browser/hold-next.ts";
import { stopClock } from "../../support/browser/page-life.ts";
import { it } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { callTool, say, think } from "../../support/model-script.ts";
import { holdMidStream, spendLimitReached } from "../../support/model-troubles.ts";
import { composer, log, runEnd, sendMessage, untilUnreachable } from "./agent-page.ts";

const THREAD = /\/t\/[0-9a-f-]{36}$/;

it("a first message gets an address of its own and its answer, as markdown", async ({ desktop, script }) => {
  const model = await script([say("You hold **nothing** yet.", { deltas: 4 })]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("What do I own?"));
  await log(page).locator("strong", { hasText: "nothing" }).waitFor();
  await runEnd(page).waitFor();
  expect(page.url()).toMatch(THREAD);
  expect(await composer(page).inputValue()).toBe("");
  expect(await log(page).locator(".me").count()).toBe(1);
  await waitForFocus(composer(page));
});

it("a long chat scrolls in its log alone, on a phone and beside the chats", async ({ phone, desktop, script }) => {
  const model = await script([say("A line.\n\n".repeat(80))]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Write a lot."));
  await runEnd(page).waitFor();
  const wide = await desktop(new URL(page.url()).pathname);
  await runEnd(wide).waitFor();
  const roomOf = (shown: Page, selector: string) =>
    shown.locator(selector).evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
  for (const shown of [page, wide]) {
    expect(await roomOf(shown, "[role=log]")).toBeGreaterThan(1_000);
    expect(await roomOf(shown, ".chat-main")).toBe(0);
    expect(await roomOf(shown, "html")).toBe(0);
  }
});

it("an answer shows while it is being written, and a reload in its middle loses and doubles nothing", async ({
  phone,
  script,
}) => {
  const model = await script([holdMidStream("The first half", ", the second half.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Tell me."));
  await log(page).getByText("The first half").waitFor();
  await page.waitForURL(THREAD);
  await page.reload();
  await log(page).getByText("The first half").waitFor();
  await model.release();
  await runEnd(page).waitFor();
  expect(await log(page).locator(".say").allInnerTexts()).toEqual(["The first half, the second half."]);
});

it("a network that goes in mid-answer and comes back gives the answer whole and once", async ({
  desktop,
  script,
  link,
}) => {
  const model = await script([holdMidStream("Before the tunnel", ", after the tunnel.")]);
  const page = await desktop("/", { at: link.url, allow: [/Failed to load resource/, /ERR_/] });
  await sendMessage(page, model.prompt("Go on."));
  await log(page).getByText("Before the tunnel").waitFor();
  // The page would reconnect by itself after two seconds, and the button with that.
  await stopClock(page);
  link.goDown();
  await log(page).getByText("The connection was lost.").waitFor();
  await page.clock.runFor(200);
  await page.locator(".vh[aria-live]").getByText("The connection was lost.").waitFor({ state: "attached" });
  await model.release();
  link.goUp();
  await page.getByRole("button", { name: "Reconnect" }).click();
  await page.clock.resume();
  await runEnd(page).waitFor();
  expect(await log(page).locator(".say").allInnerTexts()).toEqual(["Before the tunnel, after the tunnel."]);
});

it("a message whose answer was lost is sent again without starting twice", async ({ desktop, script, link, tally }) => {
  const model = await script([say("Once.")]);
  const page = await desktop("/", { at: link.url, allow: [/Failed to load resource/, /ERR_/] });
  await composer(page).fill(model.prompt("Say it once."));
  await loseAnswer(page, "**/api/agent/turn");
  const failed = untilUnreachable(page);
  await composer(page).press("Enter");
  await failed;
  expect(await composer(page).inputValue()).toContain("Say it once.");
  await page.reload();
  await composer(page).press("Enter");
  await runEnd(page).waitFor();
  expect(await log(page).locator(".say").allInnerTexts()).toEqual(["Once."]);
  expect(await model.requests()).toHaveLength(1);
  expect((await tally.listThreads()).filter(({ title }) => title.startsWith("Say it once."))).toHaveLength(1);
});

it("a run is stopped from another tab, and both say so", async ({ desktop, script }) => {
  const model = await script([holdMidStream("I begin", " and never end.")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Count."));
  await log(page).getByText("I begin").waitFor();
  await page.waitForURL(THREAD);
  const other = await page.context().newPage();
  await other.goto(page.url());
  await log(other).getByText("I begin").waitFor();
  await other.getByRole("button", { name: "Stop" }).click();
  await log(other).getByText("Stopped.").waitFor();
  await page.bringToFront();
  await log(page).getByText("Stopped.").waitFor();
  expect(await page.getByRole("button", { name: "Stop" }).count()).toBe(0);
});

it("a message sent meanwhile waits its turn, says its place, and can be taken back", async ({ desktop, script }) => {
  const model = await script([holdMidStream("Working", " done."), say("Second answer.")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("First."));
  await log(page).getByText("Working", { exact: true }).waitFor();
  await sendMessage(page, model.prompt("Second."));
  await log(page).getByText("Queued", { exact: true }).waitFor();
  await sendMessage(page, model.prompt("Third."));
  await log(page).getByText("Queued, 2 ahead").waitFor();
  await page.getByRole("button", { name: "Cancel" }).last().click();
  await log(page).getByText("Cancelled before it began.").waitFor();
  await model.release();
  await log(page).getByText("Second answer.").waitFor();
  await runEnd(page, 1).waitFor();
  // What never began has no cost.
  expect(await log(page).locator(".cost").count()).toBe(2);
  expect(await log(page).locator(".say").allInnerTexts()).toEqual(["Working done.", "Second answer."]);
});

it("a queue that is full says so, and what did not fit stays in the composer", async ({ desktop, script, tally }) => {
  const model = await script([holdMidStream("Working", " done.")]);
  const page = await desktop("/", { allow: [/status of 429/] });
  await sendMessage(page, model.prompt("First."));
  await log(page).getByText("Working", { exact: true }).waitFor();
  await page.waitForURL(THREAD);
  const threadId = decodeURIComponent(new URL(page.url()).pathname.slice("/t/".length));
  await Promise.all(Array.from({ length: 7 }, (_, nth) => tally.startTurn(threadId, model.prompt(`${nth}.`))));
  // A page hears of what others send when it is looked at next.
  await page.reload();
  await log(page).getByText("Queued, 7 ahead").waitFor();
  await sendMessage(page, model.prompt("Eighth."));
  await log(page).getByText("Queued, 8 ahead").waitFor();
  await sendMessage(page, model.prompt("Too many."));
  await page.getByRole("alert").getByText("8 messages are already queued. Send more when one has started.").waitFor();
  expect(await composer(page).inputValue()).toContain("Too many.");
});

it("a failed run says why and is tried again with the same words", async ({ desktop, script }) => {
  const model = await script([spendLimitReached(), say("Now it works.")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Try."));
  await log(page).getByText("Something went wrong:").waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await log(page).getByText("Now it works.").waitFor();
  await runEnd(page, 1).waitFor();
  expect(await log(page).locator(".me").count()).toBe(2);
});

it("a failed run is tried again once, though the answer to that was lost", async ({ desktop, script }) => {
  const model = await script([spendLimitReached(), say("Now it works.")]);
  const page = await desktop("/", { allow: [/Failed to load resource/] });
  await sendMessage(page, model.prompt("Try."));
  const retry = page.getByRole("button", { name: "Try again" });
  await retry.waitFor();
  await loseAnswer(page, "**/api/agent/turn");
  await retry.press("Enter");
  await page.getByRole("alert").getByText("The server cannot be reached.").waitFor();
  await model.reaches(2, "answered");
  await page.keyboard.press("Enter");
  await runEnd(page, 1).waitFor();
  expect(await log(page).locator(".say").allInnerTexts()).toEqual(["Now it works."]);
  expect(await model.requests()).toHaveLength(2);
});

it("thinking is folded away and there to read", async ({ phone, script }) => {
  const model = await script([think("**They** ask about risk.", "It is moderate.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("How risky?"));
  await log(page).getByText("It is moderate.").waitFor();
  expect(await log(page).getByText("They").isVisible()).toBe(false);
  await log(page).getByText("Thought", { exact: true }).click();
  await log(page).getByText("They ask about risk.").waitFor();
  await log(page).locator("strong", { hasText: "They" }).waitFor();
  await runEnd(page).waitFor();
});

it("a draft is kept for each thread through reloads, and Shift+Enter breaks its line", async ({ desktop, script }) => {
  const model = await script([say("Hello.")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Hi."));
  await runEnd(page).waitFor();
  await composer(page).fill("half a");
  await composer(page).press("Shift+Enter");
  await composer(page).pressSequentially("thought");
  await page.getByRole("button", { name: "New chat" }).first().click();
  await page.waitForURL(/\/$/);
  await expect.poll(() => composer(page).inputValue()).toBe("");
  await page.goBack();
  await page.reload();
  await log(page).getByText("Hello.").waitFor();
  await expect.poll(() => composer(page).inputValue()).toBe("half a\nthought");
});

it("the log stays where the person reads, and says that there is more", async ({ phone, script }) => {
  const long = Array.from({ length: 60 }, (_, line) => `Line ${line}.`).join("\n\n");
  const model = await script([say(long), holdMidStream("More to come", " and gone.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Much."));
  await runEnd(page).waitFor();
  await log(page).getByText("Line 59.").waitFor();
  const isAtEnd = () => log(page).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight < 2);
  await expect.poll(isAtEnd).toBe(true);
  await sendMessage(page, model.prompt("More."));
  await log(page).getByText("More to come").waitFor();
  await log(page).evaluate((box) => box.scrollTo({ top: 0 }));
  await page.getByRole("button", { name: "Latest" }).waitFor();
  await model.release();
  await page.getByRole("button", { name: "New messages" }).waitFor();
  expect((await page.getByRole("button", { name: "New messages" }).boundingBox())?.width).toBe(44);
  expect(await log(page).evaluate((box) => box.scrollTop)).toBe(0);
  await page.getByRole("button", { name: "New messages" }).click();
  await runEnd(page, 1).waitFor();
  await expect.poll(isAtEnd).toBe(true);
});

it("who goes up a little while an answer is written is not taken back to its end", async ({ phone, script }) => {
  const model = await script([holdMidStream(`${"A line.\n\n".repeat(60)}So far.`, "\n\nOne more.".repeat(20))]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Much."));
  await log(page).locator(".markdown").getByText("So far.").waitFor();
  await expect
    .poll(() => log(page).evaluate((box) => Math.round(box.scrollHeight - box.scrollTop - box.clientHeight)))
    .toBe(0);
  const line = log(page).locator(".markdown").getByText("So far.");
  const top = () => line.evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const before = await top();
  await log(page).evaluate((box) => box.scrollBy(0, -30));
  await expect.poll(top).toBe(before + 30);
  await page.getByRole("button", { name: "Latest" }).waitFor();
  await model.release();
  await runEnd(page).waitFor();
  expect(await top()).toBe(before + 30);
  await page.getByRole("button", { name: "New messages" }).waitFor();
});

it("what is unfolded stays where it is, though it makes the log longer", async ({ phone, script, site }) => {
  await writeFile(join(site.workspaceDir, "long.txt"), "line\n".repeat(200));
  const model = await script([callTool("read_file", { path: "long.txt" }), say("Read.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Read it."));
  await runEnd(page).waitFor();
  const card = log(page).locator("summary", { hasText: "read_file" });
  const topOfCard = () => card.evaluate((summary) => Math.round(summary.getBoundingClientRect().top));
  // Its view loads once, and may move what is above it; so does the line that the run ends with.
  await log(page).locator(".markdown").waitFor();
  await runEnd(page).waitFor();
  const before = await topOfCard();
  await card.click();
  await page.getByRole("group", { name: "Result" }).waitFor();
  await page.getByRole("button", { name: "Latest" }).waitFor();
  expect(await topOfCard()).toBe(before);
});

it.for(["Queue", "Send now"] as const)(
  "who has scrolled up sees the message that is sent: %s",
  async (way, { phone, script }) => {
    const long = Array.from({ length: 60 }, (_, line) => `Line ${line}.`).join("\n\n");
    const model = await script([say(long), holdMidStream("Working on it", " and done."), say("Both.")]);
    const page = await phone("/");
    await sendMessage(page, model.prompt("Much."));
    await runEnd(page).waitFor();
    await sendMessage(page, model.prompt("More."));
    await log(page).getByText("Working on it").waitFor();
    await log(page).evaluate((box) => box.scrollTo({ top: 0 }));
    await page.getByRole("button", { name: "Latest" }).waitFor();
    await composer(page).fill(model.prompt("And the small ones."));
    await page.getByRole("button", { name: way === "Queue" ? /^(Queue|Send)$/ : way }).tap();
    const sent = log(page).getByText("And the small ones.");
    await sent.waitFor();
    await expect.poll(() => isInView(log(page), sent)).toBe(true);
    await page.getByRole("button", { name: /^(Latest|New messages)$/ }).waitFor({ state: "detached" });
    await model.release();
  },
);

/** Whether all of what is inside can be seen in its box. */
const isInView = async (box: Locator, inside: Locator): Promise<boolean> => {
  const [outer, inner] = [await box.boundingBox(), await inside.boundingBox()];
  return outer !== null && inner !== null && inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
};
