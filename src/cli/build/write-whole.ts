/** Writes files that others may read at any moment, such as the server of a second start in the same directory. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { PROJECT_DIR } from "../../process/project.ts";

/** On the same disk as the project, and not served by anything. */
const SCRATCH_DIR = join(PROJECT_DIR, ".wrangler");

/**
 * Replaces a file at once, creating its directory: a reader finds the old one or the new one, never a part. A file that already has these
 * contents is left alone, because wrangler recognizes a changed file by the time when it was written.
 */
export const writeWhole = (path: string, contents: Uint8Array | string): void => {
  if (hasContents(path, contents)) return;
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

/** Removes all files of a directory but those of these names. Another build may be doing the same. */
export const removeOthers = (dir: string, names: ReadonlySet<string>): void => {
  for (const name of readdirSync(dir)) {
    if (!names.has(name)) rmSync(join(dir, name), { force: true });
  }
};

const hasContents = (path: string, contents: Uint8Array | string): boolean => {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  return readFileSync(path).equals(typeof contents === "string" ? Buffer.from(contents) : contents);
};
