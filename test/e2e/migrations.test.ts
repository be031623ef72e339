/** A new database, made at once, and an older one, migrated step by step, are the same for the Worker and for wrangler. */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { applyMigrations } from "../../src/cli/dev/migrations.ts";
import { runWrangler } from "../../src/cli/dev/wrangler.ts";

/** Three starts of wrangler, each several seconds of CPU, beside other tests, in ms. */
const TIMEOUT_MS = 180_000;

const makePersistDir = async (): Promise<string> => {
  const dir = await mkdtemp(join(tmpdir(), "tally-migrations-"));
  onTestFinished(() => rm(dir, { recursive: true }));
  return dir;
};

/** The parts of a persist directory's database, and the migrations that wrangler takes as applied. */
const readDatabase = async (persistTo: string) => {
  const dir = join(persistTo, "v3/d1/miniflare-D1DatabaseObject");
  const [file = ""] = (await readdir(dir)).filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");
  const database = new DatabaseSync(join(dir, file));
  const parts = database
    .prepare("SELECT name, sql FROM sqlite_master WHERE name <> 'd1_migrations' ORDER BY name")
    .all();
  const columns = database.prepare("PRAGMA table_info(d1_migrations)").all();
  const applied = database.prepare("SELECT id, name FROM d1_migrations ORDER BY id").all();
  database.close();
  return { parts, columns, applied };
};

it("is the same database, whether made at once or step by step", { timeout: TIMEOUT_MS }, async () => {
  const [whole, stepwise] = [await makePersistDir(), await makePersistDir()];
  const { signal } = new AbortController();
  await applyMigrations(whole, signal);
  // One without tables is not new.
  const args = ["d1", "execute", "DB", "--local", "--persist-to", stepwise, "--command", "SELECT 1"];
  expect(await runWrangler(args, { relay: false, signal })).toMatchObject({ exitCode: 0 });
  await applyMigrations(stepwise, signal);

  const made = await readDatabase(whole);
  expect(made).toEqual(await readDatabase(stepwise));
  expect(made.parts.length).toBeGreaterThan(20);
  // Of the way it was made, the record alone is left.
  expect((await readdir(whole)).sort()).toEqual(["migrations", "v3"]);
});
