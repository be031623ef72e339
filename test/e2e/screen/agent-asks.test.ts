/** A question that waits is seen on every screen, also where nothing follows the run that asks. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { allowOnce } from "../../support/browser/answer-card.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { hideTab, showTab } from "../../support/browser/page-life.ts";
import { it } from "../../support/browser/screen-test.ts";
import type { tallyClient } from "../../support/browser/tally-client.ts";
import { callTool, say } from "../../support/model-script.ts";
import { holdBefore } from "../../support/model-troubles.ts";
import { composer, question, runEnd, sendMessage } from "./agent-page.ts";

const ADD_SAP = [callTool("add-stock", { symbol: "SAP" }), say("Added SAP.")];

const HELD = [holdBefore(say("Looked."))];

/** Starts a turn of the chat `asks`, and waits until it asks. */
const askIn = async (tally: ReturnType<typeof tallyClient>, prompt: string) => {
  const turn = await tally.startTurn("asks", prompt);
  await tally.eventsUntil(turn, "run_status");
  return turn;
};

const chatLink = (page: Page) => page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: /^Chat/ });

it("a question from before is counted on the stocks screen, leads to its chat, and goes with its answer", async ({
  phone,
  script,
  tally,
}) => {
  const model = await script(ADD_SAP);
  await askIn(tally, model.prompt("Add SAP."));
  const page = await phone("/stocks");
  const chat = chatLink(page);
  await chat.getByText("1 chat waiting for you", { exact: false }).waitFor();
  await page
    .getByRole("button", { name: /^Agent/ })
    .getByText("waiting for you")
    .waitFor();
  await expectNoAxeViolations(page);
  await chat.tap();
  await page.waitForURL("**/t/asks");
  await allowOnce(question(page, "Add SAP"));
  await runEnd(page).waitFor();
  await chat.getByText("chat waiting for you").waitFor({ state: "detached" });
});

it("the list of chats says which one asks as soon as it is there", async ({ desktop, script, tally }) => {
  const model = await script(ADD_SAP);
  await askIn(tally, model.prompt("Add SAP."));
  const page = await desktop("/");
  const chat = page.getByRole("navigation", { name: "Chats" }).getByRole("link", { name: /Add SAP/ });
  await chat.waitFor();
  expect(await chat.innerText()).toContain("Needs you");
  await composer(page).waitFor();
  await page.getByRole("link", { name: /^Chat/ }).getByText("chat waiting for you").waitFor();
});

it("a second question is counted when its chat is opened anew, though the first one was answered", async ({
  desktop,
  script,
  tally,
}) => {
  const model = await script([
    callTool("add-stock", { symbol: "SAP" }),
    callTool("add-stock", { symbol: "MSFT" }),
    say("Added both."),
  ]);
  const turn = await askIn(tally, model.prompt("Add both."));
  await tally.answerPermission(turn, "allow_once");
  const page = await desktop("/t/asks");
  const asks = page.getByRole("navigation", { name: "Chats" }).getByText("Needs you");
  await question(page, "Add MSFT").waitFor();
  await asks.waitFor();
  await page.reload();
  await question(page, "Add MSFT").waitFor();
  await asks.waitFor();
  await page.getByRole("link", { name: /^Chat/ }).getByText("chat waiting for you").waitFor();
  await allowOnce(question(page, "Add MSFT"));
  await runEnd(page).waitFor();
  await asks.waitFor({ state: "detached" });
});

it("a question stays counted when its chat is no longer followed, because too many work", async ({
  desktop,
  script,
}) => {
  const [asks, works] = [await script([holdBefore(callTool("add-stock", { symbol: "SAP" }))]), await script(HELD)];
  const page = await desktop("/");
  const chats = page.getByRole("navigation", { name: "Chats" });
  const newChat = chats.getByRole("button", { name: "New chat" });
  await sendMessage(page, asks.prompt("Add SAP."));
  await chats.getByText("Working").waitFor();
  await newChat.click();
  await sendMessage(page, works.prompt("Look."));
  await chats.getByRole("link", { name: /Look/ }).getByText("Working").waitFor();
  await asks.release();
  const question = chats.getByRole("link", { name: /Add SAP/ }).getByText("Needs you");
  await question.waitFor();
  await newChat.click();
  await page.getByText("What would you like to know?").waitFor();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(await question.count()).toBe(1);
  expect(await chatLink(page).innerText()).toContain("chat waiting for you");
  await works.release();
  await chats.getByText("Working").waitFor({ state: "detached" });
  expect(await question.count()).toBe(1);
});

it("a question that is answered elsewhere is no longer counted when one comes back", async ({
  phone,
  script,
  tally,
}) => {
  const model = await script(ADD_SAP);
  const turn = await askIn(tally, model.prompt("Add SAP."));
  const page = await phone("/stocks");
  const chat = chatLink(page);
  await chat.getByText("chat waiting for you").waitFor();
  await hideTab(page);
  await tally.answerPermission(turn, "reject");
  await tally.eventsUntil(turn, "run_end");
  await showTab(page);
  await chat.getByText("chat waiting for you").waitFor({ state: "detached" });
});

it("a chat that asks and is deleted elsewhere is no longer counted when one comes back", async ({
  phone,
  script,
  tally,
}) => {
  const model = await script(ADD_SAP);
  await askIn(tally, model.prompt("Add SAP."));
  const page = await phone("/stocks");
  const chat = chatLink(page);
  await chat.getByText("chat waiting for you").waitFor();
  await hideTab(page);
  await tally.send("DELETE", "/_framework/threads/asks");
  await showTab(page);
  await chat.getByText("chat waiting for you").waitFor({ state: "detached" });
  expect(await chat.getAttribute("href")).toBe("/");
});
