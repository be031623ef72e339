/**
 * Pictures of the app: every route on a phone and on a desktop, light and dark, from seeded data and the demo model.
 *
 *   node test/support/browser/take-screens.ts --out DIR [--stocks 40] [--at http://127.0.0.1:8787] [--full] [/stocks …]
 *
 * `--docs` takes those of `docs/screens` instead, see `take-doc-screens.ts`. Without `--at` it starts a site of its own and fills it; a site it is given is only looked at. Files are
 * `<route>-<phone|desktop>-<light|dark>.png`; routes default to `/` and `/stocks`.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { DESKTOP, PHONE } from "./devices.ts";
import { openPages } from "./open-pages.ts";
import { startSite } from "./site.ts";
import { startBrowser } from "./start-browser.ts";
import { takeDocScreens } from "./take-doc-screens.ts";
import { tallyClient } from "./tally-client.ts";

const { values: options, positionals: routes } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string" },
    stocks: { type: "string", default: "40" },
    at: { type: "string" },
    full: { type: "boolean", default: false },
    docs: { type: "boolean", default: false },
  },
});
const out = options.out ?? (options.docs ? join(import.meta.dirname, "../../../docs/screens") : undefined);
if (out === undefined) throw new Error("--out: name a directory for the pictures.");
mkdirSync(out, { recursive: true });

const nameOf = (route: string): string => route.replace(/\W+/g, "-").replace(/^-|-$/g, "") || "home";

const takeAll = async (url: string): Promise<void> => {
  const browser = await startBrowser();
  const pages = openPages(browser, url);
  try {
    for (const route of routes.length > 0 ? routes : ["/", "/stocks"]) {
      for (const [screen, device] of [["phone", PHONE] as const, ["desktop", DESKTOP] as const]) {
        for (const colorScheme of ["light", "dark"] as const) {
          // Networks are never idle beside an open event stream, so wait for what a picture needs: data and fonts.
          const page = await pages.open(device)(route, { colorScheme, reducedMotion: "reduce" });
          await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
          const path = join(out, `${nameOf(route)}-${screen}-${colorScheme}.png`);
          await page.screenshot({ path, fullPage: options.full, animations: "disabled" });
          process.stdout.write(`${path}\n`);
        }
      }
    }
    await pages.close();
  } finally {
    await browser.close();
  }
};

if (options.docs) await takeDocScreens(out);
else if (options.at === undefined) {
  const site = await startSite({ model: "demo" });
  try {
    const tally = tallyClient(site.url);
    await tally.seedStocks(Number(options.stocks));
    await tally.startTurn("first", "what do I own");
    await takeAll(site.url);
  } finally {
    await site.stop();
  }
} else await takeAll(options.at);
