/** The file that a new database is made from. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { wholeSchema } from "../../../src/cli/dev/migrations.ts";

const DIR = join(import.meta.dirname, "../../../migrations");

it("makes all tables, and tells wrangler which migrations those are of", () => {
  const names = readdirSync(DIR)
    .filter((name) => name.endsWith(".sql"))
    .sort();
  const database = new DatabaseSync(":memory:");
  database.exec(wholeSchema(names.map((name) => [name, readFileSync(join(DIR, name), "utf8")])));
  expect(database.prepare("SELECT name FROM d1_migrations ORDER BY id").all()).toEqual(names.map((name) => ({ name })));
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  expect(tables).toEqual(expect.arrayContaining(["runs", "stocks", "users"].map((name) => ({ name }))));
  database.close();
});
