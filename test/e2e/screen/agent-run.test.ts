/** What a run says of itself: what it cost, that the model is asked again, and what went into a tool. */
import { expect } from "vitest";
import { it } from "../../support/browser/screen-test.ts";
import { callTool, say } from "../../support/model-script.ts";
import { rateLimited } from "../../support/model-troubles.ts";
import { log, runEnd, sendMessage } from "./agent-page.ts";

it("ends with how long it took, and how much was read and written", async ({ desktop, script }) => {
  const model = await script([say("Short.", { usage: { input: 200, cacheRead: 1_000, cacheWrite: 34, output: 56 } })]);
  const page = await desktop("/stocks");
  await sendMessage(page, model.prompt("Be short."));
  await page.getByRole("complementary", { name: "Agent" }).getByText("Short.", { exact: true }).waitFor();
  expect(await runEnd(page).textContent()).toMatch(/^\d+\.\d s · 1\.2K in, 56 out tokens$/);
});

it("counts the tokens of all its model calls", async ({ phone, script }) => {
  const model = await script([callTool("list-stocks", {}), say("Nothing.", { usage: { input: 700, output: 20 } })]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("What do I own?"));
  expect(await runEnd(page).textContent()).toMatch(/ · 710 in, 25 out tokens$/);
});

it("says when the model is asked again, and why, and can be stopped meanwhile", async ({ desktop, script }) => {
  const model = await script([rateLimited({ "retry-after": "100" })]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Hurry."));
  const notice = log(page).getByText(/^Trying again in \d+ s, because the model gets too many requests\.$/);
  await notice.waitFor();
  const secondsLeft = async () => Number(/\d+/.exec(await notice.innerText())?.[0]);
  expect(await secondsLeft()).toBeGreaterThan(80);
  await expect.poll(secondsLeft).toBeLessThan(100);
  await page.getByRole("button", { name: "Stop" }).click();
  await log(page).getByText("Stopped.").waitFor();
  await notice.waitFor({ state: "detached" });
  expect(await model.requests()).toHaveLength(1);
});

it("keeps saying that the model was asked again once it has answered", async ({ phone, script }) => {
  const model = await script([rateLimited({ "retry-after-ms": "10" }), say("At last.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Hurry."));
  await log(page).getByText("At last.").waitFor();
  await log(page).getByText("Tried again, because the model gets too many requests.").waitFor();
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
