/** What a turn changed is taken back from its end: shown first, then done, with the list following. */
import { expect } from "vitest";
import { allowOnce } from "../../support/browser/answer-card.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { hideTab, showTab } from "../../support/browser/page-life.ts";
import { it } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { callTool, say } from "../../support/model-script.ts";
import { log, runEnd, sendMessage } from "./agent-page.ts";

it("a turn's changes are previewed and undone by keyboard", async ({ phone, script, tally }) => {
  const [kept] = await tally.seedStocks([{ symbol: "MSFT", quantity: "5" }]);
  const model = await script([
    callTool("add-stock", { symbol: "AAPL" }),
    callTool("update-stock", { id: kept?.id, set: { quantity: "7" } }),
    say("Both done."),
  ]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Add Apple, and two more of Microsoft."));
  await allowOnce(page);
  await allowOnce(page);
  await runEnd(page).waitFor();
  await tally.act("update-stock", { id: String(kept?.id), set: { notes: "Mine" } });
  await page.getByRole("button", { name: "Undo changes" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Undo changes" });
  await dialog.getByText("stays: it has been changed since").waitFor();
  expect((await dialog.getByRole("listitem").allInnerTexts()).map((text) => text.replace(/\s+/g, " "))).toEqual([
    "MSFT — stays: it has been changed since",
    "AAPL — goes to the trash",
  ]);
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Undo", exact: true }).focus();
  await page.keyboard.press("Enter");
  await dialog.getByText("went to the trash").waitFor();
  expect((await tally.act("list-stocks", {})).items.map(({ symbol, quantity }) => [symbol, quantity])).toEqual([
    ["MSFT", "7"],
  ]);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  // One of the two is as it was; who wants to know about the other finds it.
  await log(page).getByText("1 of 2 changes undone").waitFor();
  const rest = page.getByRole("button", { name: "See what was not undone" });
  await waitForFocus(rest);
  await page.keyboard.press("Enter");
  await dialog.getByText("stays: it has been changed since").waitFor();
  await dialog.getByText("went to the trash").waitFor();
  await expectNoAxeViolations(page);
  await page.reload();
  await log(page).getByText("1 of 2 changes undone").waitFor();
  await rest.waitFor();
});

it("a stock that was renamed stays so while another has its earlier symbol", async ({ desktop, script, tally }) => {
  const [stock] = await tally.seedStocks([{ symbol: "FB" }]);
  const model = await script([callTool("update-stock", { id: stock?.id, set: { symbol: "META" } }), say("Renamed.")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Facebook is Meta now."));
  await allowOnce(page);
  await runEnd(page).waitFor();
  await tally.act("add-stock", { symbol: "FB" });
  await page.getByRole("button", { name: "Undo changes" }).click();
  const item = page.getByRole("dialog", { name: "Undo changes" }).getByRole("listitem");
  await item.getByText("stays: another stock has its earlier symbol now").waitFor();
});

it("what was undone says so in the place of its button, also to who looks again later", async ({ phone, script }) => {
  const model = await script([callTool("add-stock", { symbol: "AAPL" }), say("Added.")]);
  const page = await phone("/", { colorScheme: "dark" });
  await sendMessage(page, model.prompt("Add Apple."));
  await allowOnce(page);
  await runEnd(page).waitFor();
  const undo = page.getByRole("button", { name: "Undo changes" });
  const dialog = page.getByRole("dialog", { name: "Undo changes" });
  await undo.press("Enter");
  await dialog.getByText("goes to the trash").waitFor();
  await page.keyboard.press("Escape");
  await undo.press("Enter");
  await dialog.getByText("goes to the trash").waitFor();
  await dialog.getByRole("button", { name: "Undo", exact: true }).press("Enter");
  await dialog.getByText("went to the trash").waitFor();
  await page.keyboard.press("Escape");
  await log(page).getByText("Changes undone").waitFor();
  expect(await undo.count()).toBe(0);
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).not.toBe("BODY");
  await expectNoAxeViolations(page);
  await page.reload();
  await log(page).getByText("Changes undone").waitFor();
  expect(await undo.count()).toBe(0);
});

it("nothing in the dialog moves when the preview comes: what was aimed at its way out undoes nothing", async ({
  phone,
  script,
  tally,
}) => {
  const model = await script([callTool("add-stock", { symbol: "AAPL" }), say("Added.")]);
  // Else the dialog still comes up while it is measured.
  const page = await phone("/", { reducedMotion: "reduce" });
  await sendMessage(page, model.prompt("Add Apple."));
  await allowOnce(page);
  await runEnd(page).waitFor();
  const answer = Promise.withResolvers<void>();
  const asked: unknown[] = [];
  await page.route("**/undo", async (route) => {
    asked.push(route.request().postDataJSON());
    await answer.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Undo changes" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Undo changes" });
  await dialog.getByText("Checking what has changed…").waitFor();
  // Too early, it does nothing.
  await dialog.getByRole("button", { name: "Undo", exact: true }).tap({ force: true });
  const wayOut = dialog.getByRole("button", { name: /^(?:Cancel|Close)$/ }).last();
  const { x, y, width, height } = (await wayOut.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  answer.resolve();
  await dialog.getByText("goes to the trash").waitFor();
  expect(await wayOut.boundingBox()).toEqual({ x, y, width, height });
  await page.touchscreen.tap(x + width - 5, y + height / 2);
  await dialog.waitFor({ state: "hidden" });
  expect(asked).toEqual([{ dryRun: true }]);
  expect(await tally.act("list-stocks", {})).toMatchObject({ total: 1 });
});

it("a chat that is open hears of an undo on another device when it is looked at again", async ({
  phone,
  desktop,
  script,
}) => {
  const model = await script([callTool("add-stock", { symbol: "AAPL" }), say("Added.")]);
  const page = await phone("/");
  await sendMessage(page, model.prompt("Add Apple."));
  await allowOnce(page);
  await runEnd(page).waitFor();
  await page.getByRole("button", { name: "Undo changes" }).waitFor();
  await hideTab(page);
  const other = await desktop(new URL(page.url()).pathname);
  await other.getByRole("button", { name: "Undo changes" }).click();
  await other.getByRole("dialog").getByRole("button", { name: "Undo", exact: true }).click();
  await other.getByRole("dialog").getByText("went to the trash").waitFor();
  await showTab(page);
  await log(page).getByText("Changes undone").waitFor();
});

it("a preview says which files come back, which stay, and that a command cannot be undone", async ({
  desktop,
  script,
}) => {
  const [made, changed] = ["undo-made.md", "undo-changed.md"];
  const model = await script([
    callTool("write_file", { path: made, content: "new\n" }),
    callTool("write_file", { path: changed, content: "new\n" }),
    callTool("run_shell", { command: `echo more >> ${changed}` }),
    say("Written."),
  ]);
  const page = await desktop("/", { colorScheme: "dark" });
  await sendMessage(page, model.prompt("Write two notes."));
  await allowOnce(page);
  await allowOnce(page);
  await allowOnce(page);
  await runEnd(page).waitFor();
  await page.getByRole("button", { name: "Undo changes" }).focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Undo changes" });
  await dialog.getByText("1 command cannot be undone.").waitFor();
  expect((await dialog.getByRole("listitem").allInnerTexts()).map((text) => text.replace(/\s+/g, " "))).toEqual([
    `${changed} — stays: it has been changed since`,
    `${made} — will be deleted`,
  ]);
  await expectNoAxeViolations(page);
  await dialog.getByRole("button", { name: "Undo", exact: true }).focus();
  await page.keyboard.press("Enter");
  await dialog.getByText("was deleted").waitFor();
  await dialog.getByText("1 command cannot be undone.").waitFor();
});
