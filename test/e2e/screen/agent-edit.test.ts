/** A message that is being changed: what was written of it is not lost. */
import { expect } from "vitest";
import { loseAnswer } from "../../support/browser/hold-next.ts";
import { it } from "../../support/browser/screen-test.ts";
import { say } from "../../support/model-script.ts";
import { composer, log, runEnd, sendMessage } from "./agent-page.ts";

it("what was to replace a message that is taken back already comes back when another one is left as it was", async ({
  desktop,
  script,
}) => {
  const model = await script([say("About apples."), say("About pears.")]);
  const page = await desktop("/", { allow: [/429/] });
  await sendMessage(page, model.prompt("Apples"));
  await runEnd(page).waitFor();
  await sendMessage(page, "Pears");
  await runEnd(page, 1).waitFor();
  await composer(page).fill("And then");
  const edit = page.getByRole("button", { name: "Edit", exact: true });
  await edit.nth(1).click();
  await expect.poll(() => composer(page).inputValue()).toBe("Pears");
  const refusal = { status: 429, json: { error: "Too many requests. Try again later." } };
  await page.route("**/api/agent/turn", (route) => route.fulfill(refusal));
  await sendMessage(page, "Plums, at length");
  const problem = page.getByRole("alert").getByText("Too many requests. Try again later.");
  await problem.waitFor();
  await page.getByText("have been taken back. This has not been sent.").waitFor();
  await log(page).locator("summary", { hasText: "Replaced" }).waitFor();
  await edit.click();
  await expect.poll(() => composer(page).inputValue()).toContain("Apples");
  expect(await problem.count()).toBe(0);
  await page.getByRole("button", { name: "Keep it as it was" }).click();
  await expect.poll(() => composer(page).inputValue()).toBe("Plums, at length\nAnd then");
});

it("what an edit had put aside comes along where its chat is gone", async ({ desktop, script, tally }) => {
  const model = await script([say("About apples.")]);
  await tally.eventsUntil(await tally.startTurn("gone", model.prompt("Apples")), "run_end");
  const page = await desktop("/t/gone", { allow: [/Failed to load resource/] });
  await runEnd(page).waitFor();
  await composer(page).fill("And then");
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await expect.poll(() => composer(page).inputValue()).toContain("Apples");
  await composer(page).fill("Plums");
  await tally.send("DELETE", "/_framework/threads/gone");
  await page.reload();
  await log(page).getByRole("button", { name: "Start a new chat" }).click();
  await page.waitForURL(/\/$/);
  await expect.poll(() => composer(page).inputValue()).toBe("Plums\nAnd then");
});

it("replaced messages that are unfolded stay so when the next one joins them", async ({ desktop, script }) => {
  const model = await script([say("About apples."), say("About pears."), say("About plums."), say("About figs.")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Apples"));
  await runEnd(page).waitFor();
  await sendMessage(page, "Pears");
  await runEnd(page, 1).waitFor();
  const edit = page.getByRole("button", { name: "Edit", exact: true });
  const folded = log(page).locator("summary", { hasText: "Replaced" });
  await edit.nth(1).click();
  await expect.poll(() => composer(page).inputValue()).toBe("Pears");
  await sendMessage(page, "Plums");
  await log(page).getByText("About plums.").waitFor();
  await folded.getByText("1 message").waitFor();
  await folded.click();
  const pears = log(page).getByText("About pears.");
  await pears.waitFor();
  await edit.last().click();
  await expect.poll(() => composer(page).inputValue()).toBe("Plums");
  await sendMessage(page, "Figs");
  await folded.getByText("2 messages").waitFor();
  expect(await pears.isVisible()).toBe(true);
});

it("a message that is taken back, though the answer to that was lost, cannot be kept as it was", async ({
  desktop,
  script,
}) => {
  const model = await script([say("About apples."), say("About pears."), say("About plums.")]);
  const page = await desktop("/", { allow: [/Failed to load resource/, /ERR_/] });
  await sendMessage(page, model.prompt("Apples"));
  await runEnd(page).waitFor();
  await sendMessage(page, "Pears");
  await runEnd(page, 1).waitFor();
  await page.getByRole("button", { name: "Edit", exact: true }).nth(1).click();
  await expect.poll(() => composer(page).inputValue()).toBe("Pears");
  await loseAnswer(page, "**/rewind");
  await sendMessage(page, "Plums");
  await page.getByText("have been taken back. This may not have been sent.").waitFor();
  await log(page).locator("summary", { hasText: "Replaced" }).waitFor();
  expect(await page.getByRole("button", { name: "Keep it as it was" }).count()).toBe(0);
  await page.getByRole("button", { name: "Discard" }).waitFor();
  expect(await composer(page).inputValue()).toBe("Plums");
  await composer(page).press("Enter");
  await log(page).getByText("About plums.").waitFor();
  await expect.poll(() => composer(page).inputValue()).toBe("");
});
