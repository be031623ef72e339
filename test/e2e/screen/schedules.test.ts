/** Schedules on the screen: listed, added and deleted by the same actions as the agent's, and asked for by the agent on a card. */
import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { DAY_MS, dayOf } from "../../../src/contract/day.ts";
import { allowOnce } from "../../support/browser/answer-card.ts";
import { answerInstead } from "../../support/browser/answer-instead.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { holdNext } from "../../support/browser/hold-next.ts";
import { it } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { callTool, say } from "../../support/model-script.ts";
import { log, question, runEnd, sendMessage } from "./agent-page.ts";

/** The texts that a field is described by, as a reader hears them after its name. */
const descriptionOf = (field: Locator): Promise<string> =>
  field.evaluate((control) =>
    (control.getAttribute("aria-describedby") ?? "")
      .split(" ")
      .map((id) => document.getElementById(id)?.textContent ?? "")
      .join(" "),
  );

/** Shows all schedules as paused until the result is called: nobody leaves five requests of theirs unanswered here. */
const showPaused = (page: Page): Promise<() => void> =>
  answerInstead(page, "**/list-schedules*", async (route) => {
    const { schedules }: { schedules: object[] } = await (await route.fetch()).json();
    await route.fulfill({ json: { schedules: schedules.map((one) => ({ ...one, state: "paused", nextAt: null })) } });
  });

it("a schedule is added by simple choices, is there after a reload, and is deleted and taken back", async ({
  phone,
  tally,
}) => {
  const page = await phone("/");
  await page.getByRole("button", { name: /^Account/ }).tap();
  await page.getByRole("button", { name: "Schedules" }).tap();
  await page.getByLabel("What should the agent do?").fill("Which targets are near?");
  await page.getByLabel("When").selectOption("Every weekday");
  await page.getByLabel("Time", { exact: true }).fill("07:30");
  await page.getByLabel("Time zone").selectOption("Europe/Berlin");
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  await page.getByRole("button", { name: "Add schedule" }).tap();
  await page.getByText("Every weekday at 07:30").waitFor();
  expect((await tally.act("list-schedules", {})).schedules).toMatchObject([
    { prompt: "Which targets are near?", cron: "30 7 * * 1-5", timeZone: "Europe/Berlin", state: "active" },
  ]);
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  await page.getByRole("button", { name: /^Delete: Every weekday at 07:30/ }).tap();
  await page.getByText("Schedule deleted.").first().waitFor();
  expect((await tally.act("list-schedules", {})).schedules).toEqual([]);
  await page.getByRole("button", { name: "Undo" }).tap();
  await page.getByText("Every weekday at 07:30").waitFor();
  expect((await tally.act("list-schedules", {})).schedules).toHaveLength(1);
});

it("what is missing is said beside its field, and what the server refuses in its words", async ({ desktop, tally }) => {
  const page = await desktop("/", { colorScheme: "dark", allow: [/status of 400/] });
  await page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name: "Schedules" }).click();
  await page.getByLabel("When").selectOption("Once");
  await page.getByRole("button", { name: "Add schedule" }).click();
  await page.getByText("Write what the agent should do.").waitFor();
  expect(await descriptionOf(page.getByLabel("Date"))).toBe("Choose a date.");
  await page.getByLabel("What should the agent do?").fill("Look.");
  await page.getByLabel("Time", { exact: true }).fill("");
  await page.getByLabel("Date").fill("2020-01-01");
  await page.getByRole("button", { name: "Add schedule" }).click();
  expect(await descriptionOf(page.getByLabel("Time", { exact: true }))).toBe("Choose a time.");
  await page.getByLabel("Time", { exact: true }).fill("08:00");
  await page.getByRole("button", { name: "Add schedule" }).click();
  await page.getByText("Use a time in the future.").waitFor();
  expect(await descriptionOf(page.getByLabel("Date"))).toBe("Use a time in the future.");
  await page.getByLabel("When").selectOption("Cron expression");
  const cron = page.getByLabel("Cron expression");
  await cron.fill("0 8 99 * *");
  await page.getByRole("button", { name: "Add schedule" }).click();
  await page.getByText("Use 1 to 31 for the day of the month.").waitFor();
  expect(await descriptionOf(cron)).toMatch(/^Use 1 to 31 for the day of the month\. Minute, hour/);
  await waitForFocus(cron);
  await cron.fill("0 8 1 * *");
  await page.getByRole("button", { name: "Add schedule" }).click();
  await page.getByText("On day 1 of every month at 08:00").waitFor();
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  expect((await tally.act("list-schedules", {})).schedules).toMatchObject([{ prompt: "Look.", cron: "0 8 1 * *" }]);
});

