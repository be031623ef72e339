/** The person's threads, and the agent beside and over another screen. */
import { expect } from "vitest";
import { allowOnce, readAndAllow } from "../../support/browser/answer-card.ts";
import { answerInstead } from "../../support/browser/answer-instead.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { hideTab, showTab } from "../../support/browser/page-life.ts";
import { it } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { callTool, say } from "../../support/model-script.ts";
import { holdMidStream } from "../../support/model-troubles.ts";
import { composer, log, question, runEnd, sendMessage } from "./agent-page.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

const THREADS = /\/_framework\/threads(\?|$)/;

/** A time zone in which no midnight can come between a turn and the list that says when it was. */
const whereItIsNoon = () => {
  const hoursWest = new Date().getUTCHours() - 12;
  // The names of these zones have the sign of POSIX: west is positive.
  return `Etc/GMT${hoursWest < 0 ? "" : "+"}${hoursWest}`;
};

it("threads are listed newest first by day, opened, renamed and deleted", async ({ desktop, script, tally }) => {
  const model = await script([say("About the first."), say("About the second.")]);
  await tally.eventsUntil(await tally.startTurn("one/of two", model.prompt("First topic")), "run_end");
  await tally.eventsUntil(await tally.startTurn("two of two", model.prompt("Second topic")), "run_end");
  const page = await desktop("/", { colorScheme: "dark", timezoneId: whereItIsNoon() });
  const list = page.getByRole("navigation", { name: "Chats" });
  await list.getByRole("link", { name: /First topic/ }).click();
  await page.waitForURL("**/t/one%2Fof%20two");
  await log(page).getByText("About the first.").waitFor();
  await expectNoAxeViolations(page);
  const today = list.getByRole("region", { name: "Today" });
  expect(await today.getByRole("link").count()).toBe(2);
  await today.getByRole("button", { name: /^Options for First topic/ }).click();
  await page.getByRole("button", { name: "Rename" }).click();
  const title = page.getByRole("dialog").getByRole("heading", { name: "Rename chat" });
  expect(await title.evaluate((heading) => getComputedStyle(heading).fontSize)).toBe("17px");
  await page.getByRole("textbox", { name: "Name" }).fill(" ");
  await page.keyboard.press("Enter");
  await page.locator(".vh[aria-live]").getByText("Enter a name of 1 to 200").waitFor({ state: "attached" });
  await page.getByRole("textbox", { name: "Name" }).fill("Dividends");
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  await page.keyboard.press("Enter");
  await list.getByRole("link", { name: /Dividends/ }).waitFor();
  await page.getByRole("heading", { name: "Dividends" }).first().waitFor();
  await page.getByRole("button", { name: "Chat menu" }).click();
  await page.getByRole("button", { name: "Delete chat" }).click();
  await page.getByRole("dialog").getByText("Your stocks stay.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Delete chat" }).click();
  await page.waitForURL(/\/$/);
  await list.getByRole("link", { name: /Dividends/ }).waitFor({ state: "detached" });
  expect((await tally.listThreads()).map(({ threadId }) => threadId)).toEqual(["two of two"]);
});

it("the question before a chat goes can be read by anybody, and taken back", async ({ phone, script, tally }) => {
  const model = await script([say("About it.")]);
  await tally.eventsUntil(await tally.startTurn("kept", model.prompt("One topic")), "run_end");
  const page = await phone("/t/kept");
  await log(page).getByText("About it.").waitFor();
  await page.getByRole("button", { name: "Chat menu" }).tap();
  await page.getByRole("button", { name: "Delete chat" }).tap();
  const dialog = page.getByRole("dialog", { name: "Delete this chat?" });
  await dialog.waitFor();
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Cancel" }).tap();
  await dialog.waitFor({ state: "detached" });
  expect((await tally.listThreads()).map(({ threadId }) => threadId)).toEqual(["kept"]);
});

