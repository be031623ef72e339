/**
 * The code before a browser's first command. A Worker on this machine asks for none (decision 0083), so its two answers are put
 * in the place of the site's; the second try of the person's answer reaches the site.
 */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { answerCard } from "../../support/browser/answer-card.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { callTool, say } from "../../support/model-script.ts";
import { log, question, runEnd, sendMessage } from "./agent-page.ts";

const CODE = "246810";
const WRONG = "This code is wrong or has expired. Try again, or ask for a new one.";

/** Answers as a deployed Worker does: 403 until the right code came. Gives the codes that came, and how often an answer was refused for one. */
const askForCode = async (page: Page) => {
  const codes: unknown[] = [];
  const refused: string[] = [];
  const refusal = (status: number, error: string, code: string) => ({
    ...{ status, headers: { "X-Error-Code": code }, json: { error } },
  });
  await page.route("**/permissions/*", (route) => {
    if (route.request().method() !== "POST" || codes.includes(CODE)) return route.continue();
    refused.push(route.request().postData() ?? "");
    return route.fulfill(refusal(403, "Enter the code we sent you.", "fresh_code"));
  });
  await page.route("**/_framework/auth/fresh-code", (route) => {
    const { code } = route.request().postDataJSON();
    codes.push(code);
    return route.fulfill(code === CODE ? { json: { ok: true } } : refusal(400, WRONG, "INVALID_OTP"));
  });
  return { codes, refused };
};

it.for(["phone", "desktop"] as const)(
  "is asked for on the card, and the answer goes on behind it: %s",
  async (screen, { phone, desktop, script }) => {
    const model = await script([callTool("run_shell", { command: "echo hi" }), say("Done.")]);
    const page = await (screen === "phone" ? phone : desktop)("/", { allow: [/Failed to load resource/] });
    // It runs, and can be moved: another code is sent after a minute.
    await page.clock.install();
    const { codes, refused } = await askForCode(page);
    await sendMessage(page, model.prompt("Say hi."));
    const card = question(page, "echo hi");
    await answerCard(card, "Allow once");
    const field = card.getByRole("textbox", { name: "Enter the code we emailed you" });
    await field.waitFor();
    expect(await card.getByRole("button", { name: /^New code in \d+ s/ }).isEnabled()).toBe(false);
    await waitForFocus(field);
    await expectNoAxeViolations(page);
    await field.fill("111 111");
    await field.press("Enter");
    await card.getByText(WRONG).waitFor();
    await page.locator(".vh[aria-live]").getByText(WRONG).waitFor({ state: "attached" });
    await expectNoAxeViolations(page);
    expect(await card.locator(".btn.primary").allInnerTexts()).toEqual(["Continue"]);
    expect(await card.getByRole("button", { name: /^Allow/ }).count()).toBe(0);
    // A key that deletes a word of a field answers nothing.
    await field.press("Control+Backspace");
    await page.clock.fastForward(60_000);
    await card.getByRole("button", { name: "Send a new code" }).click();
    await card.getByRole("button", { name: /^New code in/ }).waitFor();
    expect(refused).toEqual(['{"decision":"allow_once"}', '{"decision":"allow_once"}']);
    await waitForFocus(field);
    await field.fill(CODE);
    await card.getByRole("button", { name: "Continue" }).click();
    await runEnd(page).waitFor();
    expect(codes).toEqual(["111111", CODE]);
    expect(await log(page).getByText("You allowed this once.").count()).toBe(1);
  },
);
