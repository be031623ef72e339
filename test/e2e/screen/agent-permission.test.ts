/** The agent asks: what a person sees before they answer, and what every answer comes to. */
import { expect } from "vitest";
import { allowOnce, answerCard, readyButton } from "../../support/browser/answer-card.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { callTool, say } from "../../support/model-script.ts";
import { composer, log, question, runEnd, sendMessage } from "./agent-page.ts";

it("an addition is shown field by field, takes the focus, and happens once it is allowed", async ({
  desktop,
  script,
  tally,
}) => {
  const model = await script([
    callTool("add-stock", { symbol: "AAPL", quantity: "1250", avgCost: "180", currency: "EUR" }),
    say("Added."),
  ]);
  const page = await desktop("/", { colorScheme: "dark" });
  await sendMessage(page, model.prompt("Add Apple."));
  const card = question(page, "Add AAPL");
  await card.waitFor();
  // The title names the stock, and the call's own row is not shown beside the question.
  expect((await card.locator("dl").innerText()).split(/\s*\n\s*/)).toEqual([
    ...["Quantity", "1,250", "Avg. cost", "€180.00", "Currency", "EUR"],
  ]);
  expect(await log(page).getByText("AAPL").count()).toBe(1);
  await waitForFocus(card);
  await expectNoAxeViolations(page);
  await readyButton(page, "Allow once");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await log(page).getByText("You allowed this once.").waitFor();
  await runEnd(page).waitFor();
  const { items } = await tally.act("list-stocks", { q: "AAPL" });
  expect(items).toMatchObject([{ symbol: "AAPL", quantity: "1250", avgCost: "180" }]);
  expect(await log(page).getByRole("link", { name: "Open AAPL" }).getAttribute("href")).toBe(
    `/stocks?dialog=detail&id=${items[0]?.id}`,
  );
  await waitForFocus(composer(page));
});

it("a stock that was deleted is still named by its call", async ({ desktop, script, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "IBM", quantity: "3", avgCost: "200" }]);
  const model = await script([callTool("delete-stock", { id: stock?.id }), say("Deleted.")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Delete IBM."));
  await question(page, "Delete IBM").waitFor();
  await allowOnce(page);
  await runEnd(page).waitFor();
  expect(await log(page).locator(".tool-card b").allInnerTexts()).toEqual(["Delete IBM"]);
});

