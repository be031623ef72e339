/** A person leads the agent: says something while it works, takes a message back, goes on from there in a new chat. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { z } from "zod";
import { allowOnce } from "../../support/browser/answer-card.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { loseAnswer } from "../../support/browser/hold-next.ts";
import { it } from "../../support/browser/screen-test.ts";
import { callTool, say } from "../../support/model-script.ts";
import { holdBefore, holdMidStream } from "../../support/model-troubles.ts";
import { composer, log, question, runEnd, sendMessage, untilUnreachable } from "./agent-page.ts";

/** Gives the run that works a message, and waits until it has it. */
const sendNow = async (page: Page, text: string): Promise<void> => {
  await composer(page).fill(text);
  await composer(page).press("Control+Enter");
  await log(page).locator(".steer").filter({ hasText: text }).getByText("Will be delivered after this step").waitFor();
  await expect.poll(() => composer(page).inputValue()).toBe("");
};

it("a message that is sent now is given to the agent at the end of its step, and shown there", async ({
  phone,
  script,
}) => {
  const model = await script([holdBefore(callTool("list-stocks", {})), say("Only the large ones, then.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Look at my stocks"));
  await model.reaches(1, "held");
  await composer(page).fill("Only the large ones");
  await expectNoAxeViolations(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.getByRole("button", { name: "Send now" }).tap();
  await log(page).getByText("Will be delivered after this step").waitFor();
  // The run's events may tell of it before the request is answered.
  await expect.poll(() => composer(page).inputValue()).toBe("");
  await model.release();
  await log(page).getByText("Delivered", { exact: true }).waitFor();
  await log(page).getByText("Only the large ones, then.").waitFor();
  await expectNoAxeViolations(page);
  const texts = await log(page).locator(".me, .say").allInnerTexts();
  expect(texts.map((text) => text.replace(/\s+/g, " ")).slice(1)).toEqual([
    expect.stringContaining("Only the large ones Delivered"),
    "Only the large ones, then.",
  ]);
});

it("while the agent waits for an answer, the composer and what is sent now say so", async ({ phone, script }) => {
  const model = await script([callTool("add-stock", { symbol: "SAP" }), say("Added it, for the long term.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Add SAP"));
  await question(page, "Add SAP").waitFor();
  await page.getByPlaceholder("Answer above, or queue a follow-up…").waitFor();
  await composer(page).fill("For the long term");
  await page.getByRole("button", { name: "Send now" }).tap();
  await log(page).getByText("The agent reads it after your answer above.").waitFor();
  await expectNoAxeViolations(page);
  await allowOnce(page);
  await log(page).getByText("Delivered", { exact: true }).waitFor();
  await runEnd(page).waitFor();
});

it.for(["phone", "desktop"] as const)(
  "what comes and goes beside the composer moves nothing that stays: %s",
  async (screen, { phone, desktop, script }) => {
    const model = await script([holdMidStream("I begin. ", "Done.")]);
    const page = await (screen === "phone" ? phone : desktop)("/");
    const places = async (...names: readonly string[]): Promise<readonly unknown[]> =>
      Promise.all(
        names.map(async (name) => {
          const { x, width } = (await page.getByRole("button", { name, exact: true }).boundingBox()) ?? {};
          return [name, x, width];
        }),
      );
    await composer(page).waitFor();
    const idle = await places("Plan first");
    await sendMessage(page, model.prompt("Begin"));
    await log(page).getByText("I begin.").waitFor();
    const working = await places("Stop", "Plan first", "Queue");
    expect(working.slice(1, 2)).toEqual(idle);
    await composer(page).fill("And then?");
    await page.getByRole("button", { name: "Send now" }).waitFor();
    expect(await places("Stop", "Plan first", "Queue")).toEqual(working);
    expect(await page.locator(".composer-row > :is(button, span:has(button))").allInnerTexts()).toEqual([
      ...["Send now", "Stop", "Plan first", ""],
    ]);
    await model.release();
    await runEnd(page).waitFor();
    expect(await places("Plan first")).toEqual(idle);
  },
);

it("in the panel beside the list, all that sends is within its box while the agent works", async ({
  desktop,
  script,
  tally,
}) => {
  await tally.seedStocks([{ symbol: "AAPL" }]);
  const model = await script([holdMidStream("Hello ", "there.")]);
  const page = await desktop("/stocks");
  await sendMessage(page, model.prompt("Hi"));
  await page.getByRole("textbox", { name: "Message to the agent" }).fill("And more");
  await page.getByRole("button", { name: "Send now" }).waitFor();
  const edges = await page
    .locator(".composer-box, .composer-box [type=submit]")
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().right));
  expect(edges[1]).toBeLessThan(edges[0] ?? 0);
  await model.release();
});

it("messages that the agent was never given come back when it is stopped, in their order", async ({
  desktop,
  script,
}) => {
  const model = await script([holdMidStream("I begin. ", "Never.")]);
  const page = await desktop("/", { colorScheme: "dark" });
  await sendMessage(page, model.prompt("Begin"));
  await log(page).getByText("I begin.").waitFor();
  await sendNow(page, "Wait, not that");
  await sendNow(page, "Nor the other");
  await page.getByRole("button", { name: "Stop" }).click();
  await log(page).getByText("Not delivered: the agent stopped first").nth(1).waitFor();
  await expect.poll(() => composer(page).inputValue()).toBe("Wait, not that\nNor the other");
  await expectNoAxeViolations(page);
});

it("a message that the agent was never given comes back beside what one writes elsewhere", async ({
  desktop,
  script,
  tally,
}) => {
  await tally.seedStocks([{ symbol: "AAPL" }, { symbol: "MSFT" }]);
  const model = await script([holdMidStream("I begin. ", "Never.")]);
  const page = await desktop("/stocks");
  await sendMessage(page, model.prompt("Begin"));
  await log(page).getByText("I begin.").waitFor();
  await sendNow(page, "Wait, not that");
  const [thread] = await tally.listThreads();
  const search = page.getByRole("searchbox", { name: "Search stocks" });
  await search.pressSequentially("half a w");
  await tally.send("POST", `/_framework/runs/${thread?.activeRunId}/abort`);
  await expect.poll(() => composer(page).inputValue()).toBe("Wait, not that");
  await page.keyboard.type("ord");
  expect(await search.inputValue()).toBe("half a word");
});

it("a message is changed: what followed it is folded, stays readable, and is not sent again", async ({
  desktop,
  script,
}) => {
  const model = await script([say("About apples."), say("About pears."), say("About plums.")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Apples"));
  await runEnd(page).waitFor();
  await sendMessage(page, model.prompt("Pears"));
  await log(page).getByText("About pears.").waitFor();
  await runEnd(page, 1).waitFor();
  await page.getByRole("button", { name: "Edit" }).nth(1).click();
  await page.getByText("Sending this replaces your earlier message").waitFor();
  await expect.poll(() => composer(page).inputValue()).toContain("Pears");
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Keep it as it was" }).click();
  expect(await composer(page).inputValue()).toBe("");

  await page.getByRole("button", { name: "Edit" }).nth(1).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => composer(page).inputValue()).toContain("Pears");
  await sendMessage(page, model.prompt("Plums"));
  await log(page).getByText("About plums.").waitFor();
  const folded = log(page).locator("summary", { hasText: "Replaced" });
  await folded.getByText("1 message").waitFor();
  expect(await log(page).getByText("About pears.").isVisible()).toBe(false);
  await folded.click();
  await log(page).getByText("About pears.").waitFor();
  await expectNoAxeViolations(page);
  const last = (await model.requests()).at(-1);
  expect(JSON.stringify(last?.body)).toContain("About apples.");
  expect(JSON.stringify(last?.body)).not.toContain("Pears");
  await page.reload();
  await folded.getByText("1 message").waitFor();
});

it("a new chat begins from a message, with what was said before it", async ({ phone, script, tally }) => {
  const model = await script([say("About apples."), say("About pears."), say("About plums.")]);
  await tally.eventsUntil(await tally.startTurn("first", model.prompt("Apples")), "run_end");
  await tally.eventsUntil(await tally.startTurn("first", model.prompt("Pears")), "run_end");
  const page = await phone("/t/first", { colorScheme: "dark" });
  await log(page).getByText("About pears.").waitFor();
  await expectNoAxeViolations(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await page.getByRole("button", { name: "Branch from here" }).nth(1).tap();
  await page.waitForURL((url) => url.pathname.startsWith("/t/") && url.pathname !== "/t/first");
  await log(page).getByText("About apples.").waitFor();
  expect(await log(page).getByText("About pears.").count()).toBe(0);
  await expect.poll(() => composer(page).inputValue()).toContain("Pears");
  await sendMessage(page, model.prompt("Plums"));
  await log(page).getByText("About plums.").waitFor();
  const last = (await model.requests()).at(-1);
  expect(JSON.stringify(last?.body)).toContain("About apples.");
  expect(JSON.stringify(last?.body)).not.toContain("Pears");
});

it.for([
  ["Send now", "Queue", "**/_framework/runs/*/messages"],
  ["Queue", "Send now", "**/api/agent/turn"],
] as const)(
  "a message whose answer was lost after %s arrives once, though %s sends it again",
  async ([first, second, route], { phone, script, link }) => {
    const model = await script([holdMidStream("Working on it", " and done."), say("Seen."), say("Twice.")]);
    const page = await phone("/", { at: link.url, allow: [/Failed to load resource/, /ERR_/] });
    await sendMessage(page, model.prompt("Begin."));
    await log(page).getByText("Working on it").waitFor();
    await composer(page).fill(model.prompt("Only the large ones."));
    await loseAnswer(page, route);
    const failed = untilUnreachable(page);
    await page.getByRole("button", { name: first }).tap();
    await failed;
    await page.getByRole("button", { name: second }).tap();
    await expect.poll(() => composer(page).inputValue()).toBe("");
    await model.release();
    await log(page).getByText("Seen.").waitFor();
    expect(await log(page).locator(".me").filter({ hasText: "Only the large ones." }).count()).toBe(1);
    expect(await model.requests()).toHaveLength(2);
  },
);

it("a message whose answer was lost, and which the agent was never given, starts a turn when it is sent again", async ({
  phone,
  script,
  link,
}) => {
  const model = await script([holdMidStream("Working on it", " and done."), say("Seen.")]);
  const page = await phone("/", { at: link.url, allow: [/Failed to load resource/, /ERR_/] });
  await sendMessage(page, model.prompt("Begin."));
  await log(page).getByText("Working on it").waitFor();
  await composer(page).fill(model.prompt("Only the large ones."));
  await loseAnswer(page, "**/_framework/runs/*/messages");
  const failed = untilUnreachable(page);
  await page.getByRole("button", { name: "Send now" }).tap();
  await failed;
  await page.getByRole("button", { name: "Stop" }).tap();
  await log(page).getByText("Not delivered: the agent stopped first").waitFor();
  expect(await composer(page).inputValue()).toContain("Only the large ones.");
  await page.getByRole("button", { name: "Send", exact: true }).tap();
  await log(page).getByText("Seen.").waitFor();
  await expect.poll(() => composer(page).inputValue()).toBe("");
});

it("a message whose answer was lost arrives once, though something on the way refuses it in between", async ({
  phone,
  script,
  link,
}) => {
  const model = await script([say("Seen."), say("Twice.")]);
  const page = await phone("/", { at: link.url, allow: [/Failed to load resource/, /ERR_/] });
  await composer(page).fill(model.prompt("Only the large ones."));
  await loseAnswer(page, "**/api/agent/turn");
  const failed = untilUnreachable(page);
  await page.getByRole("button", { name: "Send", exact: true }).tap();
  await failed;
  const refusal = { status: 403, json: { error: "Blocked by the proxy." } };
  await page.route("**/api/agent/turn", (route) => route.fulfill(refusal), { times: 1 });
  await page.getByRole("button", { name: "Send", exact: true }).tap();
  await page.getByRole("alert").getByText("Blocked by the proxy.").waitFor();
  await page.getByRole("button", { name: "Send", exact: true }).tap();
  await expect.poll(() => composer(page).inputValue()).toBe("");
  await log(page).getByText("Seen.").waitFor();
  expect(await log(page).locator(".me").count()).toBe(1);
  expect(await model.requests()).toHaveLength(1);
});

it("a message that asks for a plan is queued, for a run takes none: it is not sent now", async ({
  phone,
  script,
  tally,
}) => {
  const model = await script([holdMidStream("Working on it", " and done."), say("My plan.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Begin."));
  await log(page).getByText("Working on it").waitFor();
  await composer(page).fill(model.prompt("Tidy up."));
  await page.getByRole("button", { name: "Send now" }).waitFor();
  await page.getByRole("button", { name: "Plan first" }).tap();
  await page.getByRole("button", { name: "Send now" }).waitFor({ state: "detached" });
  await composer(page).press("Control+Enter");
  await expect.poll(() => composer(page).inputValue()).toBe("");
  await model.release();
  await log(page).getByText("My plan.").waitFor();
  const [{ threadId = "" } = {}] = await tally.listThreads();
  const { runs } = z
    .object({ runs: z.array(z.object({ events: z.string() })) })
    .parse(await tally.send("GET", `/_framework/threads/${threadId}/runs`));
  const [start] = (await tally.eventsUntil(runs[1] ?? { events: "" }, "run_end")).filter(
    ({ type }) => type === "run_start",
  );
  expect(start).toMatchObject({ mode: "plan" });
});
