/**
 * Directories held open, so that a path that was checked cannot be replaced by a symbolic link before it is used: what is below is
 * reached through the handle, as `openat` does (decision 0030).
 */
import { closeSync, constants, existsSync, openSync, realpathSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath } from "node:fs/promises";
import { systemCode } from "../system-error.ts";

/** A directory that stays the same one, whatever happens to its path. Close it. */
export type HeldDirectory = {
  /** A path to an entry of this very directory, for the calls of `node:fs` that do not follow its last part. */
  at(name: string): string;
  /** Where `at` cannot go through the handle: rejects when the path now means another directory. */
  recheck(): Promise<void>;
  close(): Promise<void>;
};

/** On Linux, a path through a descriptor continues from the directory it refers to. */
const HAS_DESCRIPTOR_PATHS = existsSync("/proc/self/fd");

/** `O_PATH`, for which Node has no name: opens a directory that may be entered but not read. */
const HOLD = constants.O_DIRECTORY | constants.O_NOFOLLOW | (HAS_DESCRIPTOR_PATHS ? 0o10000000 : 0);

/**
 * Opens the directory that `parts` lead to below `root`, following no link. `create` creates missing ones.
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
    // Another write has just created it.
    if (systemCode(error) !== "EEXIST") throw error;
  });
  return hold(path);
};

const hold = async (path: string): Promise<HeldDirectory> => {
  const handle = await open(path, HOLD);
  return {
    // Not `join`: it would drop a last `.`, and with it the step through the descriptor's own link.
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

/** Close it. */
export type HeldDirectorySync = {
  /** A path to an entry of this very directory. */
  at(name: string): string;
  close(): void;
};

/**
 * The same for a walk: synchronous, because it runs in a tree worker. Opens the directory that `parts` lead to below `root`,
 * following no link.
 *
 * @throws the system's error; ELOOP or ENOTDIR when a part is a link.
 */
export const holdDirectorySync = (root: string, parts: readonly string[]): HeldDirectorySync => {
  let held = holdNow(root);
  for (const part of parts) {
    try {
      const next = holdNow(held.at(part));
      held.close();
      held = next;
    } catch (error) {
      held.close();
      throw error;
    }
  }
  return held;
};

const holdNow = (path: string): HeldDirectorySync => {
  const descriptor = openSync(path, HOLD);
  if (!HAS_DESCRIPTOR_PATHS && realpathSync(path) !== path) {
    closeSync(descriptor);
    throw Object.assign(new Error(`${path} was swapped.`), { code: "ELOOP" });
  }
  return {
    at: (name) => `${HAS_DESCRIPTOR_PATHS ? `/proc/self/fd/${descriptor}` : path}/${name}`,
    close: () => closeSync(descriptor),
  };
};
