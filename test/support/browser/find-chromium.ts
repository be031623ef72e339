/** Which Chromium this machine has. A file that is there but cannot run (a package manager's stub) does not count. */
import { spawnSync } from "node:child_process";
import { chromium } from "playwright-core";

/** Where systems put the whole browser; the last one is what Playwright itself would have downloaded. */
export const WHOLE_BROWSER_PLACES: readonly string[] = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  chromium.executablePath(),
];

/**
 * The one without windows comes first: it does a page in a third of the work, and the screen tests in three quarters of the time. It
 * has no notifications: `Notification.permission` is "denied" there whatever was granted.
 */
export const USUAL_PLACES: readonly string[] = ["/usr/bin/chromium-headless-shell", ...WHOLE_BROWSER_PLACES];

/** How long `--version` may take, in ms: seconds on a cold disk. */
const VERSION_TIMEOUT_MS = 20_000;

/**
 * Path of a Chromium that runs: only `chosen` (CHROMIUM_PATH) when it is given, or else the first of `places`.
 *
 * @throws {Error} when the chosen one does not run: silently taking another would hide the mistake.
 */
export const findChromium = (
  chosen: string | undefined,
  places: readonly string[] = USUAL_PLACES,
): string | undefined => {
  if (!chosen) return places.find(isRunnable);
  if (isRunnable(chosen)) return chosen;
  throw new Error(`CHROMIUM_PATH: ${chosen} does not run. Name a Chromium that does, or leave it unset.`);
};

const isRunnable = (path: string): boolean =>
  spawnSync(path, ["--version"], { stdio: "ignore", timeout: VERSION_TIMEOUT_MS }).status === 0;
