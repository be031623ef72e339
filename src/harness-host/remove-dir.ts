/** Removes what a turn has left. Its commands may have made directories that their owner may not write to, such as Go's module cache. */
import { chmodSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Removes a directory with all that is in it. What cannot be removed stays and is named on standard error: nothing depends on it. */
export const removeDir = (dir: string): void => {
  try {
    rmSync(dir, { recursive: true, force: true });
  } catch {
    try {
      makeWritable(dir);
      rmSync(dir, { recursive: true, force: true });
    } catch (error) {
      process.stderr.write(`Workspace server: ${dir} cannot be removed: ${String(error)}\n`);
    }
  }
};

const makeWritable = (dir: string): void => {
  chmodSync(dir, 0o700);
  // A link to a directory is not a directory here.
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    if (entry.isDirectory()) makeWritable(join(dir, entry.name));
  }
};
