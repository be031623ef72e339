/** The one browser of a run: a server that every test file connects to, because a start costs a second. */
import { type BrowserServer, chromium } from "playwright-core";
import { ensureChromium } from "./ensure-chromium.ts";

/** No sandbox, because tests also run as root, and open this project's own pages alone; nothing that calls home. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
] as const;

/** Starts a headless Chromium; `wsEndpoint()` is for `chromium.connect`. Ctrl-C is left to the test runner. */
export const startBrowser = (moreFlags: readonly string[] = []): Promise<BrowserServer> =>
  chromium.launchServer({
    executablePath: ensureChromium(),
    headless: true,
    args: [...FLAGS, ...moreFlags],
    handleSIGINT: false,
  });
