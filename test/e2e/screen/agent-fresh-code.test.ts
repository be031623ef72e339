/**
 * The code before a browser's first command. A Worker on this machine asks for none (docs/decisions/0083), so its two answers are put
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

/** Answers as a deployed Worker does: 403 until the right code came. Gives the codes that came. */
const askForCode = async (page: Page): Promise<readonly unknown[]> => {
  const codes: unknown[] = [];
  const refusal = (status: number, error: string, code: string) => ({
    ...{ status, headers: { "X-Error-Code": code }, json: { error } },
  });
  await page.route("**/permissions/*", (route) =>
    route.request().method() !== "POST" || codes.includes(CODE)
      ? route.continue()
      : route.fulfill(refusal(403, "Enter the code we sent you.", "fresh_code")),
  );
  await page.route("**/_framework/auth/fresh-code", (route) => {
    const { code } = route.request().postDataJSON();
    codes.push(code);
    return route.fulfill(code === CODE ? { json: { ok: true } } : refusal(400, WRONG, "INVALID_OTP"));
  });
  return codes;
};

it.for(["phone", "desktop"] as const)(
  "is asked for on the card, and the answer goes on behind it: %s",
  async (screen, { phone, desktop, script }) => {
    const model = await script([callTool("run_shell", { command: "echo hi" }), say("Done.")]);
    const page = await (screen === "phone" ? phone : desktop)("/", { allow: [/Failed to load resource/] });
    const codes = await askForCode(page);
    await sendMessage(page, model.prompt("Say hi."));
    const card = question(page, "echo hi");
    await answerCard(card, "Allow once");
    const field = card.getByRole("textbox", { name: "Enter the code we sent you" });
    await field.waitFor();
    await waitForFocus(field);
    await expectNoAxeViolations(page);
    await field.fill("111 111");
    await field.press("Enter");
    await card.getByText(WRONG).waitFor();
    await expectNoAxeViolations(page);
    await field.fill(CODE);
    await card.getByRole("button", { name: "Continue" }).click();
    await runEnd(page).waitFor();
    expect(codes).toEqual(["111111", CODE]);
    expect(await log(page).getByText("You allowed this once.").count()).toBe(1);
  },
);
