/** What makes a browser take the service worker of a new build: its text is another one. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { buildServiceWorker } from "../../../src/cli/build/service-worker.ts";
import { PROJECT_DIR } from "../../../src/process/project.ts";

const PAGE = { html: "<html>", entry: "/assets/main-1.js", assets: ["/assets/main-1.js"] };

/** The script of a build whose `public/` has these files beside the others. */
const scriptWith = async (files: Readonly<Record<string, string>>): Promise<string> => {
  const publicDir = mkdtempSync(join(tmpdir(), "tally-public-"));
  onTestFinished(() => rmSync(publicDir, { recursive: true }));
  cpSync(join(PROJECT_DIR, "public"), publicDir, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(publicDir, name), text);
  return await buildServiceWorker({ absWorkingDir: PROJECT_DIR }, { ...PAGE, publicDir });
};

it("the same files make the same service worker", async () => {
  expect(await scriptWith({})).toBe(await scriptWith({}));
});

it.each(["icon.svg", "icon-192.png", "manifest.webmanifest"])(
  "a service worker is another one where only %s has changed",
  async (name) => {
    expect(await scriptWith({ [name]: "changed" })).not.toBe(await scriptWith({}));
  },
);