it("a change says what stands and what would stand; a rejection with a note reaches the model", async ({
  phone,
  script,
  tally,
}) => {
  const [stock] = await tally.seedStocks([{ symbol: "MSFT", quantity: "5", avgCost: "300" }]);
  const model = await script([
    callTool("update-stock", { id: stock?.id, set: { quantity: "7" } }),
    say("I left it as it is."),
  ]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Seven Microsoft."));
  await page.getByText("becomes").waitFor();
  expect(await log(page).locator("dl del").innerText()).toBe("5");
  expect(await log(page).locator("dl ins").innerText()).toBe("7");
  await expectNoAxeViolations(page);
  await answerCard(page, "Reject with a note");
  await page.getByLabel("What should it do instead? (optional)").fill("Only six.");
  await answerCard(page, "Reject with this note");
  await runEnd(page).waitFor();
  await log(page).getByText("You rejected this.").waitFor();
  await log(page).getByText("Only six.").first().waitFor();
  expect(await tally.act("list-stocks", { q: "MSFT" })).toMatchObject({ items: [{ quantity: "5" }] });
  expect(JSON.stringify((await model.requests()).at(-1)?.body)).toContain("Only six.");
});

it("while a note is written, its button is the one to press, and Back leaves all as it was", async ({
  desktop,
  script,
}) => {
  const model = await script([callTool("add-stock", { symbol: "SAP" }), say("Then not.")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Add SAP."));
  const card = question(page, "Add SAP");
  const primary = card.locator(".btn.primary");
  const shownKeys = (): Promise<readonly (string | null)[]> =>
    card.locator("[data-keys]").evaluateAll((buttons) => buttons.map(({ textContent }) => textContent));
  const opener = await readyButton(page, "Reject with a note");
  expect([await primary.allInnerTexts(), await shownKeys()]).toEqual([["Allow once"], ["Allow once", "Reject"]]);
  await opener.press("Enter");
  const note = page.getByLabel("What should it do instead? (optional)");
  await note.fill("Only if it is cheap.");
  expect([await primary.allInnerTexts(), await shownKeys()]).toEqual([
    ["Reject with this note"],
    ["Reject with this note"],
  ]);
  await expectNoAxeViolations(page);
  await card.getByRole("button", { name: "Back" }).press("Enter");
  await note.waitFor({ state: "detached" });
  await waitForFocus(opener);
  expect(await primary.allInnerTexts()).toEqual(["Allow once"]);
  await (await readyButton(page, "Reject with a note")).press("Enter");
  expect(await note.inputValue()).toBe("Only if it is cheap.");
  await note.press("Control+Enter");
  await log(page).getByText("You rejected this.").waitFor();
  await log(page).locator(".state").getByText("Rejected", { exact: true }).waitFor();
  await log(page).locator("q").getByText("Only if it is cheap.").waitFor();
  await runEnd(page).waitFor();
});

it("a standing rule answers the next request, and is revoked in the thread's menu", async ({ desktop, script }) => {
  const model = await script([
    ...[callTool("add-stock", { symbol: "AMD" }), say("One.")],
    ...[callTool("add-stock", { symbol: "TSM" }), say("Two.")],
    ...[callTool("add-stock", { symbol: "ASML" }), say("Three.")],
  ]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Add AMD."));
  await (await readyButton(page, "Always…")).click();
  await answerCard(page, "Always allow adding stocks in this chat");
  await runEnd(page).waitFor();
  await sendMessage(page, "And TSM.");
  await log(page).getByText("Always allowed in this chat.").waitFor();
  await runEnd(page, 1).waitFor();
  await page.getByRole("button", { name: "Chat menu" }).click();
  await page.getByRole("button", { name: "Permissions" }).click();
  const dialog = page.getByRole("dialog", { name: "Permissions" });
  await dialog.getByText("Always allow adding stocks in this chat").waitFor();
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  await dialog.getByRole("button", { name: "Revoke: adding stocks in this chat" }).click();
  await dialog.getByText("None yet.").waitFor();
  await page.keyboard.press("Escape");
  await sendMessage(page, "And ASML.");
  await allowOnce(question(page, "Add ASML"));
  await runEnd(page, 2).waitFor();
});

it("a reload in the middle of a question brings it back, and an answer elsewhere takes it away", async ({
  phone,
  script,
}) => {
  const model = await script([callTool("add-stock", { symbol: "NVDA" }), say("There.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Add Nvidia."));
  await question(page, "Add NVDA").waitFor();
  await page.reload();
  await question(page, "Add NVDA").waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await answerCard(question(other, "Add NVDA"), "Reject");
  await log(other).getByText("You rejected this.").waitFor();
  await page.bringToFront();
  await log(page).getByText("You rejected this.").waitFor();
  expect(await page.getByRole("button", { name: "Allow once" }).count()).toBe(0);
  await runEnd(page).waitFor();
});

it("a question never takes the focus from somebody who writes", async ({ desktop, script }) => {
  const model = await script([callTool("add-stock", { symbol: "IBM" }), say("Done.")]);
  const page = await desktop("/");
  await page.route("**/events?after=0", async (route) => {
    await composer(page).fill("half a sentence");
    await route.continue();
  });
  await sendMessage(page, model.prompt("Add IBM."));
  await question(page, "Add IBM").waitFor();
  await waitForFocus(composer(page));
  await allowOnce(page);
  await runEnd(page).waitFor();
  expect(await composer(page).inputValue()).toBe("half a sentence");
});

it("an edit is shown as a diff with its marks, and a command with its directory", async ({ desktop, script }) => {
  const model = await script([
    callTool("write_file", { path: "notes.md", content: "one\ntwo\n" }),
    callTool("run_shell", { command: "echo hello && echo trouble >&2" }),
    say("Both done."),
  ]);
  const page = await desktop("/", { colorScheme: "light" });
  await sendMessage(page, model.prompt("Write notes."));
  const diff = page.getByRole("group", { name: "Changes to notes.md" });
  await diff.waitFor();
  expect(await diff.locator(".add").allInnerTexts()).toEqual(["+ one\n", "+ two\n"]);
  await expectNoAxeViolations(page);
  await allowOnce(page);
  await page.getByRole("group", { name: "Command" }).getByText("echo hello").waitFor();
  await page.getByText("In the workspace").waitFor();
  await allowOnce(page);
  await runEnd(page).waitFor();
  await log(page).getByText("run_shell").click();
  await page.getByRole("group", { name: "Output" }).getByText("trouble").waitFor();
  await expectNoAxeViolations(page);
});

it("a change too long for the stream is shown whole on demand, and offers no rule", async ({ desktop, script }) => {
  const lines = Array.from({ length: 4_000 }, (_, line) => `line ${line} of a long file`);
  const model = await script([callTool("write_file", { path: "docs/long.md", content: lines.join("\n") }), say("No.")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Write it."));
  const diff = page.getByRole("group", { name: "Changes to docs/long.md" });
  await diff.waitFor();
  expect(await page.getByRole("button", { name: "Always…" }).count()).toBe(0);
  // Of what was cut nobody knows the sums.
  expect(await page.getByText(/\d+ added/).count()).toBe(0);
  expect(await page.getByRole("button", { name: /^Show all/ }).count()).toBe(0);
  await page.getByRole("button", { name: "Show in full" }).click();
  await page.getByText("4000 added, 0 removed").waitFor();
  await page.getByRole("button", { name: "Show all 4000 lines" }).click();
  await diff.getByText("line 3999 of a long file").waitFor();
  await answerCard(page, "Reject");
  await runEnd(page).waitFor();
});
