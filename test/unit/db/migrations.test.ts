/** Migrations as a deploy applies them: each in one call of D1's API, which takes less than the D1 of these tests. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const PROJECT_DIR = join(import.meta.dirname, "../../..");

const PROBLEMS: readonly (readonly [problem: string, sql: RegExp])[] = [
  // https://github.com/cloudflare/workers-sdk/issues/15178: it splits the text at each semicolon.
  ["a trigger", /^\s*create\s+(temp\w*\s+)?trigger\b/im],
  // https://github.com/cloudflare/workers-sdk/issues/5438: it does nothing, and a table that is dropped takes those that refer to it along.
  ["foreign keys that are turned off", /^\s*pragma\s+foreign_keys\b/im],
  // wrangler writes the record of the migration behind it.
  ["a last statement without its end", /[^;\s]\s*$/],
  ["carriage returns", /\r/],
];

const problemsOf = (sql: string): string[] =>
  PROBLEMS.flatMap(([problem, found]) => (found.test(sql) ? [problem] : []));

it.each([
  ["a trigger", "CREATE TRIGGER t AFTER INSERT ON a\nBEGIN\n  SELECT 1;\nEND;"],
  ["foreign keys that are turned off", "PRAGMA foreign_keys=OFF;--> statement-breakpoint\nDROP TABLE a;"],
  ["a last statement without its end", "CREATE TABLE a (b text);\nCREATE TABLE c (d text)"],
  ["carriage returns", "CREATE TABLE a (\r\n  b text\r\n);\r\n"],
])("finds %s", (problem, sql) => {
  expect(problemsOf(sql)).toEqual([problem]);
});

it("every migration is one that a deploy can apply", () => {
  const files = globSync("migrations/*.sql", { cwd: PROJECT_DIR });
  expect(files.length).toBeGreaterThan(20);
  const found = files.map((file) => [file, problemsOf(readFileSync(join(PROJECT_DIR, file), "utf8"))] as const);
  expect(found.filter(([, problems]) => problems.length > 0)).toEqual([]);
});
