/** What was begun with the agent is there again after a look at the stocks, at another chat, and after a reload. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { answerCard, readyButton } from "../../support/browser/answer-card.ts";
import { answerInstead } from "../../support/browser/answer-instead.ts";
import { holdNext } from "../../support/browser/hold-next.ts";
import { it } from "../../support/browser/screen-test.ts";
import { callTool, say } from "../../support/model-script.ts";
import { composer, log, question, runEnd, sendMessage } from "./agent-page.ts";

/** The app's own links: the page stays the same. */
const lookAtStocks = async (page: Page): Promise<void> => {
  await page.getByRole("link", { name: "Stocks" }).click();
  await page.getByRole("heading", { name: "Stocks" }).waitFor();
  await page.getByRole("link", { name: /^Chat/ }).click();
};

/** The list of chats in the panel. */
const openChats = async (page: Page): Promise<Locator> => {
  await page.getByRole("button", { name: "Chats", exact: true }).click();
  return page.getByRole("navigation", { name: "Chats" });
};

/** Sends a message whose answer is held until `letGo` is called. `threadId`: the chat that it begins. */
const sendHeld = async (page: Page, text: string) => {
  const letGo = await holdNext(page, "**/api/agent/turn");
  const isHeld = page.waitForRequest("**/api/agent/turn");
  await sendMessage(page, text);
  return { letGo, threadId: String((await isHeld).postDataJSON().threadId) };
};

it("an answer of one's own, and the note of a rejection", async ({ phone, script }) => {
  const options = [{ label: "Nasdaq" }, { label: "Xetra" }];
  const model = await script([
    callTool("ask_user", { questions: [{ question: "Which exchange?", options }] }),
    callTool("add-stock", { symbol: "SAP" }),
    say("Then not."),
  ]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Add SAP"));
  await page.getByRole("radio", { name: "Something else" }).tap();
  await page.getByLabel("Your own answer").fill("Frankfurt");
  await lookAtStocks(page);
  await expect.poll(() => page.getByLabel("Your own answer").inputValue()).toBe("Frankfurt");
  await answerCard(page, "Send");
  await log(page).getByText("Frankfurt").waitFor();
  await question(page, "Add SAP").waitFor();
  await (await readyButton(page, "Reject with a note")).click();
  const note = page.getByLabel("What should it do instead? (optional)");
  await note.fill("Only if it is cheap.");
  await lookAtStocks(page);
  await expect.poll(() => note.inputValue()).toBe("Only if it is cheap.");
  await answerCard(page, "Reject with this note");
  await log(page).locator("q").getByText("Only if it is cheap.").waitFor();
  await runEnd(page).waitFor();
});

it("a message that is being changed, beside the one that was being written", async ({ desktop, script }) => {
  const model = await script([say("About apples."), say("About pears.")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Apples"));
  await runEnd(page).waitFor();
  await composer(page).fill("What else?");
  await page.getByRole("button", { name: "Edit" }).click();
  const told = page.getByText("Sending this replaces your earlier message");
  await told.waitFor();
  await expect.poll(() => composer(page).inputValue()).toContain("Apples");
  const changed = model.prompt("Pears");
  await composer(page).fill(changed);
  await lookAtStocks(page);
  await told.waitFor();
  expect(await composer(page).inputValue()).toBe(changed);
  await page.reload();
  await told.waitFor();
  expect(await composer(page).inputValue()).toBe(changed);
  await composer(page).press("Enter");
  await log(page).getByText("About pears.").waitFor();
  await log(page).getByText("Replaced").waitFor();
  await told.waitFor({ state: "detached" });
  expect(await composer(page).inputValue()).toBe("What else?");
});

it("a change that was refused once the chat had gone back says so, and is sent the next time", async ({
  desktop,
  script,
}) => {
  const model = await script([say("About apples."), say("About pears.")]);
  const page = await desktop("/", { allow: [/429/] });
  await sendMessage(page, model.prompt("Apples"));
  await runEnd(page).waitFor();
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByText("Sending this replaces your earlier message").waitFor();
  await composer(page).fill(model.prompt("Pears"));
  const letTurnsStart = await answerInstead(page, "**/api/agent/turn", (route) =>
    route.fulfill({ status: 429, json: { error: "Too many requests. Try again later." } }),
  );
  await composer(page).press("Enter");
  await page.getByText("have been taken back. This has not been sent.").waitFor();
  // The chat goes back first; the message is on its way until it is refused.
  await page.getByRole("alert").getByText("Too many requests.").waitFor();
  expect(await page.getByRole("button", { name: "Keep it as it was" }).count()).toBe(0);
  letTurnsStart();
  await composer(page).press("Enter");
  await log(page).getByText("About pears.").waitFor();
  await expect.poll(() => composer(page).inputValue()).toBe("");
});

it("a message that is on its way is not there to be sent again", async ({ phone, script }) => {
  const model = await script([say("About apples."), say("About pears.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Apples"));
  await runEnd(page).waitFor();
  const letGo = await holdNext(page, "**/api/agent/turn");
  const isHeld = page.waitForRequest("**/api/agent/turn");
  await sendMessage(page, model.prompt("Pears"));
  await isHeld;
  await lookAtStocks(page);
  await page.getByRole("button", { name: "Sending" }).waitFor();
  letGo();
  await runEnd(page, 1).waitFor();
  await expect.poll(() => composer(page).inputValue()).toBe("");
  await composer(page).fill("And plums?");
  await lookAtStocks(page);
  await expect.poll(() => composer(page).inputValue()).toBe("And plums?");
});

it("a message that was refused after one had gone to the stocks is said there, and can be sent", async ({
  phone,
  script,
}) => {
  const model = await script([say("About apples.")]);
  const page = await phone("/", { allow: [/429/] });
  const refused = Promise.withResolvers<void>();
  const refusal = { status: 429, json: { error: "Too many requests. Try again later." } };
  await page.route("**/api/agent/turn", (route) => refused.promise.then(() => route.fulfill(refusal)), { times: 1 });
  const isHeld = page.waitForRequest("**/api/agent/turn");
  await sendMessage(page, model.prompt("Apples"));
  await isHeld;
  await page.getByRole("link", { name: "Stocks" }).tap();
  await page.getByRole("heading", { name: "Stocks" }).waitFor();
  await composer(page).waitFor({ state: "detached" });
  refused.resolve();
  const told = page.getByRole("alert").getByText("Your message to the agent was not sent. Too many requests.");
  await told.waitFor();
  await page.getByRole("link", { name: /^Chat/ }).tap();
  await expect.poll(() => composer(page).inputValue()).toContain("Apples");
  await composer(page).press("Enter");
  await log(page).getByText("About apples.").waitFor();
});

it("the first message of a new chat beside the stocks", async ({ desktop, script }) => {
  const model = await script([say("Hello.")]);
  const page = await desktop("/stocks");
  await sendMessage(page, model.prompt("Hello"));
  await runEnd(page).waitFor();
  await page.getByRole("button", { name: "Chats", exact: true }).click();
  await page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name: "New chat" }).click();
  await composer(page).fill("A new thought");
  await page.getByRole("button", { name: "Chats", exact: true }).click();
  await page.getByRole("navigation", { name: "Chats" }).getByRole("link", { name: /Hello/ }).click();
  await log(page).getByText("Hello.").waitFor();
  await page.getByRole("button", { name: "Chats", exact: true }).click();
  await page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name: "New chat" }).click();
  await expect.poll(() => composer(page).inputValue()).toBe("A new thought");
});

