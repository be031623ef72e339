/** A file that is replaced while somebody reads it. */
import fs, { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { removeOthers, writeWhole } from "../../../src/cli/build/write-whole.ts";
import { PROJECT_DIR } from "../../../src/process/project.ts";

/** On the project's disk, as all that is written so. */
const makeDir = (): string => {
  const parent = join(PROJECT_DIR, ".wrangler");
  mkdirSync(parent, { recursive: true });
  const dir = mkdtempSync(join(parent, "test-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
};

it("a reader that was there first keeps the old text, and the next one finds the new", () => {
  const path = join(makeDir(), "assets/main.js");
  writeWhole(path, "old and whole");
  const reader = openSync(path, "r");
  writeWhole(path, new TextEncoder().encode("new"));
  expect(readFileSync(reader, "utf8")).toBe("old and whole");
  closeSync(reader);
  expect(readFileSync(path, "utf8")).toBe("new");
});

it("leaves nothing beside the file", () => {
  const dir = makeDir();
  writeWhole(join(dir, "main.js"), "text");
  expect(readdirSync(dir)).toEqual(["main.js"]);
});

it("leaves a file alone that has these contents, which nobody then reads anew", () => {
  const path = join(makeDir(), "same.js");
  writeWhole(path, "same");
  const { ino } = statSync(path);
  writeWhole(path, new TextEncoder().encode("same"));
  expect(statSync(path).ino).toBe(ino);
  writeWhole(path, "other");
  expect(statSync(path).ino).not.toBe(ino);
});

it("what is no longer made is removed, also when another build has just removed it", () => {
  const dir = makeDir();
  for (const name of ["made.js", "old.js"]) writeWhole(join(dir, name), "text");
  const listed = vi.spyOn(fs, "readdirSync").mockReturnValue(["gone.js", "made.js", "old.js"] as never);
  syncBuiltinESMExports();
  try {
    removeOthers(dir, new Set(["made.js"]));
  } finally {
    listed.mockRestore();
    syncBuiltinESMExports();
  }
  expect(readdirSync(dir)).toEqual(["made.js"]);
});
