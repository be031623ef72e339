/** Starts one site for all files of the project `screen`; finds or installs Chromium first. */
import type { TestProject } from "vitest/node";
import { makeState, removeMadeState } from "../made-state.ts";
import { ensureChromium } from "./ensure-chromium.ts";
import { WHOLE_BROWSER_PLACES } from "./find-chromium.ts";
import { newPerson } from "./person.ts";
import { type Site, startSite } from "./site.ts";
import { tallyClient } from "./tally-client.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The site that all files share: one signs in there, and its model is scripted. */
    site: Site;
  }
}

/** Has the rates fetched, which a list that needs them first does not wait for. */
const needRates = async (site: Site): Promise<void> => {
  const tally = tallyClient(site.url, await newPerson(site));
  await tally.seedStocks([{ symbol: "SAP", currency: "EUR", quantity: "1", lastPrice: "1" }]);
  for (;;) {
    const { base } = await tally.act("list-stocks", {});
    if (base.missing.length === 0) return;
  }
};

/** Vitest's globalSetup. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Before the processes of the tests, which would all install one.
  ensureChromium();
  try {
    ensureChromium(WHOLE_BROWSER_PLACES);
  } catch (error) {
    // Only notices need the whole browser: their test says that it is missing.
    console.error(error);
  }
  const madeState = await makeState();
  const { stop, ...site } = await startSite({ args: ["--auth"], madeState });
  await needRates(site);
  project.provide("madeState", madeState);
  project.provide("site", site);
  return async () => {
    await stop();
    await removeMadeState();
  };
}
