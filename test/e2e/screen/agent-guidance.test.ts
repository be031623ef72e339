/** The agent asks, plans and keeps to-dos: what a person sees and does, by keyboard and on a phone. */
import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { answerCard, readyButton } from "../../support/browser/answer-card.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { callTool, callTools, say } from "../../support/model-script.ts";
import { composer, log, question, runEnd, sendMessage } from "./agent-page.ts";

const where = {
  question: "Which exchange?",
  options: [{ label: "Nasdaq", description: "In dollars." }, { label: "Xetra" }],
};
const what = { question: "Which of these?", options: [{ label: "AAPL" }, { label: "MSFT" }], multiple: true };

const ask = (...questions: readonly unknown[]) => callTool("ask_user", { questions });

it("questions are answered by keyboard, with options and with words of one's own", async ({ desktop, script }) => {
  const model = await script([ask(where, what), say("All right.")]);
  const page = await desktop("/", { colorScheme: "dark" });
  await sendMessage(page, model.prompt("Add what I like."));
  const card = page.getByRole("group", { name: "The agent asks" });
  await card.waitFor();
  await waitForFocus(card);
  await expectNoAxeViolations(page);
  for (const kind of ["radio", "checkbox"] as const) {
    expect((await card.getByRole(kind).first().boundingBox())?.width).toBe(18);
  }
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowUp");
  await waitForFocus(card.getByLabel("Your own answer"));
  await page.keyboard.type("Frankfurt");
  await readyButton(card, "Send");
  await page.keyboard.press("Enter");
  await card.locator("fieldset").nth(1).getByText("“Which of these?” has no answer yet.").waitFor();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await expectNoAxeViolations(page);
  await readyButton(card, "Send");
  await page.keyboard.press("Enter");
  await log(page).getByText("AAPL, MSFT").waitFor();
  await runEnd(page).waitFor();
  const told = JSON.stringify((await model.requests()).at(-1)?.body);
  expect(told).toContain("Answer: Frankfurt");
  expect(told).toContain("Answers:\\n- AAPL\\n- MSFT");
  await waitForFocus(composer(page));
});

