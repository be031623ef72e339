/** Starts one site for all files of the project `screen`; finds or installs Chromium first. */
import type { TestProject } from "vitest/node";
import { ensureChromium } from "./ensure-chromium.ts";
import { type Site, startSite } from "./site.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The site that all files share: one signs in there, and its model is scripted. */
    site: Site;
  }
}

/** Vitest's globalSetup. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Before the processes of the tests, which would all install one.
  ensureChromium();
  const { stop, ...site } = await startSite({ args: ["--auth"] });
  project.provide("site", site);
  return stop;
}
