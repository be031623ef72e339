/** The re2js inside just-bash is the workspace's own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transform } from "esbuild";
import * as re2js from "re2js";
import { expect, it } from "vitest";
import { withoutRe2js } from "../../../src/cli/build/smaller-shell.ts";
import { PACKAGES_DIR } from "../../../src/process/project.ts";

const read = (path: string): string => readFileSync(join(PACKAGES_DIR, path), "utf8");

const source = read("just-bash/dist/bundle/browser.js");

it("takes everything that re2js exports from the package", () => {
  const [, imports = ""] = /^import\{([^}]*)\}from"re2js";/.exec(withoutRe2js(source)) ?? [];
  expect(
    imports
      .split(",")
      .map((name) => name.split(" as ")[0])
      .sort(),
  ).toEqual(Object.keys(re2js).sort());
});

it("leaves the copy out, and nothing else", () => {
  const rest = withoutRe2js(source);
  expect(rest).not.toContain("FOLD_CASE");
  expect(source.length - rest.length).toBeGreaterThan(170_000);
  expect(source.length - rest.length).toBeLessThan(173_000);
});

it("replaces a copy of the version that is installed", async () => {
  // just-bash does not say which version it has: the copy must use the properties and numbers of the package, in the same order.
  const { code } = await transform(read("re2js/build/index.esm.js"), { minify: true });
  const own = marksOf(code);
  expect(marksOf(source).slice(0, own.length)).toEqual(own);
});

it("says so when the copy is not as expected", () => {
  expect(() => withoutRe2js("var a=1;")).toThrow("its start was not found");
});

/** Numbers, and properties that are read: minifying keeps both. */
const marksOf = (code: string): string[] =>
  code.slice(code.indexOf("static FOLD_CASE")).match(/\d{3,}|\.[A-Za-z]\w{3,}/g) ?? [];