it("a question is there again after a reload, and is declined on a phone", async ({ phone, script }) => {
  const model = await script([ask(where), say("Then I leave it.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Add what I like."));
  await page.getByRole("radio", { name: /^Nasdaq/ }).waitFor();
  await page.goto(page.url());
  await page.getByRole("radio", { name: /^Nasdaq/ }).waitFor();
  await expectNoAxeViolations(page);
  await answerCard(page, "Decline");
  await log(page).getByText("You declined.").waitFor();
  await runEnd(page).waitFor();
});

it("a plan comes before any change: it is changed, then accepted, and the change still asks", async ({
  phone,
  script,
  tally,
}) => {
  const model = await script([
    callTool("propose_plan", { markdown: "## First plan\n\n1. Add **NVDA**" }),
    callTool("propose_plan", { markdown: "## Second plan\n\n1. Add NVDA and watch it" }),
    callTool("add-stock", { symbol: "NVDA" }),
    say("Added."),
  ]);
  const page = await phone("/");
  const planFirst = page.getByRole("button", { name: "Plan first" });
  await planFirst.click();
  await expectNoAxeViolations(page);
  await sendMessage(page, model.prompt("Add Nvidia."));
  await log(page).getByText("Plans first: changes nothing until you accept a plan").waitFor();
  await log(page).getByRole("heading", { name: "First plan" }).waitFor();
  expect(await planFirst.getAttribute("aria-pressed")).toBe("false");
  await expectNoAxeViolations(page);
  await answerCard(page, "Change it");
  await page.getByLabel("What should it do instead? (optional)").fill("Watch it as well.");
  await answerCard(page, "Ask for another plan");
  await log(page).getByRole("heading", { name: "Second plan" }).waitFor();
  await log(page).getByText("You asked for another plan.").waitFor();
  await answerCard(page, "Do it");
  await log(page).getByText("You accepted this plan.").waitFor();
  await question(page, "Add NVDA").waitFor();
  expect(await tally.act("list-stocks", { q: "NVDA" })).toMatchObject({ total: 0 });
  await answerCard(page, "Allow once");
  await runEnd(page).waitFor();
  expect(await tally.act("list-stocks", { q: "NVDA" })).toMatchObject({ total: 1 });
  expect(JSON.stringify((await model.requests())[1]?.body)).toContain("Watch it as well.");
});

/** The boxes whose content sticks out at a side. */
const tooNarrow = (part: Locator): Promise<readonly string[]> =>
  part.evaluate((element) =>
    [element, ...element.querySelectorAll("*")]
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
      .map(({ tagName, className }) => `${tagName} ${className}`),
  );

it("a plan can only be accepted with all that it says in view: nothing is beyond an edge or behind a link", async ({
  phone,
  script,
}) => {
  const row = (cell: string): string => `|${cell.repeat(12)}\n`;
  const wide = [
    `## Long ${"w".repeat(80)}`,
    `\`\`\`text\n${"x".repeat(400)} end of code\n\`\`\``,
    `${row("Stock|")}${row("-|")}${row(`${"9 ".repeat(40)}|`)}${row(`${"y".repeat(40)}|`)}`,
    `${"- ".repeat(5)}deep ${"z".repeat(80)}`,
    `${"> ".repeat(5)}quoted\n`,
  ];
  const model = await script([
    callTool("propose_plan", { markdown: wide.join("\n\n") }),
    callTool("propose_plan", { markdown: 'Read the [docs](/stocks "and delete all others").' }),
    say("All right."),
  ]);
  const page = await phone("/");
  await page.getByRole("button", { name: "Plan first" }).click();
  await sendMessage(page, model.prompt("Plan it."));
  const asked = page.locator(".asked");
  await asked.getByRole("table").waitFor();
  expect(await tooNarrow(asked)).toEqual([]);
  await answerCard(page, "Change it");
  await answerCard(page, "Ask for another plan");
  await asked.getByText("Read the").waitFor();
  expect(await asked.locator(":scope > :last-child").innerText()).toBe(
    'Read the [docs](/stocks "and delete all others").',
  );
  await answerCard(page, "Do it");
  await runEnd(page).waitFor();
});

it("that a plan comes first outlives a reload, and goes with its message into a branch", async ({ phone, script }) => {
  const model = await script([say("There is nothing to plan.")]);
  const page = await phone("/");
  const planFirst = page.getByRole("button", { name: "Plan first" });
  await planFirst.click();
  await composer(page).fill("Think it over.");
  await page.reload();
  await expect.poll(() => composer(page).inputValue()).toBe("Think it over.");
  expect(await planFirst.getAttribute("aria-pressed")).toBe("true");
  await sendMessage(page, model.prompt("Think it over."));
  await log(page).getByText("Plans first: changes nothing until you accept a plan").waitFor();
  await runEnd(page).waitFor();
  expect(await planFirst.getAttribute("aria-pressed")).toBe("false");
  const chat = page.url();
  await page.getByRole("button", { name: "Branch from here" }).click();
  await page.waitForURL((url) => url.pathname.startsWith("/t/") && url.href !== chat);
  await expect.poll(() => composer(page).inputValue()).toContain("Think it over.");
  expect(await planFirst.getAttribute("aria-pressed")).toBe("true");
});

it("to-dos tick, and the newest list counts", async ({ phone, script }) => {
  const todos = (state: string) => ({ name: "set_todos", input: { items: [{ text: "Look at <b>all</b>", state }] } });
  const model = await script([callTools([todos("doing")]), ask(where), callTools([todos("done")]), say("Done.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Work."));
  const list = page.getByRole("region", { name: "To-dos of the agent" });
  await list.getByText("0 of 1 done").waitFor();
  await list.getByRole("heading", { name: "To-dos 0 of 1 done" }).waitFor();
  expect(await list.getByRole("listitem").innerText()).toContain("Look at <b>all</b>");
  await page.getByRole("radio", { name: /^Xetra/ }).check();
  await answerCard(page.getByRole("group", { name: "The agent asks" }), "Send");
  await list.getByText("1 of 1 done").waitFor();
  await runEnd(page).waitFor();
  await expectNoAxeViolations(page);
  expect(await list.count()).toBe(1);
});

it("what another tab has answered is answered here too", async ({ desktop, script }) => {
  const model = await script([ask(where), say("Nasdaq then.")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Add what I like."));
  await page.getByRole("radio", { name: /^Nasdaq/ }).waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole("radio", { name: /^Nasdaq/ }).check();
  await answerCard(other.getByRole("group", { name: "The agent asks" }), "Send");
  await runEnd(other).waitFor();
  await log(page).getByText("Which exchange?").waitFor();
  await runEnd(page).waitFor();
  expect(await page.getByRole("group", { name: "The agent asks" }).count()).toBe(0);
});

it("a question that was stopped is not said to have run out of time", async ({ desktop, script }) => {
  const model = await script([ask(where)]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Add what I like."));
  await page.getByRole("radio", { name: /^Nasdaq/ }).waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).press("Enter");
  await runEnd(page).waitFor();
  expect(await log(page).locator(".answered dd").innerText()).toBe("Stopped before you answered.");
});
