/** What ripgrep is asked for, and that no line that matches is ever lost by it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { compilePattern, matchLines } from "../../../src/workspace/match-lines.ts";
import { findRipgrep } from "../../../src/workspace-server/search/ripgrep.ts";
import { ripgrepPattern } from "../../../src/workspace-server/search/ripgrep-pattern.ts";
import { readCounts } from "../../../src/workspace-server/search/search-candidates.ts";

const dir = mkdtempSync(join(tmpdir(), "tally-ripgrep-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const ripgrep = findRipgrep(process.env.PATH ?? "", dir);

const NEVER = new AbortController().signal;

const SEED = 20_261_122;

describe("a pattern for ripgrep", () => {
  it.each([
    ["a1", "\\x{61}\\x{31}"],
    ["-e", "\\x{2d}\\x{65}"],
    ["\\d+", "[0-9]+"],
    ["a|b", "\\x{61}|\\x{62}"],
    ["(?:a)(?P<name>b)(c)", "(?:\\x{61})(?:\\x{62})(?:\\x{63})"],
    ["a+?", "\\x{61}+"],
    ["x{,3}", "\\x{78}\\x{7b}\\x{2c}\\x{33}\\x{7d}"],
    ["[]a-c-]", "[\\x{5d}\\x{61}-\\x{63}\\x{2d}]"],
    ["[[&&~~]", "[\\x{5b}\\x{26}\\x{26}\\x{7e}\\x{7e}]"],
    ["\\bx", "(?:)\\x{78}"],
    ["^$", "(?:^\\x{FEFF}?)(?:\\x0D?$)"],
    ["\\Ax", "(?:^\\x{FEFF}?)\\x{78}"],
    ["$^", "(?:)(?:)"],
    ["(a$)", "(?:\\x{61}(?:))"],
  ])("%s is %s", (pattern, written) => {
    expect(ripgrepPattern(pattern)).toBe(written);
  });

  it.each([
    "\\pL",
    "[[:alpha:]]",
    "\\Qa\\E",
    "a(?i:b)",
    "(?s).",
    "\\x41",
    "a\\nb",
    "\uFFFD",
    "[\\D]",
    "a".repeat(1_001),
  ])("%s is none: it is matched without", (pattern) => {
    expect(ripgrepPattern(pattern)).toBeUndefined();
  });
});

/** Bytes of a file, some of them no UTF-8. */
const file = fc
  .array(
    fc.constantFrom(
      ...["a", "b", "A", "1", "_", " ", ".", "\t", "\r", "\n", "\r\n", "é", "日", "🎉", "\u212a", "\ufeff"].map(
        (text) => Buffer.from(text),
      ),
      ...[0x80, 0xc3, 0xe6, 0xf0, 0xff].map((byte) => Buffer.of(byte)),
    ),
    { maxLength: 14 },
  )
  .map((parts) => Buffer.concat(parts));

const pattern = fc
  .array(
    fc.constantFrom(
      ...["a", "b", "é", "日", "🎉", "k", ".", "^", "$", "\\d", "\\w", "\\s", "\\D", "\\W", "\\S", "\\b", "\\B", "\\."],
      ...["\\A", "\\z", "[ab]", "[^a]", "[^\\d]", "[a-z]", "[\\w.]", "(a|b)", "(?:ab)", "(^a|.$)", "a*", "b+?", ".?"],
      ...[".{2}", "(a|.){1,3}", "\\r", "\\t", "[^é]", "|", "\\x{feff}", "[日-語]"],
    ),
    { minLength: 1, maxLength: 5 },
  )
  .chain((parts) => fc.constantFrom(parts.join(""), `(?i)${parts.join("")}`));

const isPattern = (text: string): boolean => {
  try {
    compilePattern(text);
    return ripgrepPattern(text) !== undefined;
  } catch {
    // A search refuses it before ripgrep is asked.
    return false;
  }
};

const matchingFiles = (given: string, files: readonly Buffer[]): string[] => {
  const isMatch = compilePattern(given);
  return files.flatMap((bytes, index) =>
    matchLines(bytes.toString("utf8"), isMatch, { context: 0, maxMatches: 1 }).matches > 0 ? [`f${index}`] : [],
  );
};

const found = async (given: string): Promise<string[]> => {
  const query = { pattern: ripgrepPattern(given) ?? "", directories: ["."], maxFileBytes: 1_000_000 };
  const search = await ripgrep;
  // Neither is a match that was lost.
  if (search === undefined) throw new Error("There is no ripgrep, or it did not say its version in time.");
  const counts = await search(dir, query, NEVER);
  if (counts === undefined) throw new Error(`ripgrep failed with ${query.pattern}.`);
  return [...readCounts(counts)].filter(({ isMatch }) => isMatch).map(({ path }) => path);
};

it("finds every file that has a line that matches", async () => {
  const property = fc.asyncProperty(pattern, fc.array(file, { minLength: 8, maxLength: 8 }), async (given, files) => {
    fc.pre(isPattern(given));
    for (const [index, bytes] of files.entries()) writeFileSync(join(dir, `f${index}`), bytes);
    expect(await found(given)).toEqual(expect.arrayContaining(matchingFiles(given, files)));
  });
  await fc.assert(property, { numRuns: 200, seed: SEED });
}, 60_000);

it("may break off within the line of a file, as it does where the disk is full", () => {
  const counts = readCounts(new TextEncoder().encode("./a\0"));
  expect([counts.next().value, counts.next().done]).toEqual([{ path: "a", isMatch: true }, true]);
});

it("is not asked for when it is a program in the workspace itself", async () => {
  writeFileSync(join(dir, "rg"), "#!/bin/sh\necho ripgrep 99.0.0\n", { mode: 0o755 });
  expect(await findRipgrep(dir, dir)).toBeUndefined();
  expect(await findRipgrep("", dir)).toBeUndefined();
});