it("a chat that was left before its first message had arrived is not the next new one", async ({ desktop, script }) => {
  const model = await script([say("Hello."), say("About pears."), say("About plums.")]);
  const page = await desktop("/stocks");
  await sendMessage(page, model.prompt("Hello"));
  await runEnd(page).waitFor();
  await (await openChats(page)).getByRole("button", { name: "New chat" }).click();
  const pears = await sendHeld(page, model.prompt("Pears"));
  await (await openChats(page)).getByRole("link", { name: /Hello/ }).click();
  pears.letGo();
  const chats = await openChats(page);
  await chats.getByRole("link", { name: /Pears/ }).waitFor();
  await chats.getByText("Working").waitFor({ state: "detached" });
  await chats.getByRole("button", { name: "New chat" }).click();
  const plums = await sendHeld(page, model.prompt("Plums"));
  plums.letGo();
  await log(page).getByText("About plums.").waitFor();
  expect(plums.threadId).not.toBe(pears.threadId);
});

it("a first message that is sent beside the stocks and followed to the chat", async ({ desktop, script }) => {
  const model = await script([say("About pears.")]);
  const page = await desktop("/stocks");
  const { letGo, threadId } = await sendHeld(page, model.prompt("Pears"));
  await page.getByRole("link", { name: /^Chat/ }).click();
  await page.getByRole("button", { name: "Sending" }).waitFor();
  letGo();
  await page.waitForURL(`**/t/${threadId}`);
  await log(page).getByText("About pears.").waitFor();
});

it("a first message that is sent in the chat and left for the stocks", async ({ desktop, script }) => {
  const model = await script([say("About pears.")]);
  const page = await desktop("/");
  const { letGo, threadId } = await sendHeld(page, model.prompt("Pears"));
  await page.getByRole("link", { name: "Stocks" }).click();
  await page.getByRole("heading", { name: "Stocks" }).waitFor();
  letGo();
  await runEnd(page).waitFor();
  await page.getByRole("button", { name: "Close the agent" }).click();
  await page.getByRole("button", { name: /^Agent/ }).click();
  await log(page).getByText("About pears.").waitFor();
  await page.getByRole("link", { name: /^Chat/ }).click();
  await page.waitForURL(`**/t/${threadId}`);
  await log(page).getByText("About pears.").waitFor();
});

it("the first message of all, after a reload beside the stocks", async ({ desktop }) => {
  const page = await desktop("/stocks");
  await composer(page).fill("A new thought");
  await page.reload();
  await expect.poll(() => composer(page).inputValue()).toBe("A new thought");
});

it("a window that becomes narrow puts the panel away, which comes back with the room", async ({ desktop }) => {
  const page = await desktop("/stocks");
  await composer(page).fill("A new thought");
  await page.getByRole("heading", { name: "Stocks" }).click();
  await page.setViewportSize({ width: 800, height: 800 });
  await page.getByRole("button", { name: /^Agent/ }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(() => composer(page).inputValue()).toBe("A new thought");
  await composer(page).focus();
  await page.setViewportSize({ width: 800, height: 800 });
  await page.getByRole("dialog", { name: "Agent" }).waitFor();
  expect(await composer(page).inputValue()).toBe("A new thought");
});

it("the list of chats goes by the time that it is", async ({ desktop, script }) => {
  const model = await script([say("Hello.")]);
  const page = await desktop("/");
  await page.clock.install();
  await page.reload();
  await composer(page).waitFor();
  // In the middle of the minute after which the list looks at the clock again.
  await page.clock.runFor(30_000);
  await sendMessage(page, model.prompt("Hello"));
  const chat = page.getByRole("navigation", { name: "Chats" }).getByRole("link", { name: /Hello/ });
  await expect.poll(async () => [await page.clock.runFor(100), await chat.count()].at(-1)).toBe(1);
  await page.clock.runFor(10 * 60_000);
  await expect.poll(() => chat.innerText()).toMatch(/\d minutes ago/);
});
