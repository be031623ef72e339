/** What people do in the account menu, for tests that come there often. */
import type { Page } from "playwright-core";

/**
 * Opens the menu of the person who is signed in. Until the session has loaded its button is called `Account`, as an entry of the menu is:
 * whoever presses the one must not mean the other.
 */
export const openAccountMenu = async (page: Page, email: string): Promise<void> => {
  await page.getByRole("button", { name: `Account of ${email}` }).click();
  await page.getByRole("button", { name: "Keyboard shortcuts" }).waitFor();
};

/** Opens the account's dialog. */
export const openAccount = async (page: Page, email: string): Promise<void> => {
  await openAccountMenu(page, email);
  await page.getByRole("button", { name: "Account", exact: true }).last().click();
  await page.getByRole("heading", { name: "Account", exact: true }).waitFor();
};

/** Posts as the person of the page, as its own scripts would; returns the response's status. */
export const postAs = (page: Page, path: string, body: object): Promise<number> =>
  page.evaluate(
    async ([to, text]) => {
      const init = { method: "POST", headers: { "content-type": "application/json" }, body: text };
      return (await fetch(to, init)).status;
    },
    [path, JSON.stringify(body)] as const,
  );

/**
 * Resolves once the server has taken the page's place from it. A page reports its place by itself, a moment after it has opened: call
 * this before it opens, and await it before the page's log-in is ended. Otherwise that report may be what finds out, and the
 * sign-in screen replaces what the test is about to press. `place`: what the report names, where an earlier page may report as well.
 */
export const placeReported = async (page: Page, place = ""): Promise<void> => {
  await page.waitForResponse(
    (response) =>
      response.url().endsWith("/set-navigation") &&
      response.ok() &&
      (response.request().postData() ?? "").includes(place),
  );
};
