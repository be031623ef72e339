/** Lines of a `.gitignore`: that they match what they match for git itself, and that none takes forever. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { globMatcher, MAX_RULES_LENGTH, NO_RULES } from "../../../src/workspace/ignore-rules.ts";

const SEED = 20_261_122;

/** Paths of a small alphabet, so that patterns name many of them. */
const path = fc
  .array(fc.stringMatching(/^[ab.]{1,3}$/), { minLength: 1, maxLength: 4 })
  .filter((names) => names.every((name) => !/^\.+$/.test(name)))
  .map((names) => names.join("/"));

const piece = fc.constantFrom("a", "b", ".", "*", "?", "[ab]", "[!a]", "[^b]", "[a-b]", "[b-a]", "\\a", "**", "ab");
const segment = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(""));
const line = fc
  .tuple(
    fc.constantFrom("", "", "!"),
    fc.constantFrom("", "/", "**/"),
    fc.array(fc.oneof(segment, fc.constant("**")), { minLength: 1, maxLength: 3 }).map((names) => names.join("/")),
    fc.constantFrom("", "/", "/**", " "),
  )
  .map((parts) => parts.join(""));

const dir = mkdtempSync(join(tmpdir(), "tally-ignore-"));

const git = (args: readonly string[], input = "") =>
  spawnSync("git", ["-C", dir, ...args], {
    input,
    encoding: "utf8",
    env: { ...process.env, GIT_CONFIG_GLOBAL: join(dir, "no-config") },
  });

/** Those of the paths that git ignores by these lines. */
const ignoredByGit = (lines: readonly string[], paths: readonly string[]): string[] => {
  writeFileSync(join(dir, ".gitignore"), `${lines.join("\n")}\n`);
  const { stdout } = git(["check-ignore", "--no-index", "--stdin"], `${paths.join("\n")}\n`);
  return stdout.split("\n").filter((named) => named !== "");
};

beforeAll(() => {
  expect(git(["init", "--quiet"]).status).toBe(0);
});

afterAll(() => rmSync(dir, { recursive: true }));

it("name what they name to git, whatever they are", () => {
  const lines = fc.array(line, { minLength: 1, maxLength: 3 });
  const paths = fc.uniqueArray(path, { minLength: 20, maxLength: 30 });
  fc.assert(
    fc.property(lines, paths, (written, named) => {
      const rules = NO_RULES.with(".", written.join("\n"));
      expect(named.filter((one) => rules.ignores(one, false))).toEqual(ignoredByGit(written, named));
    }),
    {
      numRuns: 300,
      seed: SEED,
      examples: [
        [
          ["**", "!/a**"],
          ["a", "a/a", "b/a"],
        ],
      ],
    },
  );
});

describe("a line", () => {
  it.each([
    ["foo", "a/foo", true],
    ["/foo", "a/foo", false],
    ["foo/bar", "a/foo/bar", false],
    ["*.log", ".log", true],
    ["/*.log", "a/b.log", false],
    ["a/**/b", "a/b", true],
    ["a/**", "a", false],
    ["[+-9]", "/", false],
    ["a[+-9]b", "a/b", false],
    ["[[:digit:]]x", "7x", true],
    ["[]x]", "]", true],
    ["[z-a]", "m", false],
    ["[ab", "[ab", false],
    ["a\\", "a\\", false],
    ["\\!a", "!a", true],
    ["a\\ ", "a ", true],
    ["a\t", "a", false],
    ["\uFEFFa", "a", true],
    ["a.b", "axb", false],
    ["(a|b)+$", "(a|b)+$", true],
    ["?", "é", true],
    ["a", "A", false],
  ])("%j says of %j: %s", (text, named, isNamed) => {
    expect(NO_RULES.with(".", text).ignores(named, false)).toBe(isNamed);
  });
});

describe("a pattern that takes a backtracking engine forever", () => {
  const long = `${"a".repeat(200)}!`;

  it.each([`${"a*".repeat(25)}c`, `${"*a".repeat(25)}c`, `${"**/".repeat(20)}x`, `${"*/".repeat(20)}b`])(
    "is matched in linear time: %s",
    (pattern) => {
      const isNamed = globMatcher(pattern, ".");
      const deep = Array.from({ length: 100 }, () => "a".repeat(30)).join("/");
      expect([isNamed(long), isNamed(deep)]).toEqual([false, false]);
    },
  );

  it("names nothing in a .gitignore, and is refused by name as a glob, when it is absurd", () => {
    const absurd = "a*".repeat(51);
    expect(NO_RULES.with(".", absurd).ignores("a".repeat(60), false)).toBe(false);
    expect(() => globMatcher(absurd, ".")).toThrow(
      /^The glob "?a\*a\*.* is too complex: use at most 1000 characters and 50 wildcards/,
    );
    expect(() => globMatcher("a".repeat(1_001), ".")).toThrow(/at most 1000 characters/);
  });
});

describe("a glob with braces", () => {
  it.each([
    ["{a,b}", ["a", "b"]],
    ["{a,!b,#c}", ["a", "!b", "#c"]],
    ["x{,.{a,b}}", ["x", "x.a", "x.b"]],
    ["{a\\,b,c}", ["a,b", "c"]],
    ["\\{a,b}", ["{a,b}"]],
    ["{a}{{b}}", ["{a}{{b}}"]],
    ["{a,b", ["{a,b"]],
    ["a},b{", ["a},b{"]],
  ])("%s names %j alone", (glob, named) => {
    const isNamed = globMatcher(glob, ".");
    const others = ["a", "b", "c", "!b", "#c", "x", "x.a", "x.b", "a,b", "{a,b}", "{a,b", "{a}{{b}}", "a},b{"];
    expect(others.filter((one) => isNamed(one))).toEqual(others.filter((one) => named.includes(one)));
  });

  it.each(["{a,b}".repeat(100), `{${"a,".repeat(10)}b}`.repeat(4), `{${"*a,".repeat(51)}b}`])(
    "is refused when it stands for more than any tree needs: %s",
    (glob) => {
      expect(() => globMatcher(glob, ".")).toThrow(/is too complex: use at most 1000 characters and 50 wildcards/);
    },
  );
});

it("reads ignore files up to their common limit, in whole lines, those further up first", () => {
  const padding = `#${"x".repeat(998)}\n`.repeat(MAX_RULES_LENGTH / 1_000 - 1);
  const above = NO_RULES.with(".", `first\n${padding}${"y".repeat(900)}\ncut-${"z".repeat(100)}`);
  const rules = above.with("deep", "second\n").with("deep", `third\n${padding}`);
  expect(above.length).toBe(MAX_RULES_LENGTH - 93);
  expect([above.ignores("first", false), above.ignores(`cut-${"z".repeat(100)}`, false)]).toEqual([true, false]);
  expect([rules.ignores("deep/second", false), rules.ignores("deep/third", false)]).toEqual([true, true]);
  expect(rules.length).toBeLessThanOrEqual(MAX_RULES_LENGTH);
});
