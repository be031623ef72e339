/** Requests that arrive though their answers are lost: asked for again, they are done once. Turns: `agent-chat.test.ts`, `agent-lead.test.ts`. */
import { expect } from "vitest";
import { z } from "zod";
import { openAccount } from "../../support/browser/account-steps.ts";
import { allowOnce, answerCard, readyButton } from "../../support/browser/answer-card.ts";
import { holdNext, loseAnswer } from "../../support/browser/hold-next.ts";
import { cookieHeader, newPerson, type Person } from "../../support/browser/person.ts";
import { it } from "../../support/browser/screen-test.ts";
import type { Site } from "../../support/browser/site.ts";
import { callTool, say } from "../../support/model-script.ts";
import { holdBefore, spendLimitReached } from "../../support/model-troubles.ts";
import { composer, log, runEnd, sendMessage, untilUnreachable } from "./agent-page.ts";

const LOST = { allow: [/Failed to load resource/, /ERR_/] };

const UNREACHABLE = "The server cannot be reached.";

it("a schedule is added once, and taken back once", async ({ desktop, link, tally }) => {
  const page = await desktop("/", { at: link.url, ...LOST });
  const listed = async () => (await tally.act("list-schedules", {})).schedules.length;
  await page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name: "Schedules" }).click();
  await page.getByLabel("What should the agent do?").fill("Which targets are near?");
  const add = page.getByRole("button", { name: "Add schedule" });
  await loseAnswer(page, "**/actions/create-schedule");
  await add.click();
  await page.getByRole("alert").getByText(UNREACHABLE).waitFor();
  await add.click();
  await page.getByRole("button", { name: "New schedule" }).waitFor();
  expect(await listed()).toBe(1);
  await page.getByRole("button", { name: /^Delete: / }).click();
  const undo = page.getByRole("button", { name: "Undo" });
  await loseAnswer(page, "**/actions/create-schedule");
  await undo.click();
  await page.getByRole("alert").getByText(UNREACHABLE).waitFor();
  await undo.click();
  await undo.waitFor({ state: "detached" });
  expect(await listed()).toBe(1);
});

it("an organization is made once", async ({ desktop, person }) => {
  const page = await desktop("/stocks", LOST);
  await openAccount(page, person.email);
  await page.getByLabel("New organization's name").fill("Harbour");
  const create = page.getByRole("button", { name: "Create" });
  await loseAnswer(page, "**/organization/create");
  await create.click();
  await page.locator(".field .problem").getByText(UNREACHABLE).waitFor();
  await create.click();
  await page.getByLabel("Invite by email").waitFor();
  const choice = page.getByLabel("Organization", { exact: true });
  expect(await choice.locator("option").allInnerTexts()).toEqual(["None, on my own", "Harbour"]);
  expect(await choice.locator("option:checked").allInnerTexts()).toEqual(["Harbour"]);
});

