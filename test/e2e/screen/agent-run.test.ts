/** What a run says of itself: what it cost, that the model is asked again, and what went into a tool. */
import { expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { callTool, say } from "../../support/model-script.ts";
import { rateLimited } from "../../support/model-troubles.ts";
import { log, runEnd, sendMessage } from "./agent-page.ts";

it("ends with how long it took, how much was read and written, and what that cost", async ({ desktop, script }) => {
  const model = await script([say("Short.", { usage: { input: 200, cacheRead: 1_000, cacheWrite: 34, output: 56 } })]);
  const page = await desktop("/stocks");
  await sendMessage(page, model.prompt("Be short."));
  await page.getByRole("complementary", { name: "Agent" }).getByText("Short.", { exact: true }).waitFor();
  expect(await runEnd(page).textContent()).toMatch(/^[\d.]+ (?:min \d+ )?s · 1\.2K tokens in, 56 out · \$0\.0011$/);
  expect(await runEnd(page).getAttribute("title")).toBe("claude-sonnet-5-5, $0.001145 exactly");
});

it("counts the tokens of all its model calls", async ({ phone, script }) => {
  const model = await script([callTool("list-stocks", {}), say("Nothing.", { usage: { input: 700, output: 20 } })]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("What do I own?"));
  expect(await runEnd(page).textContent()).toMatch(/ · 710 tokens in, 25 out · \$0\.0017$/);
});

it("a chat's menu says what all of its runs have cost", async ({ phone, script }) => {
  const model = await script([
    say("One.", { usage: { input: 1_000, output: 100 } }),
    say("Two.", { usage: { input: 2_000, output: 200 } }),
  ]);
  const page = await phone("/", { colorScheme: "light" });
  await sendMessage(page, model.prompt("One?"));
  await runEnd(page).waitFor();
  const menu = page.locator(".menu:popover-open");
  await page.getByRole("button", { name: "Chat menu" }).tap();
  await menu.getByText("$0.0030 so far").waitFor();
  await expectNoAxeViolations(page);
  await page.keyboard.press("Escape");
  await sendMessage(page, "Two?");
  await runEnd(page, 1).waitFor();
  await page.getByRole("button", { name: "Chat menu" }).tap();
  await menu.getByText("$0.0090 so far").waitFor();
});

it("says when the model is asked again, and why, and can be stopped meanwhile", async ({ desktop, script }) => {
  const model = await script([rateLimited({ "retry-after": "100" })]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Hurry."));
  const notice = log(page).getByText(/^The model is getting too many requests\. Retrying \(1 of 3\) in \d+ s…$/);
  await notice.waitFor();
  const secondsLeft = async () => Number(/\d+(?= s)/.exec(await notice.innerText())?.[0]);
  expect(await secondsLeft()).toBeGreaterThan(80);
  await expect.poll(secondsLeft).toBeLessThan(100);
  await page.getByRole("button", { name: "Stop" }).click();
  await log(page).getByText("Stopped.").waitFor();
  await notice.waitFor({ state: "detached" });
  // It was stopped before it was tried again.
  expect(await log(page).getByText("Retried").count()).toBe(0);
  expect(await model.requests()).toHaveLength(1);
});

it("keeps saying that the model was asked again once it has answered", async ({ phone, script }) => {
  const model = await script([rateLimited({ "retry-after-ms": "10" }), say("At last.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Hurry."));
  await log(page).getByText("At last.").waitFor();
  await log(page).getByText("The model was getting too many requests. Retried (1 of 3).").waitFor();
  await runEnd(page).waitFor();
});

it("a tool's card holds what went into it, and folds it away again", async ({ phone, script }) => {
  const model = await script([callTool("list-stocks", { search: "apple", limit: 3 }), say("None.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Any Apple?"));
  await runEnd(page).waitFor();
  const card = log(page).locator("summary", { hasText: "list-stocks" });
  const input = page.getByRole("group", { name: "Input" });
  expect(await input.count()).toBe(0);
  await card.click();
  expect(JSON.parse(await input.innerText())).toEqual({ search: "apple", limit: 3 });
  await card.click();
  await input.waitFor({ state: "detached" });
});
