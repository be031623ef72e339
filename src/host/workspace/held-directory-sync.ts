/** A directory held open for a walk, as `held-directory.ts` does for single calls; synchronous, for the walk's thread. */
import { closeSync, openSync, realpathSync } from "node:fs";
import { HAS_DESCRIPTOR_PATHS, HOLD } from "./held-directory.ts";

/** Close it. */
export type HeldDirectorySync = {
  /** A path to an entry of this very directory. */
  at(name: string): string;
  close(): void;
};

/**
 * Holds the directory that `parts` lead to below `root`, following no link.
 *
 * @throws the system's error; ELOOP or ENOTDIR when a part is a link.
 */
export const holdDirectorySync = (root: string, parts: readonly string[]): HeldDirectorySync => {
  let held = hold(root);
  for (const part of parts) {
    try {
      const next = hold(held.at(part));
      held.close();
      held = next;
    } catch (error) {
      held.close();
      throw error;
    }
  }
  return held;
};

const hold = (path: string): HeldDirectorySync => {
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
