/** A new database, made at once, and an older one, migrated step by step, are the same for the Worker and for wrangler. */
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, inject, it, onTestFinished } from "vitest";
import { applyMigrations } from "../../src/cli/dev/migrations.ts";
import { runWrangler } from "../../src/cli/dev/wrangler.ts";
import { parseJson } from "../../src/contract/parse-json.ts";
import { PROJECT_DIR } from "../../src/process/project.ts";
import { copyMadeState } from "../support/made-state.ts";

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

it("stays the same one once wrangler.toml has the id of the database that a deploy uses", {
  timeout: TIMEOUT_MS,
}, async () => {
  const [persistTo, dir] = [await makePersistDir(), await makePersistDir()];
  await copyMadeState(inject("madeState"), persistTo);
  const deployed = join(dir, "wrangler.toml");
  const text = await readFile(join(PROJECT_DIR, "wrangler.toml"), "utf8");
  await writeFile(deployed, text.replace(/^database_id = .*$/m, `database_id = "${crypto.randomUUID()}"`));
  const place = ["--config", deployed, "--local", "--persist-to", persistTo];
  const { signal } = new AbortController();
  const args = ["d1", "execute", "DB", ...place, "--json", "--command", "SELECT count(*) AS stocks FROM stocks"];
  const { stdout } = await runWrangler(args, { relay: false, signal });
  expect(parseJson(stdout)).toMatchObject([{ results: [{ stocks: 0 }] }]);
});