it("what is typed for a new schedule stays when the list turns out to have one", async ({ desktop, tally }) => {
  const page = await desktop("/");
  const open = page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name: "Schedules" });
  const prompt = page.getByLabel("What should the agent do?");
  await open.click();
  await prompt.waitFor();
  await page.keyboard.press("Escape");
  const letGo = await holdNext(page, "**/list-schedules*", { method: "GET" });
  await tally.act("create-schedule", { prompt: "Look.", cron: "30 19 * * *", timeZone: "Asia/Tokyo" });
  await open.click();
  await prompt.fill("Which targets are nea");
  letGo();
  await page.getByText("Every day at 19:30, Asia/Tokyo").waitFor();
  await page.keyboard.type("r?");
  expect(await prompt.inputValue()).toBe("Which targets are near?");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "New schedule" }).waitFor();
  expect(await prompt.count()).toBe(0);
});

it("one whose time has passed cannot be taken back, and that is said in words", async ({ desktop, tally }) => {
  const day = dayOf(Date.now() + 2 * DAY_MS);
  await tally.act("create-schedule", { prompt: "Look.", once: `${day}T08:00`, timeZone: "UTC" });
  const page = await desktop("/", { allow: [/status of 400/] });
  await page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name: "Schedules" }).click();
  await page.getByRole("button", { name: /^Delete: / }).click();
  // Nobody waits for two days here.
  await page.route("**/create-schedule", (route) =>
    route.fulfill({ status: 400, json: { error: "once: use a time in the future" } }),
  );
  await page.getByRole("button", { name: "Undo" }).click();
  expect(await page.getByRole("alert").innerText()).toBe("Use a time in the future.");
});

it("one that is paused is started again, and not offered where its only time has passed", async ({
  desktop,
  tally,
}) => {
  const day = dayOf(Date.now() + 2 * DAY_MS);
  await tally.act("create-schedule", { prompt: "Look.", once: `${day}T08:00`, timeZone: "UTC" });
  await tally.act("create-schedule", { prompt: "Look.", cron: "30 19 * * *", timeZone: "Asia/Tokyo" });
  const page = await desktop("/");
  const showAsTheyAre = await showPaused(page);
  await page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name: "Schedules" }).click();
  const paused = page.getByText("Paused", { exact: true });
  await paused.nth(1).waitFor();
  const again = page.getByRole("button", { name: /^Start again: / });
  expect(await again.count()).toBe(1);
  const before = (await tally.act("list-schedules", {})).schedules.map(({ id }) => id);
  showAsTheyAre();
  await again.click();
  await expect.poll(() => paused.count()).toBe(0);
  const after = (await tally.act("list-schedules", {})).schedules;
  expect(after).toMatchObject([{ once: `${day}T08:00` }, { cron: "30 19 * * *", state: "active" }]);
  expect(before).not.toContain(after[1]?.id);
});

it("one that is paused is not brought back running by the Undo of its deletion", async ({ desktop, tally }) => {
  await tally.act("create-schedule", { prompt: "Look.", cron: "30 19 * * *", timeZone: "Asia/Tokyo" });
  const page = await desktop("/");
  await showPaused(page);
  await page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name: "Schedules" }).click();
  await page.getByText("Paused", { exact: true }).waitFor();
  await page.getByRole("button", { name: /^Delete: / }).click();
  await page.getByRole("paragraph").filter({ hasText: "Schedule deleted." }).waitFor();
  expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
});

it("one can be deleted while another one's deletion is on its way", async ({ desktop, tally }) => {
  await tally.act("create-schedule", { prompt: "Look.", cron: "30 19 * * *", timeZone: "Asia/Tokyo" });
  await tally.act("create-schedule", { prompt: "Look again.", cron: "30 7 * * *", timeZone: "Asia/Tokyo" });
  const page = await desktop("/");
  await page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name: "Schedules" }).click();
  const letGo = await holdNext(page, "**/actions/delete-schedule");
  const first = page.getByRole("button", { name: /^Delete: Every day at 19:30/ });
  await first.click();
  await page.getByRole("button", { name: /^Delete: Every day at 07:30/ }).click();
  await expect.poll(async () => (await tally.act("list-schedules", {})).schedules.length).toBe(1);
  letGo();
  await first.waitFor({ state: "detached" });
  expect((await tally.act("list-schedules", {})).schedules).toEqual([]);
});

it("a deletion that fails once the dialog is closed is told", async ({ desktop, tally }) => {
  await tally.act("create-schedule", { prompt: "Look.", cron: "30 19 * * *", timeZone: "Asia/Tokyo" });
  const page = await desktop("/", { allow: [/Failed to load resource/, /ERR_/] });
  await page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name: "Schedules" }).click();
  const fail = await holdNext(page, "**/actions/delete-schedule", { end: "abort" });
  const asked = page.waitForRequest("**/actions/delete-schedule");
  await page.getByRole("button", { name: /^Delete: / }).click();
  await asked;
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  fail();
  const words = "Your schedules may not have been changed. The server cannot be reached.";
  await page.locator(".toast").getByText(words).waitFor();
});

