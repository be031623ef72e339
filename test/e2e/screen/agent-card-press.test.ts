/** A press that was meant for something else answers no card, which has to have stood still, and stops no other turn. */
import type { Locator, Page, Request } from "playwright-core";
import { expect } from "vitest";
import { readyButton } from "../../support/browser/answer-card.ts";
import { stopClock } from "../../support/browser/page-life.ts";
import { it } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { callTool, say } from "../../support/model-script.ts";
import { holdMidStream } from "../../support/model-troubles.ts";
import { composer, log, question, refuseCopy, runEnd, sendMessage } from "./agent-page.ts";

/** The answers that the page sends from now on. */
const watchAnswers = (page: Page): readonly string[] => {
  const answers: string[] = [];
  page.on("request", (request: Request) => {
    if (request.method() === "POST" && /\/(?:permissions|questions)\//.test(request.url())) answers.push(request.url());
  });
  return answers;
};

const centreOf = async (button: Locator): Promise<[number, number]> => {
  const { x, y, width, height } = (await button.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return [x + width / 2, y + height / 2];
};

const ONE_THEN_TWO = [callTool("add-stock", { symbol: "ONE" }), callTool("add-stock", { symbol: "TWO" }), say("Both.")];

it("the second press of a double click does not answer the card that has come meanwhile", async ({
  desktop,
  script,
}) => {
  const model = await script(ONE_THEN_TWO);
  const page = await desktop("/");
  const answers = watchAnswers(page);
  await sendMessage(page, model.prompt("Add both."));
  const first = await readyButton(question(page, "Add ONE"), "Allow once");
  // From here on only the test lets time pass: the next card has just appeared for as long as it wants.
  await stopClock(page);
  await first.click();
  const second = question(page, "Add TWO").getByRole("button", { name: "Allow once" });
  await expect.poll(async () => [await page.clock.runFor(20), await second.count()].at(-1)).toBe(1);
  await page.mouse.click(...(await centreOf(second)));
  await second.press("Enter");
  await page.clock.runFor(600);
  await page.mouse.click(...(await centreOf(second)));
  expect(await second.isEnabled()).toBe(false);
  expect(answers).toHaveLength(1);
  await page.clock.runFor(700);
  await page.mouse.click(...(await centreOf(second)));
  await expect.poll(() => answers.length).toBe(2);
  await page.clock.resume();
  await runEnd(page).waitFor();
});

it("nor does it decline, or send, questions that have come meanwhile", async ({ desktop, script }) => {
  const where = { question: "Which exchange?", options: [{ label: "Nasdaq" }, { label: "Xetra" }] };
  const model = await script([
    callTool("add-stock", { symbol: "ONE" }),
    callTool("ask_user", { questions: [where] }),
    say("Nasdaq then."),
  ]);
  const page = await desktop("/");
  const answers = watchAnswers(page);
  await sendMessage(page, model.prompt("Add it."));
  const first = await readyButton(question(page, "Add ONE"), "Allow once");
  await stopClock(page);
  await first.click();
  const card = page.getByRole("group", { name: "The agent asks" });
  await expect.poll(async () => [await page.clock.runFor(20), await card.count()].at(-1)).toBe(1);
  const [decline, send] = [card.getByRole("button", { name: "Decline" }), card.getByRole("button", { name: "Send" })];
  await page.mouse.click(...(await centreOf(decline)));
  expect(await card.getByRole("button").allInnerTexts()).toEqual(["Send", "Decline"]);
  await decline.press("Enter");
  await card.getByRole("radio", { name: "Nasdaq" }).press("Space");
  await page.clock.runFor(600);
  await page.mouse.click(...(await centreOf(send)));
  await card.getByRole("radio", { name: "Nasdaq" }).press("Enter");
  expect([await decline.isEnabled(), await send.isEnabled()]).toEqual([false, false]);
  expect(answers).toHaveLength(1);
  await page.clock.runFor(700);
  await page.mouse.click(...(await centreOf(send)));
  await expect.poll(() => answers.length).toBe(2);
  await page.clock.resume();
  await log(page).getByText("Nasdaq", { exact: true }).waitFor();
  await runEnd(page).waitFor();
});

it("an Enter that stays down once it has answered a card does not send what is being written", async ({
  desktop,
  script,
}) => {
  const model = await script([callTool("add-stock", { symbol: "ONE" }), say("Added.")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Add it."));
  const allow = await readyButton(question(page, "Add ONE"), "Allow once");
  await composer(page).fill("And of the others only");
  await allow.focus();
  await page.keyboard.down("Enter");
  await waitForFocus(composer(page));
  // A repeat, as of a key that stays down.
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  await runEnd(page).waitFor();
  expect(await composer(page).inputValue()).toBe("And of the others only");
  expect(await log(page).locator(".me").count()).toBe(1);
});

it("a card that has moved takes no press until it has stood still again", async ({ desktop, script }) => {
  const model = await script([callTool("add-stock", { symbol: "MOVE" }), say("Added.")]);
  const page = await desktop("/");
  const answers = watchAnswers(page);
  await sendMessage(page, model.prompt(`Add it.${"\nA long question.".repeat(60)}`));
  const allow = await readyButton(page, "Allow once");
  await stopClock(page);
  await log(page).evaluate((box) => box.scrollBy(0, -40));
  await page.mouse.click(...(await centreOf(allow)));
  await page.clock.runFor(650);
  await page.mouse.click(...(await centreOf(allow)));
  expect(answers).toHaveLength(0);
  await page.clock.runFor(700);
  await page.mouse.click(...(await centreOf(allow)));
  await expect.poll(() => answers.length).toBe(1);
  await page.clock.resume();
  await runEnd(page).waitFor();
});

it("a press that was meant for a toast over a card does not answer it once the toast has gone", async ({
  phone,
  script,
}) => {
  const model = await script([say("```\nls\n```"), callTool("add-stock", { symbol: "UNDER" }), say("Added.")]);
  const page = await phone("/");
  const answers = watchAnswers(page);
  await sendMessage(page, model.prompt("Add it."));
  await runEnd(page).waitFor();
  await sendMessage(page, "Go on.");
  const allow = await readyButton(question(page, "Add UNDER"), "Allow once");
  const toast = await refuseCopy(page);
  const [, from] = await centreOf(allow);
  const [, to] = await centreOf(toast);
  await log(page).evaluate((box, by) => box.scrollBy(0, by), from - to);
  await readyButton(page, "Allow once");
  await stopClock(page);
  await toast.getByRole("button", { name: "Dismiss" }).press("Enter");
  await toast.waitFor({ state: "detached" });
  await page.mouse.click(...(await centreOf(allow)));
  expect(await page.locator(".ask .first button").allInnerTexts()).toEqual(["Allow once", "Reject"]);
  expect(answers).toEqual([]);
  await page.clock.runFor(700);
  await page.mouse.click(...(await centreOf(allow)));
  await expect.poll(() => answers.length).toBe(1);
  await page.clock.resume();
  await runEnd(page, 1).waitFor();
});

it("the click that brings the window to the front answers nothing", async ({ desktop, script }) => {
  const model = await script([callTool("add-stock", { symbol: "FRONT" }), say("Added.")]);
  const page = await desktop("/");
  const answers = watchAnswers(page);
  await sendMessage(page, model.prompt("Add it."));
  const allow = await readyButton(page, "Allow once");
  await stopClock(page);
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await page.mouse.click(...(await centreOf(allow)));
  expect(await page.locator(".ask .first button").allInnerTexts()).toEqual(["Allow once", "Reject"]);
  expect(answers).toEqual([]);
  await page.clock.runFor(700);
  await page.mouse.click(...(await centreOf(allow)));
  await page.clock.resume();
  await runEnd(page).waitFor();
});

it("the second click of a double click is no answer, however long the card has stood", async ({ desktop, script }) => {
  const model = await script([callTool("add-stock", { symbol: "TWICE" }), say("Added.")]);
  const page = await desktop("/");
  const answers = watchAnswers(page);
  await sendMessage(page, model.prompt("Add it."));
  const allow = await readyButton(page, "Allow once");
  await page.mouse.move(...(await centreOf(allow)));
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
  expect(await allow.innerText()).toBe("Allow once");
  expect(answers).toEqual([]);
  await allow.click();
  await runEnd(page).waitFor();
});

it("a key that is held down answers nothing", async ({ desktop, script }) => {
  const model = await script([callTool("add-stock", { symbol: "HELD" }), say("Added.")]);
  const page = await desktop("/");
  const answers = watchAnswers(page);
  await sendMessage(page, model.prompt("Add it."));
  const allow = await readyButton(page, "Allow once");
  await question(page, "Add HELD").focus();
  await page.keyboard.down("Enter");
  await allow.focus();
  await page.keyboard.down("Enter");
  await page.keyboard.down("Enter");
  expect(await allow.innerText()).toBe("Allow once");
  await page.keyboard.up("Enter");
  // The same on the way to a note: what opened it does not send it.
  await page.getByRole("button", { name: "Reject with a note" }).focus();
  await page.keyboard.down("Enter");
  await page.getByLabel("What should it do instead? (optional)").waitFor();
  await page.keyboard.down("Enter");
  await page.keyboard.up("Enter");
  expect(answers).toEqual([]);
  await (await readyButton(page, "Allow once")).press("Enter");
  await runEnd(page).waitFor();
});

it("the keys that the answers show press them, under the same guard, and nothing from a field", async ({
  desktop,
  script,
}) => {
  const model = await script(ONE_THEN_TWO);
  const page = await desktop("/");
  const answers = watchAnswers(page);
  await sendMessage(page, model.prompt("Add both."));
  await readyButton(question(page, "Add ONE"), "Allow once");
  await stopClock(page);
  await question(page, "Add ONE").press("Control+Enter");
  const second = question(page, "Add TWO");
  await expect.poll(async () => [await page.clock.runFor(20), await second.count()].at(-1)).toBe(1);
  await second.press("Control+Enter");
  await second.press("Control+Backspace");
  expect(answers).toHaveLength(1);
  await page.clock.resume();
  await (await readyButton(second, "Reject with a note")).click();
  const note = page.getByLabel("What should it do instead? (optional)");
  await note.fill("two words");
  await note.press("Control+Backspace");
  expect(answers).toHaveLength(1);
  await readyButton(second, "Reject with this note");
  await second.press("Control+Enter");
  await log(page).getByText("You rejected this.").waitFor();
  await runEnd(page).waitFor();
});

it("a second press on Stop does not stop the message that was queued behind", async ({ desktop, script }) => {
  const model = await script([holdMidStream("I begin. ", "Never."), holdMidStream("Then I", " go on.")]);
  const page = await desktop("/");
  const aborted: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/abort")) aborted.push(request.url());
  });
  await sendMessage(page, model.prompt("First."));
  await log(page).getByText("I begin.").waitFor();
  await sendMessage(page, model.prompt("Second."));
  await log(page).getByText("Queued", { exact: true }).waitFor();
  await stopClock(page);
  const stop = page.getByRole("button", { name: "Stop", exact: true });
  const place = await centreOf(stop);
  await page.mouse.click(...place);
  await expect
    .poll(async () => [await page.clock.runFor(20), await log(page).getByText("Stopped.").count()].at(-1))
    .toBe(1);
  await stop.waitFor();
  await page.mouse.click(...place);
  await page.clock.resume();
  await log(page).getByText("Then I").waitFor();
  await model.release();
  await log(page).getByText("Then I go on.").waitFor();
  expect(aborted).toHaveLength(1);
});
