/** Writes a file whole or not at all: a temporary file beside it, flushed to the disk, then renamed over it. */
import { constants, linkSync, renameSync, type Stats, unlinkSync } from "node:fs";
import { access, lstat, open, rm } from "node:fs/promises";
import type { KeyedMutex } from "../contract/keyed-mutex.ts";
import { ABSENT } from "../workspace/file-state.ts";
import { fileKey, showPath } from "../workspace/resolve-path.ts";
import { WorkspaceError } from "../workspace/workspace.ts";
import { requireFile } from "./file-calls.ts";
import { type ConditionalChange, changed, requireReal, requireState } from "./file-condition.ts";
import { NO_LINKS, systemCode } from "./system-error.ts";
import { withTemporaryName } from "./temporary-files.ts";
import type { HeldDirectory } from "./tree/held-directory.ts";
import { atPlace, pathTo, type WorkspaceRoot } from "./workspace-root.ts";

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Permission bits kept when a file is replaced, so that a script stays executable. */
const MODE_BITS = 0o777;

type FileWrite = ConditionalChange & { readonly bytes: Uint8Array };

type WriteWorld = { readonly root: WorkspaceRoot; readonly changes: KeyedMutex };

/** Creates or replaces a file, with its parent directories. For a link inside the workspace, its target is written. */
export const writeFile = async (world: WriteWorld, write: FileWrite): Promise<void> => {
  try {
    await writeAt(world, write);
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    // A directory on the way to a file that existed is gone.
    if (error.code === "not_found" && write.ifState !== undefined) throw changed(write.path);
    if (systemCode(error.cause) !== "ENOTDIR") throw error;
    throw new WorkspaceError("wrong_type", `${showPath(write.path)}: part of the path is a file, not a directory.`, {
      cause: error,
    });
  }
};

const writeAt = ({ root, changes }: WriteWorld, write: FileWrite): Promise<void> =>
  atPlace(
    root,
    write.path,
    (directory, place) => {
      requireReal(write, pathTo(place));
      return changes.run([fileKey(pathTo(place))], async () => {
        const before = await lstatIfThere(directory.at(place.name));
        if (before !== undefined) {
          requireFile(before, write.path);
          // A rename needs only the directory's permission; a read-only file must stay unchanged.
          await access(directory.at(place.name), constants.W_OK);
        }
        await withTemporaryName(root, place.parents, (temporary) =>
          replace(directory, { temporary, name: place.name }, write, before?.mode),
        );
      });
    },
    { create: write.ifState === undefined || write.ifState === ABSENT },
  );

const replace = async (
  directory: HeldDirectory,
  names: { readonly temporary: string; readonly name: string },
  write: FileWrite,
  mode: number | undefined,
): Promise<void> => {
  const temporary = directory.at(names.temporary);
  const target = directory.at(names.name);
  try {
    // The file is never open to more users than the one that it replaces, not even while it is written.
    const handle = await open(temporary, CREATE, mode === undefined ? 0o666 : mode & MODE_BITS);
    try {
      await handle.writeFile(write.bytes);
      // Sets the bits once more: the process may mask some bits of a new file.
      if (mode !== undefined) await handle.chmod(mode & MODE_BITS);
      await handle.sync();
    } finally {
      await handle.close();
    }
    const requireStill = await requireState(target, write);
    await directory.recheck();
    requireStill();
    if (write.ifState === ABSENT) createAs(temporary, target, write.path);
    else renameSync(temporary, target);
  } finally {
    // Needed after `linkSync` too: the file then has two names.
    await rm(temporary, { force: true });
  }
};

/** Gives a file its name if the name is free. Where there are hard links, the system itself decides whether it is. */
const createAs = (temporary: string, target: string, path: string): void => {
  try {
    linkSync(temporary, target);
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw changed(path);
    if (!NO_LINKS.includes(systemCode(error) ?? "")) throw error;
    renameSync(temporary, target);
  }
};

const lstatIfThere = async (path: string): Promise<Stats | undefined> => {
  try {
    return await lstat(path);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    return undefined;
  }
};

/** A symbolic link itself is deleted, not its target; with a condition it is refused. */
export const deleteFile = (
  { root, changes }: { readonly root: WorkspaceRoot; readonly changes: KeyedMutex },
  change: ConditionalChange,
): Promise<void> =>
  atPlace(
    root,
    change.path,
    (directory, place) => {
      requireReal(change, pathTo(place));
      return changes.run([fileKey(pathTo(place))], async () => {
        const stats = await lstat(directory.at(place.name));
        if (!stats.isSymbolicLink()) requireFile(stats, change.path);
        const requireStill = await requireState(directory.at(place.name), change);
        await directory.recheck();
        requireStill();
        unlinkSync(directory.at(place.name));
      });
    },
    { lastLink: change.ifState === undefined ? "keep" : "follow" },
  );
