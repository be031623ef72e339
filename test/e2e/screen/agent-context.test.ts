/** What a chat shows besides messages: what the model was told, summaries and fresh starts, budgets, and asking for a summary. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { readyButton } from "../../support/browser/answer-card.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { smallTargets } from "../../support/browser/small-targets.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { message, say, thought } from "../../support/model-script.ts";
import { beforeMessage, changeEvents } from "./added-events.ts";
import { composer, log, question, runEnd } from "./agent-page.ts";

const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

const SUMMARY = [
  "# What was asked",
  "Keep the list in order. <img src=http://evil.test/x onerror=alert(1)>",
  `| Symbol | Note |\n|---|---|\n| AAPL | ${"W".repeat(120)} |`,
].join("\n\n");

const COMPACTED = {
  ...{ type: "context_compacted", trigger: "auto", tokensBefore: 152_400, tokensAfter: 4_100 },
  ...{ summary: SUMMARY, usage },
};

const ASKED = {
  ...{ type: "permission_request", requestId: "aebe7875-0000-4000-8000-000000000000", toolCallId: "budget-1" },
  ...{ tool: "budget", kind: "execute", title: "Go on past the budget" },
  subject: { type: "budget", limitUsd: "0.5", spentUsd: "0.4837" },
  options: [
    { decision: "allow_once", label: "Spend another $0.50" },
    { decision: "reject", label: "Stop here" },
  ],
  expiresAt: "2026-01-02T00:00:00.000Z",
};

/** The chat's menu, as far as the question whether to summarize. */
const askForSummary = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "Chat menu" }).click();
  await page.getByRole("button", { name: "Summarize earlier messages" }).click();
};

const dialog = (page: Page) => page.getByRole("dialog", { name: "Summarize earlier messages?" });

