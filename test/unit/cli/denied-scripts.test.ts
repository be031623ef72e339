/** Whether npm kept to the install scripts that package.json allows. */
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it as base, expect } from "vitest";
import { deniedScriptsLine, findDeniedScriptsThatRan } from "../../../src/cli/dev/denied-scripts.ts";
import { PROJECT_DIR } from "../../../src/process/project.ts";

/** A project with one package whose scripts may run and two whose may not; all three have been installed. */
const it = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads off the pattern which fixtures are needed: none.
  .extend("dir", async ({}, { onCleanup }) => {
    const dir = await mkdtemp(join(tmpdir(), "tally-scripts-"));
    const allowScripts = { builder: true, "@scope/denied": false, other: false };
    await writeFile(join(dir, "package.json"), JSON.stringify({ allowScripts }));
    await mkdir(join(dir, "node_modules/builder/build"), { recursive: true });
    await mkdir(join(dir, "node_modules/@scope/denied"), { recursive: true });
    await mkdir(join(dir, "node_modules/other/lib"), { recursive: true });
    onCleanup(() => rm(dir, { recursive: true }));
    return dir;
  });

it("says nothing where no denied one has run", ({ dir }) => {
  expect(deniedScriptsLine(findDeniedScriptsThatRan(dir))).toBe("");
});

it("names those that have run though they are denied", async ({ dir }) => {
  await mkdir(join(dir, "node_modules/@scope/denied/build"));
  expect(findDeniedScriptsThatRan(dir)).toEqual(["@scope/denied"]);
  expect(deniedScriptsLine(["@scope/denied"])).toBe(
    "npm has run install scripts that package.json denies: @scope/denied. npm 12 and newer obey allowScripts; run npm ci with one of them.\n",
  );
});

it("reads this project's own package.json", async ({ dir }) => {
  await copyFile(join(PROJECT_DIR, "package.json"), join(dir, "package.json"));
  for (const name of ["esbuild", "node-liblzma"])
    await mkdir(join(dir, "node_modules", name, "prebuilds"), { recursive: true });
  expect(findDeniedScriptsThatRan(dir)).toEqual(["node-liblzma"]);
});
