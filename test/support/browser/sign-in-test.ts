/**
 * `it` of screen tests that sign in, on the site of all files, whose dev command prints the codes. Each test takes addresses
 * of its own.
 *
 * @example
 * it("greets", async ({ phone, signIn }) => {
 *   const page = await phone("/stocks", { allow: SIGNED_OUT });
 *   await signIn(page, "ann@example.com");
 * });
 */
import type { Page } from "playwright-core";
import { nthCode, type Person } from "./person.ts";
import { itOnOwnSite, it as signedIn } from "./screen-test.ts";

/** What the browser's console says of requests while nobody is signed in. */
export const SIGNED_OUT: readonly RegExp[] = [/status of 401/];

/** Who opens the pages, before they sign in. */
const NOBODY: Person = { email: "", cookies: [] };

/** Tests of people who have not signed in yet. */
export const it = signedIn
  .extend("person", () => NOBODY)
  /** The next code that is printed for an address, after those that were asked for here before. */
  .extend("nextCode", { scope: "file" }, ({ site }) => {
    const taken = new Map<string, number>();
    return async (email: string): Promise<string> => {
      const place = taken.get(email) ?? 0;
      taken.set(email, place + 1);
      return await nthCode(site, email, place);
    };
  })
  /** Signs in on a page that shows the sign-in screen, and waits for the app. */
  .extend("signIn", ({ nextCode }) => async (page: Page, email: string): Promise<void> => {
    await askForCode(page, email);
    await page.getByLabel("Code", { exact: true }).fill(await nextCode(email));
    await page.getByRole("button", { name: `Account of ${email}` }).waitFor();
  });

/** Tests on a site of the file's own that counts how often somebody does something. */
export const itWithLimits = itOnOwnSite({ args: ["--auth", "--rate-limits"] }).extend("person", () => NOBODY);

/** The first step. */
export const askForCode = async (page: Page, email: string): Promise<void> => {
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.getByLabel("Code", { exact: true }).waitFor();
};

/** A code that is surely not this one. */
export const otherCode = (code: string): string => code.replace(/^./, (digit) => String((Number(digit) + 1) % 10));
