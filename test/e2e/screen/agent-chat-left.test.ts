/** What was begun about one chat ends in that one, or is told, though another is shown by then. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { holdNext } from "../../support/browser/hold-next.ts";
import { it } from "../../support/browser/screen-test.ts";
import type { tallyClient } from "../../support/browser/tally-client.ts";
import { say } from "../../support/model-script.ts";
import type { ScriptedModel } from "../../support/scripted-model.ts";
import { composer, log, sendMessage } from "./agent-page.ts";

const TWO = [say("About apples."), say("About pears.")];

/** Two chats, `apples` and `pears`, which is the newer one. */
const twoChats = async (tally: ReturnType<typeof tallyClient>, model: ScriptedModel): Promise<void> => {
  await tally.eventsUntil(await tally.startTurn("apples", model.prompt("Apples")), "run_end");
  await tally.eventsUntil(await tally.startTurn("pears", model.prompt("Pears")), "run_end");
};

const openChat = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("navigation", { name: "Chats" }).getByRole("link", { name }).click();
  await log(page).getByText(`About ${name.toLowerCase()}.`).waitFor();
};

const choose = async (page: Page, entry: string): Promise<void> => {
  await page.getByRole("button", { name: "Chat menu" }).click();
  await page.getByRole("button", { name: entry }).click();
};

it("Back closes a chat's dialog, which is none of the chat before", async ({ desktop, script, tally }) => {
  await twoChats(tally, await script(TWO));
  const page = await desktop("/");
  await openChat(page, "Apples");
  await openChat(page, "Pears");
  await choose(page, "Rename");
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("Taxes");
  await page.goBack();
  await log(page).getByText("About apples.").waitFor();
  await name.waitFor({ state: "detached" });
});

it("a chat that is renamed once its dialog was closed leaves the next dialog open", async ({
  desktop,
  script,
  tally,
}) => {
  await twoChats(tally, await script(TWO));
  const page = await desktop("/");
  await openChat(page, "Apples");
  const letGo = await holdNext(page, "**/threads/apples", { method: "PATCH" });
  await choose(page, "Rename");
  const renaming = page.getByRole("dialog", { name: "Rename chat" });
  await renaming.getByRole("textbox", { name: "Name" }).fill("Quinces");
  const isAsked = page.waitForRequest("**/threads/apples");
  await renaming.getByRole("button", { name: "Rename" }).click();
  await isAsked;
  await renaming.getByRole("button", { name: "Cancel" }).click();
  await choose(page, "Permissions");
  const permissions = page.getByRole("dialog", { name: "Permissions" });
  await permissions.waitFor();
  letGo();
  await page.getByRole("link", { name: "Quinces" }).waitFor();
  expect(await permissions.count()).toBe(1);
});

it("a chat that is deleted once another one is shown leaves that one there", async ({ desktop, script, tally }) => {
  await twoChats(tally, await script(TWO));
  const page = await desktop("/");
  await openChat(page, "Apples");
  const letGo = await holdNext(page, "**/threads/apples", { method: "DELETE" });
  await choose(page, "Delete chat");
  const dialog = page.getByRole("dialog", { name: "Delete this chat?" });
  await dialog.getByRole("button", { name: "Delete chat" }).click();
  await dialog.getByRole("button", { name: "Deleting…" }).waitFor();
  // It does not cancel any more.
  await dialog.getByRole("button", { name: "Close", exact: true }).last().click();
  await openChat(page, "Pears");
  letGo();
  await page.getByRole("link", { name: "Apples" }).waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/t/pears");
  await log(page).getByText("About pears.").waitFor();
});

it("a deletion that failed once its dialog was closed is told", async ({ desktop, script, tally }) => {
  await twoChats(tally, await script(TWO));
  const page = await desktop("/", { allow: [/Failed to load resource/, /ERR_/] });
  await openChat(page, "Apples");
  const fail = await holdNext(page, "**/threads/apples", { method: "DELETE", end: "abort" });
  await choose(page, "Delete chat");
  const dialog = page.getByRole("dialog", { name: "Delete this chat?" });
  await dialog.getByRole("button", { name: "Delete chat" }).click();
  await dialog.getByRole("button", { name: "Deleting…" }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  fail();
  await page.getByRole("alert").getByText("The chat may not have been deleted.").waitFor();
});

it("a branch that is made once another chat is shown waits in the list", async ({ desktop, script, tally }) => {
  await twoChats(tally, await script(TWO));
  const page = await desktop("/");
  await openChat(page, "Apples");
  const letGo = await holdNext(page, "**/threads/apples/fork");
  const isAsked = page.waitForRequest("**/threads/apples/fork");
  await page.getByRole("button", { name: "Branch from here" }).click();
  await isAsked;
  await openChat(page, "Pears");
  letGo();
  await page.locator(".toast").getByText("The branch is in your list of chats.").waitFor();
  expect(new URL(page.url()).pathname).toBe("/t/pears");
});

it("a message that was refused behind the list of chats is said there", async ({ phone, script, tally }) => {
  const model = await script([...TWO, say("About plums.")]);
  await twoChats(tally, model);
  const page = await phone("/t/apples", { allow: [/429/] });
  await log(page).getByText("About apples.").waitFor();
  const refused = Promise.withResolvers<void>();
  const refusal = { status: 429, json: { error: "Too many requests. Try again later." } };
  await page.route("**/api/agent/turn", (route) => refused.promise.then(() => route.fulfill(refusal)), { times: 1 });
  const isHeld = page.waitForRequest("**/api/agent/turn");
  await sendMessage(page, model.prompt("Plums"));
  await isHeld;
  await page.getByRole("button", { name: "Chats" }).tap();
  await page.getByRole("navigation", { name: "Chats" }).waitFor();
  refused.resolve();
  await page.getByRole("alert").getByText("Your message to the agent was not sent.").waitFor();
  await page.getByRole("link", { name: /Pears/ }).tap();
  await log(page).getByText("About pears.").waitFor();
  expect(await composer(page).inputValue()).toBe("");
});
