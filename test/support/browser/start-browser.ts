/** A browser to look at pages with. A start costs a second. */
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
} from "playwright-core";
import { ensureChromium } from "./ensure-chromium.ts";

/**
 * No sandbox, because tests also run as root, and open this project's own pages alone; nothing that calls home. Keys scroll at
 * once: gliding to the next page takes half a second each time, and long texts have dozens.
 */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-smooth-scrolling",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
] as const;

/** Starts a headless Chromium, by default whichever is the fastest here. Ctrl-C is left to the test runner. */
export const startBrowser = (moreFlags: readonly string[] = [], path = ensureChromium()): Promise<Browser> =>
  chromium.launch({
    executablePath: path,
    headless: true,
    args: [...FLAGS, ...moreFlags],
    handleSIGINT: false,
  });

/** A browser with a profile of its own in `dir`, and its only context. Contexts of other browsers are as windows that forget all. */
export const startProfile = (
  dir: string,
  path: string,
  { args = [], ...options }: BrowserContextOptions & Pick<LaunchOptions, "args" | "env">,
): Promise<BrowserContext> =>
  chromium.launchPersistentContext(dir, {
    ...options,
    executablePath: path,
    headless: true,
    args: [...FLAGS, ...args],
    handleSIGINT: false,
  });
