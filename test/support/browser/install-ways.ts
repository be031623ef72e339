/** The ways to install a missing Chromium without a prompt, depending on what this machine allows. */
import { join } from "node:path";
import { PROJECT_DIR } from "../../../src/process/project.ts";

/** Commands that run one after the other; that the browser is there afterwards is what counts, not their exit codes. */
export type InstallWay = {
  readonly title: string;
  readonly commands: readonly (readonly [string, ...string[]])[];
};

/** No second tries and no endless wait: a machine without a network says so at once. */
const APT = [
  "apt-get",
  ...["-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=30", "-o", "Acquire::https::Timeout=30"],
  // Another apt may be at work, as on a machine that has just started.
  ...["-o", "DPkg::Lock::Timeout=60", "-o", "Dpkg::Use-Pty=0"],
] as const;

/** Without recommended packages there is no font, and text has no width, so one is named. */
const byApt = (browser: string): InstallWay => ({
  title: `apt-get install ${browser}`,
  commands: [
    [...APT, "update"],
    [...APT, "install", "-y", "--no-install-recommends", browser, "fonts-liberation"],
  ],
});

/** Not every Debian has the one without windows. */
const BY_APT = [byApt("chromium-headless-shell"), byApt("chromium")] as const;

/** The browser that belongs to this Playwright, without its second, headless-only copy. */
const BY_PLAYWRIGHT: InstallWay = {
  title: "Playwright's own download",
  commands: [
    [process.execPath, join(PROJECT_DIR, "node_modules/playwright-core/cli.js"), "install", "--no-shell", "chromium"],
  ],
};

/** The ways to try, in order. apt-get works for root alone. */
export const installWays = (machine: { readonly isRoot: boolean; readonly hasApt: boolean }): readonly InstallWay[] =>
  machine.isRoot && machine.hasApt ? [...BY_APT, BY_PLAYWRIGHT] : [BY_PLAYWRIGHT];
