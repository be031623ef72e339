/** Names that an index passes on come from the files that define them, so that the first paint takes no others. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { importFromDefiningFiles } from "../../../src/cli/build/split-plugin.ts";

const dir = mkdtempSync(join(tmpdir(), "tally-defining-files-"));

afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** A library as its index has it. Each test takes other names: what an index says is read once. */
const library = (name: string, index: string): string => {
  mkdirSync(join(dir, name), { recursive: true });
  writeFileSync(join(dir, name, "index.js"), index);
  return name;
};

const rewrite = (source: string, ...libraries: readonly string[]): Promise<string> =>
  importFromDefiningFiles(source, dir, libraries, async (name) => join(dir, name, "index.js"));

it("an import by name is taken from the file that the index passes it on from", async () => {
  const icons = library(
    "icons",
    `export { default as IconA, default as IconOther } from './icons/a.mjs';\nexport { default as IconB } from './icons/b.mjs';\n`,
  );
  expect(await rewrite(`import {\n  IconB,\n  type Icon,\n  IconOther as A,\n} from "icons";\nuse(A);\n`, icons)).toBe(
    `import { default as IconB } from "${dir}/icons/icons/b.mjs"; import { default as A } from "${dir}/icons/icons/a.mjs";\nuse(A);\n`,
  );
});

it("an index may import first and export then, and pass on all of another library", async () => {
  const core = library("core", `import { a, b } from "./ab.js";\nexport { a, b as c };\n`);
  const hooks = library("hooks", `import { use } from "./use.js";\nexport * from "core";\nexport { use };\n`);
  expect(await rewrite(`export { use, c } from "hooks";\nimport { a } from "core";`, core, hooks)).toBe(
    `export { use as use } from "${dir}/hooks/use.js"; export { b as c } from "${dir}/core/ab.js";\nimport { a as a } from "${dir}/core/ab.js";`,
  );
});

it("types, and libraries that are not named, stay out of it", async () => {
  const types = library("types", "export { a } from './a.js';");
  const source = `import type { B } from "types";\nimport { c } from "other";\n`;
  expect(await rewrite(`${source}import { type A } from "types";`, types)).toBe(source);
});

it("a name that no file of the library defines ends the build", async () => {
  const other = library("unknown", "export { a } from './a.js';");
  await expect(rewrite(`import { b } from "unknown";`, other)).rejects.toThrow(
    "unknown passes no b on from a file of its own.",
  );
});
