/** What a Worker does when it starts, before anybody has asked for anything: each new isolate pays for it. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { unusedBuiltins } from "../../src/cli/build/build-worker.ts";
import { groupDigits } from "../../src/contract/plain-text.ts";

const SRC = join(import.meta.dirname, "../../src");

/** What only runs in Node or in a browser. */
const ELSEWHERE = /^(ui|cli|process|workspace-server|harness-host)\//;

/** A constant of a module that is made with the platform's formats. A function that makes them later is not meant. */
const FORMATTED = /^(?:export )?const (?![^;]*=>)[^;]*?(?:new Intl\.|\.toLocale)/gm;

it("makes none of the platform's formats, the first of which takes 10 ms of CPU", () => {
  const files = globSync("**/*.ts", { cwd: SRC }).filter((path) => !ELSEWHERE.test(path));
  expect(files.length).toBeGreaterThan(300);
  const found = files.flatMap((path) => (readFileSync(join(SRC, path), "utf8").match(FORMATTED) ?? []).map(() => path));
  expect(found).toEqual([]);
});

it.each([
  [0, "0"],
  [999, "999"],
  [1_000, "1,000"],
  [12_345, "12,345"],
  [1_234_567, "1,234,567"],
])("groups the digits of %i without them", (count, text) => {
  expect(groupDigits(count)).toBe(text);
  expect(count.toLocaleString("en")).toBe(text);
});

it("imports a module of the platform only where something of it is used", async () => {
  const contents = `import { createHash } from "node:crypto"; import { Readable } from "node:stream"; export const a = Readable;`;
  const { outputFiles } = await build({
    ...{ stdin: { contents }, bundle: true, format: "esm", write: false },
    plugins: [unusedBuiltins],
  });
  expect(outputFiles[0]?.text).toContain('"node:stream"');
  expect(outputFiles[0]?.text).not.toContain("node:crypto");
});
