/** When a start may leave out asking for migrations: only where record and database agree. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it as base, expect } from "vitest";
import { areApplied, recordApplied } from "../../../src/cli/dev/migrations.ts";

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
  recordApplied(persistTo, NAMES);
  expect(areApplied(persistTo, NAMES)).toBe(true);
});

it("does not hold in a new directory", ({ persistTo }) => {
  expect(areApplied(persistTo, NAMES)).toBe(false);
});

it("does not hold where nothing was recorded", ({ persistTo, databases: _ }) => {
  expect(areApplied(persistTo, NAMES)).toBe(false);
});

it("does not hold for one migration more, or one less", ({ persistTo, databases: _ }) => {
  recordApplied(persistTo, NAMES);
  expect(areApplied(persistTo, [...NAMES, "0002_more.sql"])).toBe(false);
  expect(areApplied(persistTo, NAMES.slice(0, 1))).toBe(false);
});

it("does not hold once the database has been removed", async ({ persistTo, databases }) => {
  recordApplied(persistTo, NAMES);
  await rm(join(databases, "0a.sqlite"));
  expect(areApplied(persistTo, NAMES)).toBe(false);
  await rm(databases, { recursive: true });
  expect(areApplied(persistTo, NAMES)).toBe(false);
});
