/**
 * The pictures of `docs/screens`: `npm run screens -- --docs`. They show `npm run dev -- --demo`, as somebody sees it who tries the app:
 * the example list, and the demo model. Its prices move, so amounts differ from one taking to the next.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { readyButton } from "./answer-card.ts";
import { DESKTOP, PHONE } from "./devices.ts";
import { startSite } from "./site.ts";
import { startBrowser } from "./start-browser.ts";

/** Sharp enough for a README, and small enough for a repository. */
const PHONE_LOOK = { ...PHONE, deviceScaleFactor: 2 } as const;

const IMPORTED = `Symbol,Name,Quantity,Average cost,Currency
BAS,BASF,12,48.20,EUR
ASML,ASML Holding,3,"640.50",EUR
COST,Costco,6,880.00,USD
TSM,TSMC,25,141.10,USD
9984,SoftBank Group,abc,7100,JPY
`;

/** What the agent is asked to write over the file of the workspace. */
const PLAN = ["# Plan", "", "Buy LVMH below 500.", "Nothing above 5 % of the whole."].join("\n");

/** Takes one picture, of what `act` has brought about on `path`. */
type Shot = {
  readonly name: string;
  readonly path: string;
  readonly look: BrowserContextOptions;
  readonly act: (page: Page) => Promise<void>;
};

const ask = async (page: Page, text: string): Promise<void> => {
  await page.getByRole("textbox", { name: /message|ask/i }).fill(text);
  await page.getByRole("button", { name: /^send/i }).click();
  await readyButton(page, "Allow once");
};

/** Each stock of the list in view has its line of the last month, and the totals know today. */
const rows = async (page: Page): Promise<void> => {
  await page.locator("[data-id]").first().waitFor();
  const withoutLine = page.locator("[data-id]").filter({ hasNot: page.locator(".spark") });
  await withoutLine.first().waitFor({ state: "detached" });
};

const SHOTS: readonly Shot[] = [
  {
    name: "stocks-desktop-light",
    path: "/stocks",
    look: { ...DESKTOP, viewport: { width: 1_440, height: 900 }, colorScheme: "light" },
    act: async (page) => {
      await rows(page);
      await ask(page, "Add 5 SIE at 180");
    },
  },
  {
    name: "stocks-phone-light",
    path: "/stocks?tab=holdings",
    look: { ...PHONE_LOOK, colorScheme: "light" },
    act: rows,
  },
  {
    name: "watchlist-phone-dark",
    path: "/stocks?tab=watchlist",
    look: { ...PHONE_LOOK, colorScheme: "dark" },
    act: rows,
  },
  {
    name: "chat-desktop-dark",
    path: "/",
    look: { ...DESKTOP, colorScheme: "dark" },
    act: (page) => ask(page, `Write plan.md: ${PLAN}`),
  },
  {
    name: "add-phone-light",
    path: "/stocks?dialog=add",
    look: { ...PHONE_LOOK, colorScheme: "light" },
    act: async (page) => {
      await page.getByRole("combobox", { name: "Symbol" }).fill("SIE 5 @ 180 EUR #industry");
    },
  },
  {
    name: "import-desktop-light",
    path: "/stocks?dialog=import",
    look: { ...DESKTOP, colorScheme: "light" },
    act: async (page) => {
      await page.getByLabel("Paste symbols, lines or a table").fill(IMPORTED);
      await page.getByRole("button", { name: "Preview", exact: true }).click();
      await page.getByRole("button", { name: /^Import \d/ }).waitFor();
    },
  },
];

const take = async (browser: Browser, baseURL: string, out: string, { name, path, look, act }: Shot): Promise<void> => {
  const context = await browser.newContext({ ...look, baseURL, reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(path);
  await act(page);
  const file = join(out, `${name}.png`);
  await page.screenshot({ path: file, animations: "disabled", caret: "hide" });
  process.stdout.write(`${file}\n`);
  await context.close();
};

/** Takes all of them into `out`. */
export const takeDocScreens = async (out: string): Promise<void> => {
  mkdirSync(out, { recursive: true });
  const site = await startSite({ model: "demo", args: ["--demo"] });
  try {
    writeFileSync(join(site.workspaceDir, "plan.md"), "# Plan\n\nBuy LVMH below 480.\n");
    const browser = await startBrowser();
    try {
      for (const shot of SHOTS) await take(browser, site.url, out, shot);
    } finally {
      await browser.close();
    }
  } finally {
    await site.stop();
  }
};
