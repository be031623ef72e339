/** Starts the browser and one site for all files of the project `screen`; finds or installs Chromium first. */
import type { TestProject } from "vitest/node";
import { type Site, startSite } from "./site.ts";
import { startBrowser } from "./start-browser.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The site that all files share: one signs in there, and its model is scripted. */
    site: Site;
    /** For `chromium.connect`. */
    browserEndpoint: string;
  }
}

/** A page of a test lives for two seconds: compiling its script again, to be faster, takes longer than it saves. */
const SHORT_LIVED = ["--js-flags=--no-opt --no-maglev"] as const;

/** Vitest's globalSetup. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browser = await startBrowser(SHORT_LIVED);
  try {
    const { stop, ...site } = await startSite({ args: ["--auth"] });
    project.provide("browserEndpoint", browser.wsEndpoint());
    project.provide("site", site);
    return async () => {
      await Promise.all([browser.close(), stop()]);
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}