it("the next time is the schedule's own, on the clock of its zone", async ({ desktop, tally }) => {
  const input = { prompt: "Look.", cron: "30 19 * * *", timeZone: "Asia/Tokyo" };
  await tally.act("create-schedule", input);
  const page = await desktop("/");
  await page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name: "Schedules" }).click();
  await page.getByText("Every day at 19:30, Asia/Tokyo").waitFor();
  expect(await page.getByText(/^Next: /).innerText()).toMatch(/^Next: \w{3}, \w{3} \d+, 19:30$/);
});

it("the agent's card says when in words, beside the expression, and what would be sent", async ({
  desktop,
  script,
  tally,
}) => {
  const input = { prompt: "Which targets are near?", cron: "0 8 * * 1", timeZone: "Europe/Berlin" };
  const model = await script([callTool("create-schedule", input), say("Every Monday, then.")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Every Monday at 8."));
  const card = question(page, "Schedule a prompt: every Monday at 08:00");
  await card.waitFor();
  expect((await card.locator("dl").innerText()).split(/\s*\n\s*/)).toEqual([
    ...["Prompt", "Which targets are near?", "When", "every Monday at 08:00 (0 8 * * 1)"],
    ...["Time zone", "Europe/Berlin", "Chat", "a new one for this schedule"],
  ]);
  expect(await card.getByRole("button", { name: /^Always/ }).count()).toBe(0);
  await expectNoAxeViolations(page);
  await allowOnce(page);
  await runEnd(page).waitFor();
  await log(page).getByText("Every Monday, then.").waitFor();
  await page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name: "Schedules" }).click();
  await page.getByText("Every Monday at 08:00").last().waitFor();
  const [schedule] = (await tally.act("list-schedules", {})).schedules;
  expect(schedule).toMatchObject(input);
});

it("what was typed for a new schedule is there again after a press on Escape, until it is cancelled", async ({
  desktop,
  tally,
}) => {
  await tally.act("create-schedule", { prompt: "Look.", cron: "0 8 * * *", timeZone: "UTC" });
  const page = await desktop("/");
  const open = () => page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name: "Schedules" }).click();
  const prompt = page.getByLabel("What should the agent do?");
  const isNew = page.getByRole("button", { name: "New schedule" });
  await open();
  await isNew.click();
  await prompt.fill("Compare my holdings with the index.");
  await page.getByLabel("When").selectOption("Every Sunday");
  await page.keyboard.press("Escape");
  await prompt.waitFor({ state: "detached" });
  await open();
  expect(await prompt.inputValue()).toBe("Compare my holdings with the index.");
  expect(await page.getByLabel("When").inputValue()).toBe("0");
  await page.getByRole("button", { name: "Cancel" }).click();
  await isNew.click();
  expect(await prompt.inputValue()).toBe("");
});

it("one that is deleted while another is taken back keeps its own Undo", async ({ desktop, tally }) => {
  await tally.act("create-schedule", { prompt: "Look.", cron: "30 19 * * *", timeZone: "Asia/Tokyo" });
  await tally.act("create-schedule", { prompt: "Look again.", cron: "30 7 * * *", timeZone: "Asia/Tokyo" });
  const page = await desktop("/");
  await page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name: "Schedules" }).click();
  const evening = page.getByRole("button", { name: /^Delete: Every day at 19:30/ });
  const morning = page.getByRole("button", { name: /^Delete: Every day at 07:30/ });
  const undo = page.getByRole("button", { name: "Undo" });
  // Takes the focus together with what the Undo is for.
  const list = page.locator(".schedules");
  await evening.click();
  await waitForFocus(list);
  const letGo = await holdNext(page, "**/actions/create-schedule");
  const isAsked = page.waitForRequest("**/actions/create-schedule");
  await undo.click();
  await isAsked;
  await morning.click();
  await waitForFocus(list);
  // Under way beside the one that is held.
  await undo.click();
  await morning.waitFor();
  await morning.click();
  await waitForFocus(list);
  letGo();
  await evening.waitFor();
  await undo.click();
  await morning.waitFor();
  expect((await tally.act("list-schedules", {})).schedules).toHaveLength(2);
});

it("one that was added is not there to be added again in a dialog that was opened meanwhile", async ({
  desktop,
  tally,
}) => {
  const page = await desktop("/");
  const open = () => page.getByRole("navigation", { name: "Chats" }).getByRole("button", { name: "Schedules" }).click();
  const prompt = page.getByLabel("What should the agent do?");
  await open();
  await prompt.fill("Which targets are near?");
  const letGo = await holdNext(page, "**/actions/create-schedule");
  const isAsked = page.waitForRequest("**/actions/create-schedule");
  await page.getByRole("button", { name: "Add schedule" }).click();
  await isAsked;
  await page.keyboard.press("Escape");
  await prompt.waitFor({ state: "detached" });
  await open();
  expect(await prompt.inputValue()).toBe("Which targets are near?");
  letGo();
  await page.getByRole("button", { name: /^Delete: / }).waitFor();
  await expect.poll(() => prompt.inputValue()).toBe("");
  expect((await tally.act("list-schedules", {})).schedules).toHaveLength(1);
});
