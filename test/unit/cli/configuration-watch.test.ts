/** When the dev command must be restarted: its variables would be read again, from a file that is gone, or its tables are old. */
import { once } from "node:events";
import { watch } from "node:fs";
import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it as base, expect } from "vitest";
import { watchConfiguration } from "../../../src/cli/dev/serve.ts";
import { StartRefusal } from "../../../src/process/run-program.ts";

const BEFORE = new Date("2026-01-01T00:00:00Z");

/** A project as it was when the dev command started. */
const it = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads off the pattern which fixtures are needed: none.
  .extend("dir", async ({}, { onCleanup }) => {
    const dir = await mkdtemp(join(tmpdir(), "tally-configuration-"));
    await writeFile(join(dir, "wrangler.toml"), 'name = "a"\n');
    await utimes(join(dir, "wrangler.toml"), BEFORE, BEFORE);
    await mkdir(join(dir, "migrations"));
    await writeFile(join(dir, "migrations/0000_turns.sql"), "");
    onCleanup(() => rm(dir, { recursive: true }));
    return dir;
  })
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads off the pattern which fixtures are needed: none.
  .extend("end", async ({}, { onCleanup }) => {
    const end = new AbortController();
    onCleanup(() => end.abort());
    return end.signal;
  })
  .extend("changed", async ({ dir, end }) => watchConfiguration(dir, end));

it("is when wrangler.toml was written", async ({ dir, changed }) => {
  const told = once(changed, "abort");
  await writeFile(join(dir, "wrangler.toml"), 'name = "b"\n');
  await told;
  expect(changed.reason).toEqual(new StartRefusal("wrangler.toml has changed; start again."));
});

it("is when a migration has come, which is not applied yet", async ({ dir, changed }) => {
  const told = once(changed, "abort");
  await writeFile(join(dir, "migrations/0001_stocks.sql"), "");
  await told;
  expect(changed.reason).toEqual(new StartRefusal("The migrations have changed; start again."));
});

it("is when another file was put in its place", async ({ dir, changed }) => {
  const told = once(changed, "abort");
  await writeFile(join(dir, "new"), 'name = "b"\n');
  await rename(join(dir, "new"), join(dir, "wrangler.toml"));
  await told;
});

it("is not when another file was written", async ({ dir, changed, end }) => {
  const told = once(changed, "abort");
  const written = Promise.withResolvers<void>();
  // Told of each file after the first who watch.
  watch(dir, { signal: end }, (_, name) => name === "other.toml" && written.resolve());
  await writeFile(join(dir, "migrations/0000_turns.sql"), "-- as before\n");
  await writeFile(join(dir, "other.toml"), "");
  await written.promise;
  expect(changed.aborted).toBe(false);
  await rm(join(dir, "wrangler.toml"));
  await told;
});
