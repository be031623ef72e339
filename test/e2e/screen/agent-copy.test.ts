/** What the agent writes can be taken along: code, answers, and tables that are wider than the chat. */
import { expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { untilSeen } from "../../support/browser/until-seen.ts";
import { say } from "../../support/model-script.ts";
import { log, runEnd, sendMessage } from "./agent-page.ts";

const CLIPBOARD = { permissions: ["clipboard-read", "clipboard-write"] };

it("code and an answer are copied as they were written", async ({ phone, script }) => {
  const answer = "Run **this**:\n\n```sh\nls -l\n```";
  const model = await script([say(answer)]);
  const page = await phone("/", CLIPBOARD);
  await sendMessage(page, model.prompt("How?"));
  await runEnd(page).waitFor();
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  // The button says so for two seconds.
  const isSaid = untilSeen(page, "[role=log] button", "Copied");
  await log(page).getByRole("button", { name: "Copy", exact: true }).tap();
  await isSaid;
  expect(await copied()).toBe("ls -l");
  await log(page).getByRole("button", { name: "Copy answer" }).tap();
  await log(page).getByRole("button", { name: "Answer copied" }).waitFor();
  expect(await copied()).toBe(answer);
  await expectNoAxeViolations(page);
});

it("a wide table scrolls in its frame, and its numbers stay on one line", async ({ phone, script }) => {
  const cells = Array.from({ length: 9 }, (_, index) => `1${index},234,567.89`);
  const model = await script([
    say(`| ${cells.map(() => "Value").join(" | ")} |\n|${"--:|".repeat(9)}\n| ${cells.join(" | ")} |`),
  ]);
  const page = await phone("/", { colorScheme: "dark" });
  await sendMessage(page, model.prompt("A table."));
  await runEnd(page).waitFor();
  const table = log(page).getByRole("group", { name: "Table" });
  expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)).toBe(true);
  const heights = await table
    .locator("tr")
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(40);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});