it("a chat says what the model was told, and a summary unfolds by key", async ({ phone, script, tally }) => {
  const model = await script([say("Nothing is below its target.")]);
  await tally.eventsUntil(await tally.startTurn("told", model.prompt("What now?")), "run_end");
  const page = await phone("/", { colorScheme: "dark" });
  await changeEvents(page, (events) =>
    beforeMessage(events, [
      { type: "context_added", source: "instructions", path: "docs/AGENTS.md" },
      { type: "context_added", source: "workspace" },
      COMPACTED,
      { type: "context_reset", reason: "Another model answers from here on." },
    ]),
  );
  await page.goto("/t/told");
  await log(page).getByText("Read docs/AGENTS.md for this chat's instructions").waitFor();
  await log(page).getByText("Now works in another directory").waitFor();
  await log(page).getByText("Started fresh: Another model answers from here on. You still see").waitFor();
  const line = log(page).locator("summary");
  expect(await line.textContent()).toBe("Earlier messages were summarized152K →  became 4.1K tokens");
  expect(await log(page).getByText("Keep the list in order.").count()).toBe(0);
  await line.press("Enter");
  await log(page).getByRole("heading", { name: "What was asked" }).waitFor();
  expect(await log(page).locator("img").count()).toBe(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  expect(await log(page).evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  await expectNoAxeViolations(page);
  await expect.poll(() => smallTargets(page)).toEqual([]);
  await line.press("Enter");
  await log(page).getByText("Keep the list in order.").waitFor({ state: "detached" });
  await waitForFocus(line);
});

it("a run at its budget says what it has spent and asks for its own two answers", async ({
  desktop,
  script,
  tally,
}) => {
  const model = await script([say("So far so good.")]);
  await tally.eventsUntil(await tally.startTurn("dear", model.prompt("All files.")), "run_end");
  const page = await desktop("/", { allow: [/404/] });
  await changeEvents(page, (events) => [...events.filter(({ type }) => type !== "run_end"), ASKED]);
  await page.goto("/t/dear");
  const card = question(page, "Go on past the budget");
  await card.getByText("This answer has cost $0.48 of $0.50 so far.").waitFor();
  await card.getByText(/^Waiting for you\. Stops .*\.$/).waitFor();
  expect(await card.getByRole("button").allInnerTexts()).toEqual(["Spend another $0.50", "Stop here"]);
  await expectNoAxeViolations(page);
  const answer = page.waitForRequest("**/permissions/*");
  await (await readyButton(card, "Stop here")).press("Enter");
  expect((await answer).postDataJSON()).toEqual({ decision: "reject" });
});

it("a run that was stopped at its budget says who stopped it, and how to go on", async ({ phone, script, tally }) => {
  const model = await script([say("So far so good.")]);
  await tally.eventsUntil(await tally.startTurn("spent", model.prompt("All files.")), "run_end");
  const page = await phone("/");
  const { requestId, toolCallId } = ASKED;
  const reply = { type: "permission_reply", requestId, toolCallId, decision: "reject", by: "user" };
  await changeEvents(page, (events) =>
    events.flatMap((event) =>
      event.type === "run_end" ? [ASKED, reply, { ...event, status: "incomplete", stopReason: "budget" }] : [event],
    ),
  );
  await page.goto("/t/spent");
  await log(page).getByText("At $0.48 of $0.50, you stopped it.").waitFor();
  await log(page).getByText("Send “Go on” to continue.", { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Stop here" }).count()).toBe(0);
});

it("a run that ends without a word says so, and how to go on", async ({ phone, script, tally }) => {
  const model = await script([message([thought("The whole answer, thought and not said.")])]);
  await tally.eventsUntil(await tally.startTurn("mute", model.prompt("What is it?")), "run_end");
  const page = await phone("/t/mute");
  await log(page).getByText("The agent ended without an answer. Send “Go on” to continue.", { exact: true }).waitFor();
});

it("a summary is asked for in the chat's menu, which says what came of it", async ({ phone, script, tally }) => {
  const model = await script([say("Hello.")]);
  await tally.eventsUntil(await tally.startTurn("long", model.prompt("Hello.")), "run_end");
  const page = await phone("/t/long", { allow: [/409|503/] });
  const answers = [
    { status: 409, json: { error: "The thread is busy." } },
    { status: 503, json: { error: "The agent is unavailable. Try again." } },
    { json: { ok: true, tokensBefore: 152_400, tokensAfter: 4_100 } },
    { json: { ok: true, tokensBefore: 310, tokensAfter: 310 } },
  ];
  await page.route("**/_framework/threads/long/compact", (route) => route.fulfill(answers.shift()));
  await runEnd(page).waitFor();
  await askForSummary(page);
  await dialog(page).getByText("What you see of the chat stays as it is.").waitFor();
  await expectNoAxeViolations(page);
  const summarize = dialog(page).getByRole("button", { name: "Summarize", exact: true });
  await summarize.tap();
  await dialog(page)
    .getByText("The agent is working in this chat or summarizing it. Try again when it is done.")
    .waitFor();
  await summarize.tap();
  await dialog(page).getByText("The agent is unavailable. Try again.").waitFor();
  await summarize.tap();
  await page.locator(".toast").getByText("Earlier messages were summarized: 152K → 4.1K tokens.").waitFor();
  await dialog(page).waitFor({ state: "detached" });
  await waitForFocus(page.getByRole("button", { name: "Chat menu" }));
  await askForSummary(page);
  await summarize.tap();
  await page.locator(".toast").getByText("There is nothing to summarize in this chat yet.").waitFor();
  // Where one writes stays free, however much is written.
  await composer(page).fill("one\ntwo\nthree\nfour\nfive\nsix");
  const box = await page.locator(".composer").boundingBox();
  const toast = await page.locator(".toast").last().boundingBox();
  expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThan(box?.y ?? 0);
});

it("a summary that takes its time goes on behind a dialog that was closed", async ({ desktop, script, tally }) => {
  const model = await script([say("Hello.")]);
  await tally.eventsUntil(await tally.startTurn("slow", model.prompt("Hello.")), "run_end");
  const page = await desktop("/t/slow");
  const { promise: isLetGo, resolve: letGo } = Promise.withResolvers<void>();
  await page.route("**/_framework/threads/slow/compact", async (route) => {
    await isLetGo;
    await route.fulfill({ json: { ok: true, tokensBefore: 9_000, tokensAfter: 900 } });
  });
  await runEnd(page).waitFor();
  await askForSummary(page);
  await dialog(page).getByRole("button", { name: "Summarize", exact: true }).click();
  await dialog(page).getByRole("button", { name: "Summarizing…" }).waitFor();
  await dialog(page).locator("footer").getByRole("button", { name: "Close" }).click();
  await dialog(page).waitFor({ state: "detached" });
  letGo();
  await page.locator(".toast").getByText("Earlier messages were summarized: 9K → 900 tokens.").waitFor();
});
