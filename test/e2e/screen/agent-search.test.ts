/** Searching one's chats: what is found, by keyboard and by thumb; and who drives the model, in the composer. */
import { expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { holdNext } from "../../support/browser/hold-next.ts";
import { it } from "../../support/browser/screen-test.ts";
import { smallTargets } from "../../support/browser/small-targets.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { say } from "../../support/model-script.ts";
import { composer, log, modelButton } from "./agent-page.ts";

it("chats are found by what was said in them, and opened by the keyboard", async ({ desktop, script, tally }) => {
  const model = await script([say("They ripen in the **cellar**."), say("It conducts.")]);
  await tally.eventsUntil(await tally.startTurn("fruit", model.prompt("What of pears?")), "run_end");
  await tally.eventsUntil(await tally.startTurn("metal", model.prompt("What of copper?")), "run_end");
  // A turn can be found soon after its end, and the page asks once.
  await expect.poll(() => tally.send("GET", "/_framework/threads?q=cell")).toMatchObject({ threads: [{}] });
  const page = await desktop("/", { colorScheme: "dark" });
  const chats = page.getByRole("navigation", { name: "Chats" });
  const field = chats.getByRole("searchbox", { name: "Search chats" });
  await field.fill("cell");
  await chats.getByText("They ripen in the cellar.").waitFor();
  expect(await chats.locator("mark").allInnerTexts()).toEqual(["cell"]);
  await chats.getByRole("status").getByText("1 chat", { exact: true }).waitFor();
  expect(await chats.getByRole("link").count()).toBe(1);
  await expectNoAxeViolations(page);
  await field.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await waitForFocus(field);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/t/fruit");
  await log(page).getByText("They ripen in the").waitFor();
});

it("a search without a find says so, and Escape takes it back", async ({ phone, script, tally }) => {
  const model = await script([say("It conducts.")]);
  await tally.eventsUntil(await tally.startTurn("metal", model.prompt("What of copper?")), "run_end");
  const page = await phone("/");
  await composer(page).waitFor();
  await page.getByRole("button", { name: "Chats" }).click();
  const chats = page.getByRole("navigation", { name: "Chats" });
  const field = chats.getByRole("searchbox", { name: "Search chats" });
  await field.fill("gold");
  await chats.getByText("No chats found for “gold”.").waitFor();
  expect(await chats.getByRole("link").count()).toBe(0);
  await expectNoAxeViolations(page);
  expect(await smallTargets(page)).toEqual([]);
  await field.press("Escape");
  await chats.getByRole("link", { name: /What of copper/ }).waitFor();
  expect(await field.inputValue()).toBe("");
});

it("nothing is said of words that were not searched for yet", async ({ desktop, script, tally }) => {
  const model = await script([say("It conducts.")]);
  await tally.eventsUntil(await tally.startTurn("metal", model.prompt("What of copper?")), "run_end");
  await expect.poll(() => tally.send("GET", "/_framework/threads?q=copper")).toMatchObject({ threads: [{}] });
  const page = await desktop("/");
  const chats = page.getByRole("navigation", { name: "Chats" });
  const field = chats.getByRole("searchbox", { name: "Search chats" });
  await field.fill("gold");
  await chats.getByText("No chats found for “gold”.").waitFor();
  const letGo = await holdNext(page, "**/threads?q=copper", { method: "GET" });
  const isAsked = page.waitForRequest("**/threads?q=copper");
  await field.fill("copper");
  await isAsked;
  await chats.getByRole("status").getByText("Searching…", { exact: true }).waitFor();
  letGo();
  await chats.getByRole("status").getByText("1 chat", { exact: true }).waitFor();
});

it("the composer names the model and what drives it", async ({ desktop }) => {
  const page = await desktop("/");
  await modelButton(page).click();
  await page.getByText("Via the Messages API").waitFor();
  // As the server answers that was started with the other harness.
  await page.route("**/_framework/models", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), harness: "agent-sdk" } });
  });
  await page.reload();
  await page.getByText("via Agent SDK", { exact: true }).waitFor();
  await modelButton(page).click();
  await page.getByText("Via the Agent SDK").waitFor();
  await expectNoAxeViolations(page);
});
