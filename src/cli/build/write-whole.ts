/** Writes files that others may read at any moment, such as the server of a second start in the same directory. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { PROJECT_DIR } from "../../process/project.ts";

/** On the same disk as the project, and not served by anything. */
const SCRATCH_DIR = join(PROJECT_DIR, ".wrangler");

/** Replaces a file at once, creating its directory: a reader finds the old one or the new one, never a part. */
export const writeWhole = (path: string, contents: Uint8Array | string): void => {
  mkdirSync(SCRATCH_DIR, { recursive: true });
  const scratch = mkdtempSync(join(SCRATCH_DIR, "write-"));
  try {
    const made = join(scratch, basename(path));
    writeFileSync(made, contents);
    mkdirSync(dirname(path), { recursive: true });
    renameSync(made, path);
  } finally {
    rmSync(scratch, { recursive: true });
  }
};
