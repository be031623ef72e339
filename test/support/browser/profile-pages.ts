/** Pages in a whole browser with a profile of its own, for what windows that forget everything cannot do. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContextOptions } from "playwright-core";
import { ensureChromium } from "./ensure-chromium.ts";
import { WHOLE_BROWSER_PLACES } from "./find-chromium.ts";
import { openPages } from "./open-pages.ts";
import type { Person } from "./person.ts";
import { startProfile } from "./start-browser.ts";

/** Opens pages on `siteUrl` for a person. `close` also removes the profile. */
export const openProfilePages = (
  siteUrl: string,
  person: Person,
  more: Pick<Parameters<typeof startProfile>[2], "args" | "env">,
): ReturnType<typeof openPages> => {
  const dir = mkdtempSync(join(tmpdir(), "tally-profile-"));
  const newContext = (options: BrowserContextOptions = {}) =>
    startProfile(dir, ensureChromium(WHOLE_BROWSER_PLACES), { ...options, ...more });
  const pages = openPages({ newContext }, siteUrl, person);
  const close = async () => {
    await pages.close();
    rmSync(dir, { recursive: true, force: true });
  };
  return { ...pages, close };
};
