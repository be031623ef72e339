/** Links in what the agent says: each tells where it leads, and one that looks like another place asks first. */
import { expect } from "vitest";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { it } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";
import { say } from "../../support/model-script.ts";
import { log, runEnd, sendMessage } from "./agent-page.ts";

it("a link says its real host beside it and opens in a tab of its own", async ({ phone, script }) => {
  const model = await script([say("See [the docs](https://example.org/page) or https://example.com/a.html.")]);
  const page = await phone("/", { colorScheme: "light" });
  await sendMessage(page, model.prompt("Links."));
  const link = log(page).getByRole("link", { name: "the docs" });
  await link.waitFor();
  expect(await log(page).locator(".markdown").innerText()).toBe(
    "See the docs (example.org) or https://example.com/a.html.",
  );
  expect(await link.getAttribute("target")).toBe("_blank");
  await expectNoAxeViolations(page);
});

it("a link that looks like another place asks before it opens, and names the real one", async ({ phone, script }) => {
  const model = await script([say("Log in at [**paypal**.com](https://evil.test/login).")]);
  const page = await phone("/", { colorScheme: "dark" });
  await sendMessage(page, model.prompt("Links."));
  await runEnd(page).waitFor();
  const asks = log(page).getByRole("button", { name: "paypal.com" });
  // Nothing that a middle click or the browser's menu would open.
  expect(await log(page).getByRole("link").count()).toBe(0);
  await asks.click();
  const dialog = page.getByRole("dialog", { name: "Open this link?" });
  await dialog.getByText("It leads to evil.test. Its text looks like a different address.").waitFor();
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  const open = dialog.getByRole("link", { name: "Open evil.test" });
  expect(await open.getAttribute("href")).toBe("https://evil.test/login");
  expect(await open.getAttribute("rel")).toContain("noopener");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await waitForFocus(asks);
  expect(page.context().pages()).toHaveLength(1);
});

it("a mail that is written already shows what it says before it opens", async ({ desktop, script }) => {
  const model = await script([say("[Ask us](mailto:help@example.org?subject=Hi&body=My%20list%3A%20AAPL%2010).")]);
  const page = await desktop("/");
  await sendMessage(page, model.prompt("Links."));
  // While the agent still writes: what comes behind takes nothing from the dialog, its name neither.
  await log(page).getByRole("button", { name: "Ask us" }).press("Enter");
  await runEnd(page).waitFor();
  const dialog = page.getByRole("dialog", { name: "Write this email?" });
  await dialog.getByText("It leads to help@example.org. The agent filled in part of the email.").waitFor();
  await dialog.getByText("My list: AAPL 10", { exact: true }).waitFor();
  expect(await dialog.getByRole("link", { name: "Write it" }).getAttribute("href")).toMatch(
    /^mailto:help@example\.org/,
  );
});
