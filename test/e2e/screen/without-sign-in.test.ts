/** What plain `npm run dev` shows: one identity for everybody, and the demo model answers. */
import { expect } from "vitest";
import { openAccount, openAccountMenu } from "../../support/browser/account-steps.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { itOnOwnSite } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { modelButton } from "./agent-page.ts";

const it = itOnOwnSite({ model: "demo" });

it("says that it is for development, and offers nothing that needs a log-in", async ({ phone }) => {
  const page = await phone("/stocks", { colorScheme: "light" });
  await openAccountMenu(page, "dev@local.test");
  await page.getByText("Signed in for development").waitFor();
  expect(await page.getByRole("button", { name: "Sign out" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await openAccount(page, "dev@local.test");
  await page.getByRole("link", { name: "Export my data" }).waitFor();
  expect(await page.getByRole("button", { name: /Sign out|Delete my account/ }).count()).toBe(0);
  await expectNoAxeViolations(page, { within: "dialog[open]" });
});

it("the menu's entries take the focus when they come, and give it back", async ({ desktop }) => {
  const page = await desktop("/stocks");
  const button = page.getByRole("button", { name: "Account of dev@local.test" });
  await button.focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Account");
  const [menu, opener] = await Promise.all([page.locator(".menu:popover-open").boundingBox(), button.boundingBox()]);
  // The button is at the window's lower end: the menu stands above it, whole.
  expect((menu?.y ?? 0) + (menu?.height ?? 0)).toBeLessThanOrEqual(opener?.y ?? 0);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await waitForFocus(button);
});

it("offers no choice of models: there is the demo model alone", async ({ phone }) => {
  const page = await phone("/");
  await page.getByText("Asks before changes", { exact: true }).waitFor();
  expect(await modelButton(page).count()).toBe(0);
});

it("has an empty trash", async ({ tally }) => {
  expect(await tally.act("list-stocks", { deleted: true })).toMatchObject({ total: 0 });
});

it("answers by the demo model", async ({ tally }) => {
  const turn = await tally.startTurn("t", "what do I own");
  expect(await tally.eventsUntil(turn, "run_end")).toContainEqual(
    expect.objectContaining({ type: "tool_start", tool: "list-stocks" }),
  );
});
