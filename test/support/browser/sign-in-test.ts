/**
 * `it` of screen tests that sign in: a site of the file's own with `--auth` and its limits, where the dev command prints
 * the codes. Each test takes addresses of its own; 30 codes for all of a file are within the limits.
 *
 * @example
 * it("greets", async ({ phone, signIn }) => {
 *   const page = await phone("/stocks", { allow: SIGNED_OUT });
 *   await signIn(page, "ann@example.com");
 * });
 */
import { chromium, type Page } from "playwright-core";
import { it as base, expect, inject } from "vitest";
import { DESKTOP, PHONE } from "./devices.ts";
import { openPages } from "./open-pages.ts";
import { startSite } from "./site.ts";
import type {} from "./start-screens.ts";
import { startWeakLink } from "./weak-link.ts";

/** What the browser's console says of requests while nobody is signed in. */
export const SIGNED_OUT: readonly RegExp[] = [/status of 401/];

/** Longest wait for a line of the dev command, in ms. */
const PRINT_TIMEOUT_MS = 5_000;

/** Tests on a site with sign-in. */
export const it = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads off the pattern which fixtures are needed: none.
  .extend("site", { scope: "file" }, async ({}, { onCleanup }) => {
    const site = await startSite({ model: "demo", args: ["--auth", "--rate-limits"] });
    onCleanup(site.stop);
    return site;
  })
  .extend("browser", { scope: "file" }, async ({ site: _ }, { onCleanup }) => {
    const browser = await chromium.connect(inject("browserEndpoint"));
    onCleanup(() => browser.close());
    return browser;
  })
  /** The next code that is printed for an address, after those that were asked for here before. */
  .extend("nextCode", { scope: "file" }, ({ site }) => {
    const taken = new Map<string, number>();
    return async (email: string): Promise<string> => {
      const place = taken.get(email) ?? 0;
      taken.set(email, place + 1);
      const line = new RegExp(`Sign-in code for ${email}: (\\d{6})`, "g");
      const codes = () => [...site.output().matchAll(line)].map(([, code = ""]) => code);
      await expect.poll(() => codes().length, { timeout: PRINT_TIMEOUT_MS }).toBeGreaterThan(place);
      return codes()[place] ?? "";
    };
  })
  .extend("pages", async ({ browser, site, task }, { onCleanup }) => {
    const pages = openPages(browser, site.url);
    onCleanup(async () => {
      if (task.result?.state === "fail") await pages.keepPictures(task.name);
      await pages.close();
    });
    return pages;
  })
  .extend("phone", ({ pages }) => pages.open(PHONE))
  .extend("desktop", ({ pages }) => pages.open(DESKTOP))
  .extend("link", async ({ site }, { onCleanup }) => {
    const link = await startWeakLink(site.url);
    onCleanup(link.close);
    return link;
  })
  /** Signs in on a page that shows the sign-in screen, and waits for the app. */
  .extend("signIn", ({ nextCode }) => async (page: Page, email: string): Promise<void> => {
    await askForCode(page, email);
    await page.getByLabel("Code", { exact: true }).fill(await nextCode(email));
    await page.getByRole("button", { name: `Account of ${email}` }).waitFor();
  });

/** The first step. */
export const askForCode = async (page: Page, email: string): Promise<void> => {
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.getByLabel("Code", { exact: true }).waitFor();
};

/** A code that is surely not this one. */
export const otherCode = (code: string): string => code.replace(/^./, (digit) => String((Number(digit) + 1) % 10));
