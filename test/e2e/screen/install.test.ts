/** The browser's own offer to install the app. It is Chromium's: it comes when the page has loaded, and only in a profile of its own. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { openAccount } from "../../support/browser/account-steps.ts";
import { expectNoAxeViolations } from "../../support/browser/expect-no-axe-violations.ts";
import { openProfilePages } from "../../support/browser/profile-pages.ts";
import { itOnOwnSite } from "../../support/browser/screen-test.ts";
import { waitForFocus } from "../../support/browser/wait-for-focus.ts";

const it = itOnOwnSite({ args: ["--auth"] }).extend("pages", async ({ site, person, task }, { onCleanup }) => {
  // Without the flag it comes only after half a minute on the site.
  const pages = openProfilePages(site.url, person, { args: ["--bypass-app-banner-engagement-checks"] });
  onCleanup(async () => {
    if (task.result?.state === "fail") await pages.keepPictures(task.name);
    await pages.close();
  });
  return pages;
});

/** What the person answers in the browser's own dialog, which a test cannot press. */
const answerWith = async (page: Page, outcome: "accepted" | "dismissed"): Promise<void> => {
  await page.addInitScript((answer) => {
    Object(globalThis).BeforeInstallPromptEvent.prototype.prompt = async () => ({ outcome: answer });
  }, outcome);
  await page.reload();
};

const WORDS = "In the browser's menu choose “Install Tally”.";

it("is a button in Account, which installs", async ({ desktop, person }) => {
  const page = await desktop("/stocks");
  await answerWith(page, "accepted");
  await openAccount(page, person.email);
  const account = page.locator("dialog[open]");
  const button = account.getByRole("button", { name: "Install Tally" });
  await button.waitFor();
  expect(await account.getByText(WORDS).count()).toBe(0);
  await expectNoAxeViolations(page, { within: "dialog[open]" });
  await button.click();
  await account.getByText("Tally is installed. Open it like any other app.").waitFor();
  await waitForFocus(account.getByRole("heading", { name: "Tally as an app" }));
  expect(await button.count()).toBe(0);
});

it("that is turned down leaves the words, as the browser offers it once", async ({ phone, person }) => {
  const page = await phone("/stocks", { colorScheme: "dark" });
  await answerWith(page, "dismissed");
  await openAccount(page, person.email);
  const account = page.locator("dialog[open]");
  await account.getByRole("button", { name: "Install Tally" }).tap();
  // Without a service worker it cannot promise to open offline.
  await account.getByText(/It then has an icon of its own\.$/).waitFor();
  await account.getByText(/^In the browser's menu/).waitFor();
  expect(await account.getByRole("button", { name: "Install Tally" }).count()).toBe(0);
});