/** Somebody else invites the person to an organization of theirs, Harbour. */
const invite = async (site: Site, { email }: Person): Promise<void> => {
  const headers = { "content-type": "application/json", origin: site.url, ...cookieHeader(await newPerson(site)) };
  const post = async (path: string, body: object) => {
    const init = { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(`${site.url}/_framework/auth/organization/${path}`, init);
    return z.object({ id: z.string() }).parse(await answer.json()).id;
  };
  const organizationId = await post("create", { name: "Harbour", slug: crypto.randomUUID() });
  await post("invite-member", { organizationId, email });
};

it("an invitation that is accepted has led into its organization", async ({ desktop, person, site }) => {
  await invite(site, person);
  const page = await desktop("/stocks", LOST);
  await openAccount(page, person.email);
  await loseAnswer(page, "**/accept-invitation");
  await page.getByRole("button", { name: "Accept" }).click();
  await page.getByRole("button", { name: "Leave Harbour" }).waitFor();
  await page.getByText("You are invited to Harbour").waitFor({ state: "detached" });
  expect(await page.getByRole("alert").count()).toBe(0);
});

it("an invitation that is declined already is as wanted", async ({ desktop, person, site }) => {
  await invite(site, person);
  const page = await desktop("/stocks", LOST);
  await openAccount(page, person.email);
  const decline = page.getByRole("button", { name: "Decline" });
  await decline.waitFor();
  await loseAnswer(page, "**/reject-invitation");
  await loseAnswer(page, "**/organization/list");
  await decline.click();
  await page.getByRole("alert").getByText(UNREACHABLE).waitFor();
  await decline.click();
  await page.getByText("You are invited to Harbour").waitFor({ state: "detached" });
  await page.locator(".vh[aria-live]").getByText("The invitation was declined.").waitFor({ state: "attached" });
  expect(await page.getByRole("alert").count()).toBe(0);
});

it("a chat branches once", async ({ desktop, link, script, tally }) => {
  const model = await script([say("About apples.")]);
  await tally.eventsUntil(await tally.startTurn("first", model.prompt("Apples")), "run_end");
  const page = await desktop("/t/first", { at: link.url, ...LOST });
  await log(page).getByText("About apples.").waitFor();
  await loseAnswer(page, "**/threads/first/fork");
  const branch = page.getByRole("button", { name: "Branch from here" });
  await branch.click();
  await page.locator(".toast").getByText(UNREACHABLE).waitFor();
  await branch.click();
  await page.waitForURL((url) => url.pathname.startsWith("/t/") && url.pathname !== "/t/first");
  expect(await tally.listThreads()).toHaveLength(2);
});

it("a turn that two chats list is branched off in each", async ({ desktop, link, script, tally }) => {
  const model = await script([say("About apples."), say("About pears.")]);
  await tally.eventsUntil(await tally.startTurn("first", model.prompt("Apples")), "run_end");
  await tally.eventsUntil(await tally.startTurn("first", model.prompt("Pears")), "run_end");
  const page = await desktop("/t/first", { at: link.url, ...LOST });
  const branch = page.getByRole("button", { name: "Branch from here" });
  await log(page).getByText("About pears.").waitFor();
  await branch.nth(1).click();
  await page.waitForURL((url) => url.pathname.startsWith("/t/") && url.pathname !== "/t/first");
  const other = new URL(page.url()).pathname;
  await page.goBack();
  await log(page).getByText("About pears.").waitFor();
  await loseAnswer(page, "**/threads/first/fork");
  await branch.first().click();
  await page.locator(".toast").getByText(UNREACHABLE).waitFor();
  await page.goForward();
  await log(page).getByText("About pears.").waitFor({ state: "detached" });
  await branch.click();
  await page.waitForURL((url) => ![other, "/t/first"].includes(url.pathname));
});

it("a failed turn that two chats list is tried again in each", async ({ desktop, link, script, tally }) => {
  const model = await script([spendLimitReached(), say("About pears."), say("In one."), say("In the other.")]);
  await tally.eventsUntil(await tally.startTurn("first", model.prompt("Apples")), "run_end");
  await tally.eventsUntil(await tally.startTurn("first", model.prompt("Pears")), "run_end");
  const page = await desktop("/t/first", { at: link.url, ...LOST });
  const retry = page.getByRole("button", { name: "Try again" });
  const branchOff = async () => {
    await log(page).getByText("About pears.").waitFor();
    await page.getByRole("button", { name: "Branch from here" }).last().click();
    await page.waitForURL((url) => url.pathname.startsWith("/t/") && url.pathname !== "/t/first");
    await retry.waitFor();
  };
  await branchOff();
  await loseAnswer(page, "**/api/agent/turn");
  await retry.click();
  await page.getByRole("alert").getByText(UNREACHABLE).waitFor();
  await model.reaches(3, "answered");
  await page.goBack();
  await branchOff();
  await retry.click();
  await runEnd(page, 1).waitFor();
  await log(page).getByText("In the other.").waitFor();
  expect(await model.requests()).toHaveLength(4);
});

it("what a turn did long ago leads nowhere, when a failed one is tried again because the answer to that was lost", async ({
  desktop,
  script,
}) => {
  const elsewhere = callTool("navigate", { view: "stocks", q: "elsewhere" });
  const model = await script([spendLimitReached(), elsewhere, holdBefore(say("Done."))]);
  const page = await desktop("/stocks", LOST);
  await page.clock.install();
  await sendMessage(page, model.prompt("Go."));
  const retry = page.getByRole("button", { name: "Try again" });
  await retry.waitFor();
  await loseAnswer(page, "**/api/agent/turn");
  await retry.click();
  await page.getByRole("alert").getByText(UNREACHABLE).waitFor();
  await model.reaches(3, "held");
  await page.clock.fastForward(60_000);
  await retry.click();
  await log(page).getByText("navigate").waitFor();
  await model.release();
  await runEnd(page, 1).waitFor();
  expect(new URL(page.url()).search).toBe("");
});

it("a stock is deleted, and the list says so", async ({ desktop, link, tally }) => {
  await tally.seedStocks([{ symbol: "GONE" }]);
  const page = await desktop("/stocks", { at: link.url, ...LOST });
  await loseAnswer(page, "**/actions/delete-stock");
  await page.getByRole("link", { name: "GONE" }).focus();
  await page.keyboard.press("Delete");
  await page.getByRole("alert").getByText("GONE may not have been deleted.").waitFor();
  await page.getByRole("heading", { name: "Start your list" }).waitFor();
});

it("a chat that is deleted already is as wanted", async ({ desktop, link, script, tally }) => {
  const model = await script([say("About apples.")]);
  await tally.eventsUntil(await tally.startTurn("first", model.prompt("Apples")), "run_end");
  const page = await desktop("/t/first", { at: link.url, ...LOST });
  await log(page).getByText("About apples.").waitFor();
  await page.getByRole("button", { name: "Chat menu" }).click();
  await page.getByRole("button", { name: "Delete chat" }).click();
  const dialog = page.getByRole("dialog", { name: "Delete this chat?" });
  await loseAnswer(page, "**/threads/first");
  await dialog.getByRole("button", { name: "Delete chat" }).click();
  await dialog.getByText(UNREACHABLE).waitFor();
  await dialog.getByRole("button", { name: "Delete chat" }).click();
  await dialog.waitFor({ state: "detached" });
  await page
    .getByRole("navigation", { name: "Chats" })
    .getByRole("link", { name: /Apples/ })
    .waitFor({ state: "detached" });
  await page.waitForURL(/\/$/);
});

it("a permission that is revoked already is as wanted", async ({ desktop, link, script }) => {
  const model = await script([callTool("add-stock", { symbol: "AMD" }), say("Added.")]);
  const page = await desktop("/", { at: link.url, ...LOST });
  await sendMessage(page, model.prompt("Add AMD."));
  await (await readyButton(page, "Always…")).click();
  await answerCard(page, "Always allow adding stocks in this chat");
  await runEnd(page).waitFor();
  await page.getByRole("button", { name: "Chat menu" }).click();
  await page.getByRole("button", { name: "Permissions" }).click();
  const dialog = page.getByRole("dialog", { name: "Permissions" });
  const revoke = dialog.getByRole("button", { name: /^Revoke: / });
  await loseAnswer(page, "**/rules/*");
  await revoke.click();
  await dialog.getByText(UNREACHABLE).waitFor();
  await revoke.click();
  await dialog.getByText("None yet.").waitFor();
  expect(await dialog.getByRole("alert").count()).toBe(0);
});

it("a chat that its first message began all the same is opened from the list, with the card that waits in it", async ({
  desktop,
  link,
  script,
}) => {
  const model = await script([callTool("add-stock", { symbol: "SAP" }), say("Added.")]);
  const page = await desktop("/", { at: link.url, ...LOST });
  await loseAnswer(page, "**/api/agent/turn");
  const failed = untilUnreachable(page);
  await sendMessage(page, model.prompt("Add SAP."));
  await failed;
  await page.reload();
  await page
    .getByRole("navigation", { name: "Chats" })
    .getByRole("link", { name: /Add SAP/ })
    .click();
  await allowOnce(page);
  await log(page).getByText("Added.").waitFor();
});

it("why a message was refused is not taken for what the server's return ends", async ({ desktop, link, script }) => {
  const model = await script([say("Seen.")]);
  const page = await desktop("/", { at: link.url, ...LOST });
  const askedFor = page.waitForRequest("**/icon.svg");
  const comes = await holdNext(page, "**/icon.svg", { method: "HEAD" });
  await loseAnswer(page, "**/api/agent/turn");
  const failed = untilUnreachable(page);
  await composer(page).fill(model.prompt("Only the large ones."));
  await composer(page).press("Enter");
  await failed;
  await askedFor;
  const refusal = { status: 403, json: { error: "Blocked by the proxy." } };
  await page.route("**/api/agent/turn", (route) => route.fulfill(refusal), { times: 1 });
  await composer(page).press("Enter");
  const refused = page.getByRole("alert").getByText("Blocked by the proxy.");
  await refused.waitFor();
  const isBack = page.waitForResponse("**/icon.svg");
  comes();
  await isBack;
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  expect(await refused.isVisible()).toBe(true);
});
