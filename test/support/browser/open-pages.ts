/** Opens pages for one test and, at its end, closes them and fails the test for any trouble they had. */
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { watchTroubles } from "./page-troubles.ts";
import type { Person } from "./person.ts";

/** How a page is opened. */
type PageOptions = Pick<
  BrowserContextOptions,
  "colorScheme" | "reducedMotion" | "permissions" | "timezoneId" | "userAgent"
> & {
  /** Troubles that the test causes on purpose, such as `/409/`; matched against the whole line. */
  readonly allow?: readonly RegExp[];
  /** Base address instead of the site's, such as a weak link's. */
  readonly at?: string;
};

/**
 * Opens a path in a context of its own and waits for `load`. More tabs of the same person: `page.context().newPage()`. Tests
 * that took over the context of the one before, for its cache, were 5 % faster, and a list once never came.
 */
export type OpenPage = (path: string, options?: PageOptions) => Promise<Page>;

/**
 * Longest wait of any step on a page, in ms: below a test's own time-out, so that its message is the one reported, and below the 25 s after
 * which a page replaces a silent stream, so that no step passes because of that.
 */
const STEP_TIMEOUT_MS = 20_000;

/** Longest wait for a picture, in ms. */
const PICTURE_TIMEOUT_MS = 5_000;

/** Pictures of failed tests; where a test left its page says more than its message. */
const PICTURES_DIR = process.env.FAILED_SCREENS_DIR ?? join(tmpdir(), "tally-failed-screens");

/** Opens pages on `siteUrl` for a person, by default nobody. `close` throws when any of them had troubles that were not allowed. */
export const openPages = (
  browser: Pick<Browser, "newContext">,
  siteUrl: string,
  { cookies }: Pick<Person, "cookies"> = { cookies: [] },
) => {
  const opened: Page[] = [];
  const closings: (() => Promise<readonly string[]>)[] = [];
  const open =
    (device: BrowserContextOptions): OpenPage =>
    async (path, { allow = [], at = siteUrl, ...options } = {}) => {
      const context = await browser.newContext({ ...device, ...options, baseURL: at });
      context.setDefaultTimeout(STEP_TIMEOUT_MS);
      await context.addCookies([...cookies]);
      const troubles = watchTroubles(context, new URL(at).origin);
      closings.push(async () => {
        // Read before closing: closing itself cuts requests.
        const found = troubles.filter((trouble) => !allow.some((pattern) => pattern.test(trouble)));
        await context.close();
        return found;
      });
      const page = await context.newPage();
      opened.push(page);
      await page.goto(path);
      return page;
    };
  const close = async () => {
    const found = (await Promise.all(closings.map((closePage) => closePage()))).flat();
    if (found.length > 0) throw new Error(`The page had troubles:\n${found.join("\n")}`);
  };
  /** Keeps a picture of every page, for a test that failed, and says where. */
  const keepPictures = async (testName: string) => {
    for (const [index, page] of opened.entries()) {
      const path = join(PICTURES_DIR, `${testName.replace(/\W+/g, "-").slice(0, 80)}-${index + 1}.png`);
      // A page that is frozen, closed or crashed has no picture; its test has failed anyway.
      const picture = await page.screenshot({ path, timeout: PICTURE_TIMEOUT_MS }).catch(() => undefined);
      if (picture !== undefined) process.stderr.write(`Picture of the page that failed: ${path}\n`);
    }
  };
  return { open, close, keepPictures };
};
