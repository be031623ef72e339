/**
 * A new database of the dev command's, made once for a run: wrangler takes a quarter of a first start for it. Starts that are about
 * something else begin with a copy; `dev-command.test.ts` and `demo.test.ts` begin with none.
 */
import { mkdirSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { applyMigrations } from "../../src/cli/dev/migrations.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** A `--persist-to` with a database in which nobody has stored anything. Nothing is started on it. */
    madeState: string;
  }
}

/** Of this process, so that projects share it. */
const DIR = join(tmpdir(), `tally-made-state-${process.pid}`);

/** Makes it, unless it is there. */
export const makeState = async (): Promise<string> => {
  mkdirSync(DIR, { recursive: true });
  await applyMigrations(DIR, new AbortController().signal);
  return DIR;
};

export const removeMadeState = (): Promise<void> => rm(DIR, { recursive: true, force: true });

/** Makes `persistTo` a copy of it. */
export const copyMadeState = (madeState: string, persistTo: string): Promise<void> =>
  cp(madeState, persistTo, { recursive: true });

/** Vitest's globalSetup. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  project.provide("madeState", await makeState());
  return removeMadeState;
}
