/** The list of chats over a conversation, on a phone: what was begun there is there behind it, and nothing of it counts as seen. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { answerCard } from "../../support/browser/answer-card.ts";
import { it } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { callTool, say } from "../../support/model-script.ts";
import { holdBefore, holdMidStream } from "../../support/model-troubles.ts";
import { composer, log, question, runEnd, sendMessage } from "./agent-page.ts";

const chats = (page: Page): Locator => page.getByRole("navigation", { name: "Chats" });

const openList = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Chats" }).tap();
  await chats(page).waitFor();
};

const LONG_COMMAND = Array.from({ length: 70 }, (_, nth) => `echo ${nth}`).join("\n");

it("half an answer is still there, in the sheet too", async ({ phone, script }) => {
  const which = { question: "Which of these?", options: [{ label: "AAPL" }, { label: "MSFT" }], multiple: true };
  const model = await script([callTool("ask_user", { questions: [which] }), say("All right.")]);
  const page = await phone("/stocks");
  await page.getByRole("button", { name: /^Agent/ }).tap();
  await sendMessage(page, model.prompt("Add what I like."));
  const card = page.getByRole("group", { name: "The agent asks" });
  await card.getByRole("checkbox", { name: "MSFT" }).check();
  await card.getByRole("checkbox", { name: "Something else" }).check();
  await card.getByLabel("Your own answer").fill("Siemens");
  await openList(page);
  expect(await card.isVisible()).toBe(false);
  await page.goBack();
  await card.waitFor();
  expect(await card.getByRole("checkbox", { name: "MSFT" }).isChecked()).toBe(true);
  expect(await card.getByLabel("Your own answer").inputValue()).toBe("Siemens");
  await answerCard(card, "Send");
  await runEnd(page).waitFor();
  expect(JSON.stringify((await model.requests()).at(-1)?.body)).toContain("Answers:\\n- MSFT\\n- Siemens");
});

it("a message that the agent was never given comes back behind it", async ({ phone, script, tally }) => {
  const model = await script([holdMidStream("I begin. ", "Never.")]);
  const page = await phone("/stocks");
  await page.getByRole("button", { name: /^Agent/ }).tap();
  await sendMessage(page, model.prompt("Begin"));
  await log(page).getByText("I begin.").waitFor();
  await composer(page).fill("Wait, not that");
  await page.getByRole("button", { name: "Send now" }).tap();
  await log(page).getByText("Will be delivered after this step").waitFor();
  await expect.poll(() => composer(page).inputValue()).toBe("");
  await openList(page);
  const [thread] = await tally.listThreads();
  await tally.send("POST", `/_framework/runs/${thread?.activeRunId}/abort`);
  await expect.poll(() => page.locator(".composer textarea").inputValue()).toBe("Wait, not that");
  expect(await chats(page).isVisible()).toBe(true);
});

it("a message that is being changed still is, and the draft before it comes back", async ({ phone, script }) => {
  const model = await script([say("Done.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Look at it."));
  await runEnd(page).waitFor();
  await composer(page).fill("And then");
  await page.getByRole("button", { name: "Edit", exact: true }).tap();
  await expect.poll(() => composer(page).inputValue()).toContain("Look at it.");
  await openList(page);
  await page.getByRole("button", { name: "Chats" }).tap();
  await page.getByText("Sending this replaces your earlier message").waitFor();
  await page.getByRole("button", { name: "Keep it as it was" }).tap();
  expect(await composer(page).inputValue()).toBe("And then");
});

it("the place in a long chat stays, whatever comes meanwhile", async ({ phone, script }) => {
  const model = await script([say("A line.\n\n".repeat(80)), holdBefore(say("More of it."))]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Write a lot."));
  await runEnd(page).waitFor();
  await sendMessage(page, "Go on.");
  await model.reaches(2, "held");
  // What is shown of the turn's start may come in the very frame of the scrolling, and take it back to the end; or right after it, as news.
  await expect
    .poll(async () => {
      await log(page).evaluate((box) => box.scrollTo({ top: 400 }));
      return await page.getByRole("button", { name: /^(Latest|New messages)$/ }).isVisible();
    })
    .toBe(true);
  await openList(page);
  await model.release();
  await chats(page).getByText("Working").waitFor({ state: "detached" });
  await page.goBack();
  await page.getByRole("button", { name: "New messages" }).waitFor();
  expect(await log(page).evaluate(({ scrollTop }) => scrollTop)).toBe(400);
});

it("what is asked behind it has not been in view", async ({ phone, script }) => {
  const model = await script([holdBefore(callTool("run_shell", { command: LONG_COMMAND })), say("Ran.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Count."));
  await model.reaches(1, "held");
  await openList(page);
  await model.release();
  await chats(page).getByText("Needs you").waitFor();
  await page.goBack();
  const card = page.getByRole("group", { name: /echo 0/ });
  await card.getByText("Read all of it before you allow it.").waitFor();
  expect(await card.getByRole("button", { name: "Allow once" }).isEnabled()).toBe(false);
  await answerCard(card, "Reject");
  await runEnd(page).waitFor();
});

it("a notice that is pressed leads to its card", async ({ phone, script }) => {
  const model = await script([callTool("add-stock", { symbol: "SAP" }), say("Added.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Add SAP."));
  const card = question(page, "Add SAP");
  const id = (await card.getAttribute("id")) ?? "";
  await openList(page);
  // What the page does when its service worker says so.
  await page.evaluate((hash) => location.assign(hash), `#${id}`);
  await waitForFocus(card);
  expect(await chats(page).isVisible()).toBe(false);
});
