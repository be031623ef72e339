/**
 * Temporary files of a test run in memory, where there is enough of it, so that neither databases nor trees of files wait for a
 * disk. Like files on a disk they survive the processes of a test, even a `kill -9`.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** Linux's file system in memory. */
const MEMORY_DIR = "/dev/shm";

/** Free bytes to begin with. The largest tests need some hundred MB; a container often has 64 MB in all. */
const MIN_FREE_BYTES = 4_000_000_000;

const PREFIX = "tally-tests-";

/** Makes `os.tmpdir()` of this process, and of all it starts, a directory in memory that is removed when the process ends. */
export const keepFilesInMemory = (): void => {
  if (freeBytes() < MIN_FREE_BYTES) return;
  removeLeftovers();
  const dir = join(MEMORY_DIR, `${PREFIX}${process.pid}`);
  mkdirSync(dir, { recursive: true });
  // Like every directory for temporary files: some tests run programs without root's rights.
  chmodSync(dir, 0o1777);
  process.env.TMPDIR = dir;
  process.on("exit", () => remove(dir));
};

const freeBytes = (): number => {
  if (!existsSync(MEMORY_DIR)) return 0;
  const { bavail, bsize } = statfsSync(MEMORY_DIR);
  return bavail * bsize;
};

/** Directories of runs that were killed. */
const removeLeftovers = (): void => {
  for (const name of readdirSync(MEMORY_DIR)) {
    if (name.startsWith(PREFIX) && !existsSync(`/proc/${name.slice(PREFIX.length)}`)) remove(join(MEMORY_DIR, name));
  }
};

const remove = (dir: string): void => {
  try {
    rmSync(dir, { recursive: true, force: true });
  } catch {
    // A process is still writing there; the next run removes it.
  }
};
