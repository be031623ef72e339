/** What comments and documents cite is in the repository: sections, records, links and the paths of files. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");

/** Names what it looks for. */
const HERE = "test/unit/citations.test.ts";

type Text = { readonly path: string; readonly text: string };

const read = (patterns: readonly string[]): Text[] =>
  globSync([...patterns], { cwd: ROOT, exclude: ["**/node_modules/**", "**/.wrangler/**", "test/*/out/**"] })
    .sort()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;

/** One line, as a comment or paragraph reads when its lines are joined. */
const joined = (text: string): string => text.replace(/\s*\n\s*(\*(?!\*|\/) ?|\/\/ ?|# )?/g, " ");

/** Comments of programs and their tests' names, joined to one line each. */
const programs = read(["src/**/*.{ts,tsx,css}", "test/**/*.{ts,tsx}", "*.ts", "migrations/*.sql", "wrangler.toml"]);

const comments: readonly Text[] = programs.map(({ path, text }) => ({
  path,
  text: /\.(sql|toml)$/.test(path)
    ? joined(text)
    : [...text.matchAll(COMMENT)].map(([comment]) => joined(comment)).join("\n"),
}));

/** Whole programs as well: the names of tests cite sections. */
const cited: readonly Text[] = programs.map(({ path, text }) => ({ path, text: joined(text) }));

const documents: readonly Text[] = read(["*.md", "docs/**/*.md", "test/**/*.md"]);

const outsideFences = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "");

const outsideCode = (text: string): string => outsideFences(text).replace(/``.*?``|`[^`\n]*`/g, "code");

const headingsOf = (path: string): string[] =>
  [...outsideFences(readFileSync(join(ROOT, path), "utf8")).matchAll(/^#{1,6} (.+)$/gm)].map(
    ([, heading = ""]) => heading,
  );

/** A heading as GitHub makes an anchor of it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, "")
    .replaceAll(" ", "-");

/** Every match of a pattern that `isWrong` holds of, with its file. */
const wrong = (texts: readonly Text[], pattern: RegExp, isWrong: (match: RegExpExecArray, path: string) => boolean) =>
  texts.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].filter((match) => isWrong(match, path)).map(([match]) => `${path}: ${match}`),
  );

/** Names that follow a document or a section of it: `Recovery and Aborting`, `failure codes`. */
const NAMES = /^, "?([A-Za-z]+(?: [a-z]+)*)/;

const hasHeading = (headings: readonly string[], name: string): boolean =>
  headings.some((heading) => heading.toLowerCase() === name.toLowerCase());

describe("a citation of docs/api.md", () => {
  const text = outsideFences(readFileSync(join(ROOT, "docs/api.md"), "utf8"));
  const sections = new Map(
    text
      .split(/^## /m)
      .map((section) => [
        /^\d+/.exec(section)?.[0],
        [...section.matchAll(/^### (.+)$/gm)].map(([, heading = ""]) => heading),
      ]),
  );

  it("names a section that is there", () => {
    const all = /api\.md §(\d+)((?:,? (?:and|to) §\d+)*)/g;
    const numbers = ([whole]: RegExpExecArray) => [...whole.matchAll(/§(\d+)/g)].map(([, number]) => number);
    expect(
      wrong([...cited, ...documents], all, (match) => numbers(match).some((number) => !sections.has(number))),
    ).toEqual([]);
  });

  it("is read in comments and in the names of tests", () => {
    expect(wrong(cited, /api\.md §\d/g, () => true).length).toBeGreaterThan(150);
  });

  it("names a part of the section that is there", () => {
    const part = /api\.md §(\d+), ([A-Za-z][a-z]+(?: [a-z]+)?)(?=[).:,"])/g;
    expect(wrong(cited, part, ([, number, name = ""]) => !hasHeading(sections.get(number) ?? [], name))).toEqual([]);
  });
});

it("a citation of docs/run.md names a part that is there", () => {
  const headings = headingsOf("docs/run.md");
  const part = /\brun\.md(, "?[A-Za-z][a-z]+(?: [a-z]+)*"?)?/g;
  const isWrong = ([, names]: RegExpExecArray) =>
    names !== undefined && !hasHeading(headings, NAMES.exec(names)?.[1] ?? "");
  expect(wrong(cited, part, isWrong)).toEqual([]);
});

it("nothing cites a document that is not here", () => {
  const foreign = /\bspec(?:\.txt)? §?\d[\d.]*|\b(?:DESIGN|CONTRACT|STYLE)\b(?!_)(?: §\d+|\.md)?|\bRUN(?:\.md\b| ")/g;
  expect(wrong([...comments, ...cited, ...documents], foreign, (_, path) => path !== HERE)).toEqual([]);
});

it("a section's sign follows the document it is of", () => {
  const known = /(?:api\.md|RFC \d+) §\d[\d.]*(?:,? (?:and|to) §\d[\d.]*)*/g;
  const others = comments.map(({ path, text }) => ({ path, text: text.replace(known, "") }));
  expect(wrong(others, /.{0,24}§[\d.]*/g, (_, path) => path !== HERE)).toEqual([]);
});

it("a record that is named is in docs/decisions", () => {
  const records = new Set(read(["docs/decisions/*.md"]).map(({ path }) => /\d{4}/.exec(path)?.[0]));
  const named = /\b(?:decisions?|records?)[ /](\d{4})\b/gi;
  expect(wrong([...comments, ...documents], named, ([, number]) => !records.has(number))).toEqual([]);
  const bare = /(?<![\w.,$/#-])(00\d\d)(?![\w.,-]*[\d_])/g;
  const texts = documents.map(({ path, text }) => ({ path, text: outsideCode(text) }));
  expect(wrong(texts, bare, ([, number]) => !records.has(number))).toEqual([]);
  expect(records.size).toBeGreaterThan(50);
});

describe("a link in a document", () => {
  const LINK = /\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g;
  const texts = documents.map(({ path, text }) => ({ path, text: outsideCode(text) }));
  const targetOf = (path: string, link: string): string => (link === "" ? path : join(dirname(path), link));

  it("leads to a file", () => {
    expect(wrong(texts, LINK, ([, link = ""], path) => !existsSync(join(ROOT, targetOf(path, link))))).toEqual([]);
  });

  it("leads to a heading of it", () => {
    const hasAnchor = (path: string, anchor: string) =>
      headingsOf(path).some((heading) => anchorOf(heading) === anchor);
    const isWrong = ([, link = "", anchor]: RegExpExecArray, path: string) =>
      anchor !== undefined && !hasAnchor(targetOf(path, link), anchor);
    expect(wrong(texts, LINK, isWrong)).toEqual([]);
  });
});

describe("a path in backticks", () => {
  const rooms = new Set(globSync("src/*", { cwd: ROOT }).map((path) => path.slice("src/".length)));
  const PATH = /`((?:\.\.\/)*[\w.@-]+(?:\/[\w.*-]+)+\/?)`/g;
  /** Paths are told from the root, from `src`, or from one of the folders of tests. */
  const BASES = ["", "src/", "test/", "test/worker/", "test/unit/", "test/e2e/"];
  /** Folders of the root and of tests, and rooms there were: `host`, and those of `ui` without it. */
  const OTHERS = ["src", "test", "docs", "migrations", "worker", "unit", "e2e", "support", "screen"];
  const GONE = ["host", "shell", "agent", "stocks", "navigation"];
  const FIRST = new Set([...rooms, ...OTHERS, ...GONE]);
  /** What programs make, such as their results. */
  const made = readFileSync(join(ROOT, ".gitignore"), "utf8").split("\n");
  const ENDS = ["", ".ts", ".tsx", ".test.ts", ".css"];
  const found = new Map<string, boolean>();
  const isThere = (path: string): boolean => {
    const known = found.get(path) ?? BASES.some((base) => ENDS.some((end) => matches(`${base}${path}${end}`)));
    found.set(path, known);
    return known;
  };
  const matches = (path: string): boolean =>
    path.includes("*") ? globSync(path, { cwd: ROOT }).length > 0 : existsSync(join(ROOT, path));
  const isGone = ([, path = ""]: RegExpExecArray): boolean =>
    FIRST.has(path.split("/")[0] ?? "") && !isThere(path) && !made.includes(`${path}/`);
  // A record tells of the day it was written: what it calls a file may have moved since.
  const undated = documents.filter(({ path }) => !path.startsWith("docs/decisions/"));

  it("of a document is there", () => {
    expect(wrong(undated, PATH, isGone)).toEqual([]);
  });

  it("of a comment is there", () => {
    expect(wrong(comments, PATH, isGone)).toEqual([]);
  });

  it("is read where it is meant", () => {
    expect(rooms).toContain("harness");
    expect(isThere("run/drive/driver")).toBe(true);
    expect(isThere("run/driver")).toBe(false);
  });
});
