/**
 * `it` of screen tests. All files share one site (`start-screens.ts`), and those of one process a browser. Each test is
 * somebody new who has signed in, with no stocks, no threads and an empty trash, so tests do not see each other. A file that
 * needs the demo model or other options takes a site of its own: `itOnOwnSite`.
 *
 * @example
 * it("shows what the agent adds", async ({ phone, tally, script }) => {
 *   await tally.seedStocks([{ symbol: "AAPL" }]);
 *   const model = await script([callTool("add-stock", { symbol: "MSFT" }), say("Added.")]);
 *   const page = await phone("/stocks", { colorScheme: "dark" });
 *   await tally.answerPermission(await tally.startTurn("t", model.prompt("Add MSFT")), "allow_once");
 *   await page.getByText("MSFT").waitFor();
 *   await expectNoAxeViolations(page);
 * });
 */
import { it as base, inject } from "vitest";
import type { Reply } from "../model-server/reply.ts";
import { priceRoom, type WorldSetting } from "../price-server/price-room.ts";
import { type ScriptedModel, scriptModel } from "../scripted-model.ts";
import { DESKTOP, PHONE } from "./devices.ts";
import { openPages } from "./open-pages.ts";
import { newPerson, type Person } from "./person.ts";
import { type Site, type SiteOptions, startSite } from "./site.ts";
import { startBrowser } from "./start-browser.ts";
import type {} from "./start-screens.ts";
import { tallyClient } from "./tally-client.ts";
import { startWeakLink } from "./weak-link.ts";

/** Queues what the model answers; put its `prompt` around the text that a person types or `startTurn` sends. */
type Script = (replies: readonly Reply[]) => Promise<ScriptedModel>;

/** A page of a test lives for two seconds: compiling its script again, to be faster, takes longer than it saves. */
const SHORT_LIVED = ["--js-flags=--no-opt --no-maglev"] as const;

/** Tests on the site that all files share. */
export const it = base
  .extend("site", { scope: "file" }, (): Site => inject("site"))
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads off the pattern which fixtures are needed: none.
  .extend("browser", { scope: "worker" }, async ({}, { onCleanup }) => {
    const browser = await startBrowser(SHORT_LIVED);
    onCleanup(() => browser.close());
    return browser;
  })
  /** Who is signed in on the pages and in `tally`. */
  .extend("person", ({ site }): Promise<Person> => newPerson(site))
  .extend("tally", ({ site, person }) => tallyClient(site.url, person))
  // At its end, no request may have gone unscripted or have been one that the real API would refuse.
  .extend("script", async ({ site }, { onCleanup }): Promise<Script> => {
    const scripts: ScriptedModel[] = [];
    onCleanup(async () => {
      const violations = (await Promise.all(scripts.map((script) => script.violations()))).flat();
      if (violations.length > 0) throw new Error(`The model server had troubles:\n${violations.join("\n")}`);
    });
    return async (replies) => {
      if (site.modelUrl === undefined) throw new Error("The demo model of this site takes no script.");
      const script = await scriptModel(site.modelUrl, replies);
      scripts.push(script);
      return script;
    };
  })
  /** Gives the person a key to a room of their own at a price source, which knows these listings. */
  .extend("prices", ({ site, tally }) => async (world: WorldSetting, source: "twelvedata" | "eodhd" = "twelvedata") => {
    const room = priceRoom(site.priceUrl);
    await room.set(world);
    await tally.send("PUT", "/_framework/settings/quotes-key", { source, key: room.key });
    return room;
  })
  .extend("pages", async ({ browser, site, person, task }, { onCleanup }) => {
    const pages = openPages(browser, site.url, person);
    onCleanup(async () => {
      if (task.result?.state === "fail") await pages.keepPictures(task.name);
      await pages.close();
    });
    return pages;
  })
  /** 360 × 740, touch. In the pixels of the page alone: drawing nine for each of them would take longer than the tests. */
  .extend("phone", ({ pages }) => pages.open({ ...PHONE, deviceScaleFactor: 1 }))
  /** 1280 × 800, mouse. */
  .extend("desktop", ({ pages }) => pages.open(DESKTOP))
  /** A connection to the site that the test can break. */
  .extend("link", async ({ site }, { onCleanup }) => {
    const link = await startWeakLink(site.url);
    onCleanup(link.close);
    return link;
  });

/** Tests on a site of the file's own; costs its start. Without `--auth` all of its tests are one person. Call it once, at the top of the file. */
export const itOnOwnSite = (options: SiteOptions = {}): typeof it =>
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads off the pattern which fixtures are needed: none.
  it.extend("site", { scope: "file" }, async ({}, { onCleanup }): Promise<Site> => {
    const { stop, ...site } = await startSite({ ...options, madeState: inject("madeState") });
    onCleanup(stop);
    return site;
  });
