/** A small disk of its own that can be filled to the last byte. Linux, with the right to mount. */
import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { mkdtemp, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NotTried } from "../fault-class.ts";

const SIZE_MB = 96;

/** A mounted disk. */
export type SmallDisk = {
  readonly dir: string;
  /** Takes all that is free. */
  fill(): void;
  /** Frees the space again. */
  free(): void;
  unmount(): Promise<void>;
};

/** Mounts it. @throws {NotTried} where that is not allowed. */
export const mountSmallDisk = async (): Promise<SmallDisk> => {
  const dir = await mkdtemp(join(tmpdir(), "tally-faults-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE_MB}m`, "tmpfs", dir], { stdio: "pipe" });
  } catch (error) {
    await rmdir(dir);
    throw new NotTried(`a small disk cannot be mounted here (${String(error).split("\n")[0]})`);
  }
  const filler = join(dir, "filler");
  return {
    dir,
    fill: () => fillUp(filler),
    free: () => rmSync(filler, { force: true }),
    unmount: async () => {
      execFileSync("umount", ["-l", dir]);
      await rmdir(dir);
    },
  };
};

const fillUp = (path: string): void => {
  const file = openSync(path, "w");
  try {
    for (let size = 1_048_576; size >= 1; size = Math.floor(size / 16)) writeUntilFull(file, new Uint8Array(size));
  } finally {
    closeSync(file);
  }
};

const writeUntilFull = (file: number, bytes: Uint8Array): void => {
  try {
    while (writeSync(file, bytes) === bytes.length);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
};