it("on a phone the list stands behind a button", async ({ phone, script, tally }) => {
  const model = await script([say("From before.")]);
  await tally.eventsUntil(await tally.startTurn("before", model.prompt("An old one")), "run_end");
  const page = await phone("/");
  await composer(page).waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Chats" }).click();
  await page.getByRole("link", { name: /An old one/ }).waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole("link", { name: /An old one/ }).click();
  await log(page).getByText("From before.").waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

it("a chat that does not exist, or cannot be loaded, does not look like a new one", async ({
  phone,
  script,
  tally,
}) => {
  const model = await script([say("About it.")]);
  await tally.eventsUntil(await tally.startTurn("kept", model.prompt("One topic")), "run_end");
  const page = await phone("/t/never-was", { allow: [/Failed to load resource/] });
  await log(page).getByText("This chat does not exist any more.").waitFor();
  expect(await page.getByText("What would you like to know?").count()).toBe(0);
  await page.getByRole("button", { name: "New chat", exact: true }).waitFor();
  expect(await page.getByRole("heading", { name: "New chat" }).count()).toBe(0);
  await expectNoAxeViolations(page);
  const letRunsLoad = await answerInstead(page, "**/threads/kept/runs*", (route) =>
    route.fulfill({ status: 400, json: { error: "No." } }),
  );
  await page.route(THREADS, (route) => route.fulfill({ json: { threads: [], nextCursor: null } }));
  await page.goto(page.url().replace("never-was", "kept"));
  await log(page).getByText("This chat could not be loaded.").waitFor();
  await page.getByRole("heading", { name: "Chat", exact: true }).last().waitFor();
  expect(await page.getByRole("heading", { name: "New chat" }).count()).toBe(0);
  letRunsLoad();
  await log(page).getByRole("button", { name: "Try again" }).tap();
  await log(page).getByText("About it.").waitFor();
});

it("where a chat is gone a new one can be started, which the panel remembers instead", async ({ desktop }) => {
  const page = await desktop("/t/never-was", { allow: [/Failed to load resource/] });
  await log(page).getByText("This chat does not exist any more.").waitFor();
  await page.goto("/stocks");
  await log(page).getByText("This chat does not exist any more.").waitFor();
  await expectNoAxeViolations(page);
  await log(page).getByRole("button", { name: "Start a new chat" }).click();
  await page.getByText("What would you like to know?").waitFor();
  await waitForFocus(page.getByRole("complementary", { name: "Agent" }));
  await page.reload();
  await page.getByText("What would you like to know?").waitFor();
});

it.for([
  ["with its words in an empty chat", "", "Half a message"],
  ["with its words behind those of the new one", "A question", "A question\nHalf a message"],
] as const)(
  "what was being written where a chat is gone is there in a new one: %s",
  async ([, before, after], { desktop }) => {
    const page = await desktop("/", { allow: [/Failed to load resource/] });
    await composer(page).fill(before);
    await page.goto("/t/never-was");
    await log(page).getByText("This chat does not exist any more.").waitFor();
    await composer(page).fill("Half a message");
    await log(page).getByRole("button", { name: "Start a new chat" }).click();
    await page.waitForURL(/\/$/);
    await page.getByText("What would you like to know?").waitFor();
    await expect.poll(() => composer(page).inputValue()).toBe(after);
  },
);

it("what is written in a row's dialog stays when its chat moves to another day", async ({ desktop, script, tally }) => {
  const model = await script([say("About it.")]);
  await tally.eventsUntil(await tally.startTurn("moved", model.prompt("One topic")), "run_end");
  const page = await desktop("/icon.svg", { timezoneId: whereItIsNoon() });
  const updatedAt = new Date(Date.now() - DAY_MS).toISOString();
  const letTodayCome = await answerInstead(page, THREADS, async (route) => {
    const response = await route.fetch();
    const { threads, ...rest } = await response.json();
    await route.fulfill({ response, json: { ...rest, threads: [{ ...threads[0], updatedAt }] } });
  });
  await page.goto("/");
  const list = page.getByRole("navigation", { name: "Chats" });
  await list
    .getByRole("region", { name: "Yesterday" })
    .getByRole("button", { name: /^Options for One topic/ })
    .click();
  await page.getByRole("button", { name: "Rename" }).click();
  const name = page.getByRole("textbox", { name: "Name" });
  await name.fill("Dividends");
  letTodayCome();
  // From its second on, the page reads the list again for somebody who comes back.
  const today = page.locator(".threads section[aria-label=Today]");
  await expect.poll(async () => [await hideTab(page), await showTab(page), await today.count()].at(-1)).toBe(1);
  expect(await name.inputValue()).toBe("Dividends");
  await page.keyboard.press("Enter");
  await list.getByRole("link", { name: /Dividends/ }).waitFor();
});

it.for(["phone", "desktop"] as const)(
  "what comes into its bar moves nothing that was there: %s",
  async (screen, { phone, desktop, script, tally }) => {
    const model = await script([say("About it.")]);
    await tally.eventsUntil(await tally.startTurn("known", model.prompt("One topic")), "run_end");
    const page = await (screen === "phone" ? phone : desktop)("/t/known");
    const listed = Promise.withResolvers<void>();
    await page.route(THREADS, async (route) => {
      await listed.promise;
      await route.continue();
    });
    await page.reload();
    const newChat = page.locator(".thread-bar").getByRole("button", { name: "New chat" });
    await newChat.waitFor();
    const before = await newChat.boundingBox();
    listed.resolve();
    await page.getByRole("button", { name: "Chat menu" }).waitFor();
    expect(await newChat.boundingBox()).toEqual(before);
  },
);

it("a long name of a chat ends in an ellipsis in the panel", async ({ desktop, script, tally }) => {
  const model = await script([say("About it.")]);
  await tally.eventsUntil(await tally.startTurn("long", model.prompt("Compare ".repeat(20))), "run_end");
  const page = await desktop("/t/long");
  await log(page).getByText("About it.").waitFor();
  await page.getByRole("link", { name: "Stocks" }).first().click();
  const name = page.getByRole("complementary", { name: "Agent" }).locator("h2 .thread-title");
  await name.getByText("Compare").waitFor();
  // A flex container cuts its text without an ellipsis.
  const looks = await name.evaluate((element) => {
    const { display, textOverflow } = getComputedStyle(element);
    return { display, textOverflow, isCut: element.scrollWidth > element.clientWidth };
  });
  expect(looks).toEqual({ display: "block", textOverflow: "ellipsis", isCut: true });
});

it("the agent is a sheet over the stocks of a phone, and its link closes it", async ({ phone, script }) => {
  const model = await script([callTool("add-stock", { symbol: "SAP" }), say("Added SAP.")]);
  const page = await phone("/stocks", { colorScheme: "dark" });
  await page.getByRole("button", { name: /^Agent/ }).click();
  await sendMessage(page, model.prompt("Add SAP."));
  await question(page, "Add SAP").waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Close" }).click();
  const launcher = page.getByRole("button", { name: /^Agent/ });
  await launcher.getByText("waiting for you").waitFor();
  await waitForFocus(launcher);
  await launcher.click();
  await allowOnce(question(page, "Add SAP"));
  await runEnd(page).waitFor();
  await page.getByRole("link", { name: "Open SAP" }).click();
  await page.waitForURL(/\/stocks\?dialog=detail&id=/);
  await log(page).waitFor({ state: "detached" });
});

it("the panel beside a screen goes on with the thread of the chat, and closes", async ({ desktop, script }) => {
  const model = await script([say("In the chat."), say("In the panel.")]);
  const page = await desktop("/", { colorScheme: "light" });
  await sendMessage(page, model.prompt("Begin."));
  await runEnd(page).waitFor();
  await page.getByRole("link", { name: "Stocks" }).first().click();
  const panel = page.getByRole("complementary", { name: "Agent" });
  await panel.getByText("In the chat.").waitFor();
  await sendMessage(page, "Go on.");
  await panel.getByText("In the panel.").waitFor();
  await runEnd(page, 1).waitFor();
  await expectNoAxeViolations(page);
  await panel.getByRole("button", { name: "New chat" }).click();
  await panel.getByText("What would you like to know?").waitFor();
  await panel.getByRole("button", { name: "What can you do here?" }).waitFor();
  await panel.getByRole("button", { name: "Close the agent" }).click();
  const launcher = page.getByRole("button", { name: /^Agent/ });
  await waitForFocus(launcher);
});

it("the list of chats says which one works and which one asks", async ({ desktop, script }) => {
  const model = await script([callTool("add-stock", { symbol: "SAP" }), holdMidStream("Added", " SAP.")]);
  const page = await desktop("/");
  const chat = page.getByRole("navigation", { name: "Chats" }).getByRole("link", { name: /Add SAP/ });
  await sendMessage(page, model.prompt("Add SAP."));
  await chat.getByText("Needs you").waitFor();
  await allowOnce(question(page, "Add SAP"));
  await chat.getByText("Working").waitFor();
  await model.release();
  await runEnd(page).waitFor();
  await chat.getByText("Working").waitFor({ state: "detached" });
});

it("under a zoom of 400 % everything can be reached without scrolling sideways", async ({ phone, script }) => {
  const model = await script([callTool("add-stock", { symbol: "LOW" }), say("Added LOW.")]);
  const page = await phone("/");
  await page.setViewportSize({ width: 320, height: 256 });
  await sendMessage(page, model.prompt("Add LOW."));
  await readAndAllow(page);
  await runEnd(page).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await composer(page).scrollIntoViewIfNeeded();
  await page.getByRole("button", { name: "Chat menu" }).click();
  await page.getByRole("button", { name: "Permissions" }).click();
  await page.getByRole("dialog", { name: "Permissions" }).getByText("None yet.").waitFor();
});
