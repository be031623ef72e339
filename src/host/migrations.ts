/** Brings the local D1 database up to date, without a word when that works. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { areApplied, recordApplied } from "./applied-migrations.ts";
import { endProcessGroup } from "./process-group.ts";
import { PROJECT_DIR } from "./project.ts";
import { StartRefusal } from "./start-refusal.ts";
import { startWrangler } from "./wrangler.ts";

/**
 * Applies the migrations that are missing. Ends early, without error, when `signal` aborts.
 *
 * @throws {StartRefusal} with wrangler's whole output when one does not apply.
 */
export const applyMigrations = async (persistTo: string, signal: AbortSignal): Promise<void> => {
  const names = readdirSync(join(PROJECT_DIR, "migrations"))
    .filter((name) => name.endsWith(".sql"))
    .sort();
  if (areApplied(persistTo, names)) return;
  const wrangler = startWrangler(["d1", "migrations", "apply", "DB", "--local", "--persist-to", persistTo]);
  const end = () => void endProcessGroup(wrangler.groupId);
  signal.addEventListener("abort", end, { once: true });
  const [output, errors, exitCode] = await Promise.all([text(wrangler.stdout), text(wrangler.stderr), wrangler.ended]);
  signal.removeEventListener("abort", end);
  if (exitCode === 0) recordApplied(persistTo, names);
  if (exitCode === 0 || signal.aborted) return;
  throw new StartRefusal(`${output}${errors}The migrations of the local database failed; wrangler's output is above.`);
};
