/** When a start may leave out asking for migrations: only where record and database agree. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it as base, expect } from "vitest";
import { areApplied, localDatabaseId, recordApplied } from "../../../src/cli/dev/migrations.ts";

const NAMES = ["0000_turns.sql", "0001_stocks.sql"];

/** A persist directory as wrangler leaves it, with a database. */
const it = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads off the pattern which fixtures are needed: none.
  .extend("persistTo", async ({}, { onCleanup }) => {
    const dir = await mkdtemp(join(tmpdir(), "tally-migrated-"));
    onCleanup(() => rm(dir, { recursive: true }));
    return dir;
  })
  .extend("databases", async ({ persistTo }) => {
    const dir = join(persistTo, "v3/d1/miniflare-D1DatabaseObject");
    await mkdir(dir, { recursive: true });
    await writeFile(join(dir, "metadata.sqlite"), "");
    await writeFile(join(dir, "0a.sqlite"), "");
    return dir;
  });

it("holds for what was recorded", ({ persistTo, databases: _ }) => {
  recordApplied(persistTo, "a", NAMES);
  expect(areApplied(persistTo, "a", NAMES)).toBe(true);
});

it("does not hold in a new directory", ({ persistTo }) => {
  expect(areApplied(persistTo, "a", NAMES)).toBe(false);
});

it("does not hold where nothing was recorded", ({ persistTo, databases: _ }) => {
  expect(areApplied(persistTo, "a", NAMES)).toBe(false);
});

it("does not hold for one migration more, or one less", ({ persistTo, databases: _ }) => {
  recordApplied(persistTo, "a", NAMES);
  expect(areApplied(persistTo, "a", [...NAMES, "0002_more.sql"])).toBe(false);
  expect(areApplied(persistTo, "a", NAMES.slice(0, 1))).toBe(false);
});

it("does not hold for another database, nor where it does not say for which", async ({ persistTo, databases: _ }) => {
  recordApplied(persistTo, "a", NAMES);
  expect(areApplied(persistTo, "b", NAMES)).toBe(false);
  await writeFile(join(persistTo, "migrations"), NAMES.map((name) => `${name}\n`).join(""));
  expect(areApplied(persistTo, "a", NAMES)).toBe(false);
});

it.each([
  ["the one that a deploy uses", 'database_id = "deployed"', "deployed"],
  ["the one that is named for this machine alone", 'database_id = "deployed"\npreview_database_id = "local"', "local"],
  ["none", "", ""],
])("is of the database that wrangler opens: %s", (_, ids, opened) => {
  expect(localDatabaseId(`[[d1_databases]]\nbinding = "DB"\n${ids}\n`)).toBe(opened);
});

it("does not hold once the database has been removed", async ({ persistTo, databases }) => {
  recordApplied(persistTo, "a", NAMES);
  await rm(join(databases, "0a.sqlite"));
  expect(areApplied(persistTo, "a", NAMES)).toBe(false);
  await rm(databases, { recursive: true });
  expect(areApplied(persistTo, "a", NAMES)).toBe(false);
});
