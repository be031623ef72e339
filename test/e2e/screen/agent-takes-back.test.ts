/** A wrong instruction, as a new user would mend it: planned, corrected on the way, taken back, undone. By keyboard. */
import { expect } from "vitest";
import { readyButton } from "../../support/browser/answer-card.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { callTool, say } from "../../support/model-script.ts";
import { holdBefore } from "../../support/model-troubles.ts";
import { composer, log, runEnd, sendMessage } from "./agent-page.ts";

it.for(["phone", "desktop"] as const)(
  "a wrong instruction is planned, steered, taken back and undone: %s",
  async (screen, { phone, desktop, script, tally }) => {
    const model = await script([
      holdBefore(callTool("propose_plan", { markdown: "1. Add **WRNG** to your list" })),
      callTool("add-stock", { symbol: "WRNG", quantity: "1" }),
      say("WRNG is in your list."),
      say("Then I leave the list alone."),
    ]);
    const page = await (screen === "phone" ? phone : desktop)("/");
    const press = async (name: string, nth = 0) => {
      await page.getByRole("button", { name, exact: true }).nth(nth).focus();
      await page.keyboard.press("Enter");
    };
    const shows = async (words: string | RegExp) => await log(page).getByText(words).first().waitFor();
    await press("Plan first");
    await sendMessage(page, model.prompt("Add WRNG"));
    await model.reaches(1, "held");
    await shows("Plans first: changes nothing until you accept a plan");
    // Beside plan mode a message can still be given to the agent.
    await composer(page).fill("Only one share");
    await composer(page).press("Control+Enter");
    await shows("Will be delivered after this step");
    await model.release();
    await page.getByRole("button", { name: "Do it" }).waitFor();
    await expectNoAxeViolations(page);
    // A card takes an answer once all of it was in view.
    for (const name of ["Do it", "Allow once"]) {
      await (await readyButton(page, name)).focus();
      await page.keyboard.press("Enter");
    }
    await runEnd(page).waitFor();
    await shows(/^Delivered$/);
    expect((await tally.act("list-stocks", {})).items.map(({ symbol }) => symbol)).toEqual(["WRNG"]);

    await press("Edit");
    await expect.poll(() => composer(page).inputValue()).toContain("Add WRNG");
    const isPlan = () => page.getByRole("button", { name: "Plan first" }).getAttribute("aria-pressed");
    expect(await isPlan()).toBe("true");
    await press("Keep it as it was");
    expect([await composer(page).inputValue(), await isPlan()]).toEqual(["", "false"]);
    await press("Edit");
    await expect.poll(() => composer(page).inputValue()).toContain("Add WRNG");
    await composer(page).fill(model.prompt("Add nothing"));
    await composer(page).press("Enter");
    await shows("Then I leave the list alone.");
    const modes = log(page).getByText("Plans first: changes nothing until you accept a plan");
    expect(await modes.count()).toBe(2);
    const folded = log(page).locator("summary", { hasText: "Replaced" });
    await folded.focus();
    await page.keyboard.press("Enter");
    await shows("WRNG is in your list.");
    await expectNoAxeViolations(page);

    await press("Undo changes");
    const dialog = page.getByRole("dialog", { name: "Undo changes" });
    await dialog.getByText("goes to the trash").waitFor();
    await expectNoAxeViolations(page);
    await dialog.getByRole("button", { name: "Undo", exact: true }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByText("went to the trash").waitFor();
    expect((await tally.act("list-stocks", {})).items).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    const last = JSON.stringify((await model.requests()).at(-1)?.body);
    expect(last).not.toContain("Only one share");
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
  },
);
