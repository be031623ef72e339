/** axe-core on what opens over the list for a moment, in both themes (which it takes by itself). */
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { STOCKS } from "./stocks-page.ts";

it("the open menus of the list and of a row, and the note that its stock is deleted", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks");
  await page.getByRole("button", { name: "List menu" }).click();
  await page.getByRole("button", { name: "Export as CSV" }).waitFor();
  await expectNoAxeViolations(page, { within: ".menu:popover-open" });
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Actions for AAPL" }).click();
  await page.getByRole("button", { name: "Ask the agent" }).waitFor();
  await expectNoAxeViolations(page, { within: ".menu:popover-open" });
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  const notes = page.getByRole("region", { name: "Messages" });
  await notes.getByText("AAPL deleted").waitFor();
  await notes.getByRole("button", { name: "Undo" }).waitFor();
  await expectNoAxeViolations(page, { within: ".toasts" });
});

it("a note that a change did not work", async ({ desktop, tally }) => {
  await tally.seedStocks(STOCKS);
  const page = await desktop("/stocks", { allow: [/500/] });
  const broken = { status: 500, json: { error: "Something broke." } };
  await page.route("**/_framework/actions/update-stock", (route) => route.fulfill(broken));
  await page.getByRole("button", { name: "Watch AAPL" }).click();
  await page.getByRole("region", { name: "Messages" }).getByRole("alert").waitFor();
  await expectNoAxeViolations(page);
});

it("the question before a prepared import is thrown away", async ({ phone }) => {
  const page = await phone("/stocks?dialog=import");
  await page.getByLabel("Paste symbols, lines or a table").fill("AAPL");
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Discard this import?" }).waitFor();
  await expectNoAxeViolations(page);
});

it("the question before an import under way is stopped", async ({ desktop, link }) => {
  const page = await desktop("/stocks?dialog=import", { at: link.url });
  await page.getByLabel("Paste symbols, lines or a table").fill("AAPL");
  await page.getByRole("button", { name: "Preview" }).click();
  // The preview has asked the same action by now.
  await page.getByRole("button", { name: "Import 1 stock" }).waitFor();
  const letGo = link.hold("add-stock");
  await page.getByRole("button", { name: "Import 1 stock" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Stop the import?" }).waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole("button", { name: "Continue" }).click();
  letGo();
  await page.getByRole("heading", { name: "Import finished" }).waitFor();
});
