/**
 * Directories held open, so that a path checked once cannot be swapped for a symbolic link before it is used: what is
 * below is reached through the handle, as `openat` does (docs/decisions/0030).
 */
import { constants, existsSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath } from "node:fs/promises";
import { systemCode } from "./system-error.ts";

/** A directory that stays the same one, whatever happens to its path. Close it. */
export type HeldDirectory = {
  /** A path to an entry of this very directory, for the calls of `node:fs` that do not follow its last part. */
  at(name: string): string;
  /** Where there are no handles to go through: rejects when the path has come to mean another directory. */
  recheck(): Promise<void>;
  close(): Promise<void>;
};

/** Linux: a path through a descriptor goes on from the directory it holds. */
export const HAS_DESCRIPTOR_PATHS = existsSync("/proc/self/fd");

/** `O_PATH`, which Node has no name for: holds a directory that may be passed through but not read. */
export const HOLD = constants.O_DIRECTORY | constants.O_NOFOLLOW | (HAS_DESCRIPTOR_PATHS ? 0o10000000 : 0);

/**
 * Holds the directory that `parts` lead to below `root`, following no link. `create` makes the ones that are missing.
 *
 * @throws the system's error; ELOOP or ENOTDIR when a part is a link.
 */
export const holdDirectory = async (root: string, parts: readonly string[], create = false): Promise<HeldDirectory> => {
  let held = await hold(root);
  for (const part of parts) {
    try {
      const next = await holdBelow(held, part, create);
      await held.close();
      held = next;
    } catch (error) {
      await held.close();
      throw error;
    }
  }
  return held;
};

const holdBelow = async (parent: HeldDirectory, name: string, create: boolean): Promise<HeldDirectory> => {
  const path = parent.at(name);
  try {
    return await hold(path);
  } catch (error) {
    if (!create || systemCode(error) !== "ENOENT") throw error;
  }
  await mkdir(path).catch((error: unknown) => {
    // Another write has just made it.
    if (systemCode(error) !== "EEXIST") throw error;
  });
  return hold(path);
};

const hold = async (path: string): Promise<HeldDirectory> => {
  const handle = await open(path, HOLD);
  return {
    // Not `join`: that would drop a last `.`, and with it the step through the descriptor's own link.
    at: (name) => `${HAS_DESCRIPTOR_PATHS ? `/proc/self/fd/${handle.fd}` : path}/${name}`,
    recheck: () => (HAS_DESCRIPTOR_PATHS ? Promise.resolve() : requireSame(handle, path)),
    close: () => handle.close(),
  };
};

const requireSame = async (handle: FileHandle, path: string): Promise<void> => {
  const [real, held, named] = await Promise.all([realpath(path), handle.stat(), lstat(path)]);
  if (real !== path || held.dev !== named.dev || held.ino !== named.ino) {
    throw Object.assign(new Error(`${path} was swapped.`), { code: "ELOOP" });
  }
};
