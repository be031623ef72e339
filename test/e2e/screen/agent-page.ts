/** What tests of the agent do and look for on a page, in the words of a person. */
import type { Locator, Page } from "playwright-core";
import { untilSeen } from "../../support/browser/until-seen.ts";

/** Where one writes to the agent. */
export const composer = (page: Page): Locator => page.getByRole("textbox", { name: "Message to the agent" });

/** Sends a message. */
export const sendMessage = async (page: Page, text: string): Promise<void> => {
  await composer(page).fill(text);
  await composer(page).press("Enter");
};

/**
 * Resolves once the composer says that the server cannot be reached. It says so for some seconds only, as the server is there: begin it
 * before the message is sent, and await it after.
 */
export const untilUnreachable = (page: Page): Promise<void> =>
  untilSeen(page, ".composer [role=alert]", "The server cannot be reached.");

/** The chat's log. */
export const log = (page: Page): Locator => page.getByRole("log", { name: "Chat" });

/** What the nth run cost, from 0: there once it is over. */
export const runEnd = (page: Page, nth = 0): Locator => log(page).locator(".cost").nth(nth);

/** The open question of the agent. */
export const question = (page: Page, title: string): Locator => page.getByRole("group", { name: `${title}?` });

/** Names the model that the next message goes to, and opens what can be chosen. */
export const modelButton = (page: Page): Locator => page.getByRole("button", { name: /^Model: / });

/** Picks a model, or an effort, by the beginning of its name. */
export const pickModel = async (page: Page, name: RegExp): Promise<void> => {
  await modelButton(page).click();
  await page.locator(".menu:popover-open").getByRole("button", { name }).click();
};

/** Shows a toast that stays until it is dismissed: the browser refuses to copy the code that the agent wrote. */
export const refuseCopy = async (page: Page): Promise<Locator> => {
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))");
  await log(page).getByRole("button", { name: "Copy", exact: true }).press("Enter");
  const toast = page.locator(".toast").filter({ hasText: "The browser did not allow copying." });
  await toast.waitFor();
  return toast;
};
