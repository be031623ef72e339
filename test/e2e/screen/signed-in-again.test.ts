/** What was begun before a log-in ended goes on after the person has signed in again, and the new list shows it; nobody else finds it. */
import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { openAccountMenu, postAs } from "../../support/browser/account-steps.ts";
import { holdNext } from "../../support/browser/hold-next.ts";
import { hideTab, showTab } from "../../support/browser/page-life.ts";
import { it, SIGNED_OUT } from "../../support/browser/sign-in-test.ts";
import { keepToast } from "../../support/browser/until-seen.ts";

const endLogin = async (page: Page): Promise<void> => {
  expect(await postAs(page, "/_framework/auth/revoke-sessions", {})).toBe(200);
};

it("an import that was paused by it is resumed, and ends", async ({ desktop, signIn }) => {
  const page = await desktop("/stocks?dialog=import", { allow: SIGNED_OUT });
  await signIn(page, "importer@example.com");
  const lines = Array.from({ length: 150 }, (_, index) => `Q${index}`).join("\n");
  await page.getByLabel("Paste symbols, lines or a table").fill(lines);
  await page.getByRole("button", { name: "Preview" }).click();
  const confirm = page.getByRole("button", { name: "Import 150 stocks" });
  await confirm.waitFor();
  const letGo = await holdNext(page, "**/add-stock");
  // The first batch. The route that was added last comes first.
  await page.route("**/add-stock", (route) => route.continue(), { times: 1 });
  await confirm.click();
  await page.getByText("100 of 150 sent").waitFor();
  await endLogin(page);
  const refused = page.waitForResponse((response) => response.url().endsWith("/add-stock"));
  letGo();
  expect((await refused).status()).toBe(401);
  await page.getByText("You have been signed out.").waitFor();
  await signIn(page, "importer@example.com");
  await page.locator("h1").getByText("100", { exact: true }).waitFor();
  await page.getByRole("heading", { name: "Import paused" }).waitFor();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("heading", { name: "Import finished" }).waitFor();
  await page.locator("h1").getByText("150", { exact: true }).waitFor();
});

it("Try again in a message from before changes what the list shows", async ({ desktop, signIn }) => {
  const page = await desktop("/stocks", { allow: [...SIGNED_OUT, /status of 503/] });
  await signIn(page, "retrier@example.com");
  expect(await postAs(page, "/_framework/actions/add-stock", { symbol: "AAPL", quantity: "1" })).toBe(200);
  await page.reload();
  await page.route(
    "**/update-stock",
    (route) => route.fulfill({ status: 503, json: { error: "The list is unavailable." } }),
    { times: 1 },
  );
  await page.getByRole("button", { name: "Watch AAPL" }).click();
  await page.getByText("AAPL may not have been added to the watchlist.").waitFor();
  await endLogin(page);
  // The page reports its new place, and learns of it, unless it has by itself: then there is no such tab any more.
  await page.evaluate(() => document.querySelector<HTMLElement>("#tab-holdings")?.click());
  await page.getByText("You have been signed out.").waitFor();
  await signIn(page, "retrier@example.com");
  await page.getByRole("button", { name: "Watch AAPL" }).waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Remove AAPL from watchlist" }).waitFor();
});

it("what was typed into a draft is in the form, and a message from before still leads to its stock", async ({
  desktop,
  signIn,
}) => {
  const page = await desktop("/stocks?dialog=add", { allow: SIGNED_OUT });
  await signIn(page, "drafter@example.com");
  const symbol = page.getByRole("combobox", { name: "Symbol" });
  await symbol.fill("AAPL");
  await symbol.press("Enter");
  await symbol.waitFor({ state: "detached" });
  await keepToast(page, "AAPL added");
  await page.getByRole("searchbox").fill("MSFT");
  await page.getByRole("button", { name: "Add “MSFT”" }).click();
  await expect.poll(() => symbol.inputValue()).toBe("MSFT");
  await symbol.fill("MSFX");
  await endLogin(page);
  await page.evaluate(() => document.querySelector<HTMLElement>("#tab-holdings")?.click());
  await page.getByText("You have been signed out.").waitFor();
  await signIn(page, "drafter@example.com");
  // The message is shown anew, and goes after its time.
  await keepToast(page, "AAPL added");
  await expect.poll(() => symbol.inputValue()).toBe("MSFX");
  await page.getByRole("button", { name: "View" }).click();
  await page.getByRole("dialog", { name: "AAPL" }).waitFor();
});

it("what is typed is in the storage only while the tab is hidden, and never after a sign-out", async ({
  desktop,
  signIn,
}) => {
  const page = await desktop("/stocks?dialog=add", { allow: SIGNED_OUT });
  await signIn(page, "typist@example.com");
  await page.getByRole("combobox", { name: "Symbol" }).fill("NVDA");
  const stored = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  await hideTab(page);
  expect(await stored()).toContain("NVDA");
  await showTab(page);
  expect(await stored()).not.toContain("NVDA");
  const other = await page.context().newPage();
  await other.goto("/stocks");
  await openAccountMenu(other, "typist@example.com");
  await other.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in to Tally" }).waitFor();
  await hideTab(page);
  expect(await stored()).not.toContain("NVDA");
});

describe("what somebody typed before their log-in ended is not shown to the next person on the tab", () => {
  /** A tab of which the first person's log-in has ended, and which has what they typed in memory. */
  const leaveTyped = async (page: Page): Promise<Locator> => {
    const symbol = page.getByRole("combobox", { name: "Symbol" });
    await symbol.fill("NVDA");
    await page.context().clearCookies();
    const { promise: isTaken, resolve: letGo } = Promise.withResolvers<void>();
    await page.route("**/_framework/**", async (route) => {
      await isTaken;
      await route.fallback();
    });
    await page.reload();
    await expect.poll(() => symbol.inputValue()).toBe("NVDA");
    letGo();
    await page.getByRole("heading", { name: "Sign in to Tally" }).waitFor();
    return symbol;
  };

  it("who signs in on it", async ({ desktop, signIn }) => {
    const page = await desktop("/stocks?dialog=add", { allow: SIGNED_OUT });
    await signIn(page, "first-here@example.com");
    const symbol = await leaveTyped(page);
    await signIn(page, "next-here@example.com");
    await symbol.waitFor();
    expect(await symbol.inputValue()).toBe("");
  });

  it("who signs in on another tab", async ({ desktop, signIn }) => {
    const page = await desktop("/stocks?dialog=add", { allow: SIGNED_OUT });
    await signIn(page, "first-there@example.com");
    const symbol = await leaveTyped(page);
    const other = await page.context().newPage();
    await other.goto("/stocks");
    await signIn(other, "next-there@example.com");
    await page.getByRole("button", { name: "Account of next-there@example.com" }).waitFor();
    await symbol.waitFor();
    expect(await symbol.inputValue()).toBe("");
  });
});
