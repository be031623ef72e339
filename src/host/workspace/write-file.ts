/** Writes a file whole or not at all: a temporary file beside it, flushed to the disk, then renamed over it. */
import { constants, type Stats } from "node:fs";
import { access, lstat, open, rename, rm } from "node:fs/promises";
import { showPath } from "../../workspace/resolve-path.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";
import { requireFile } from "./file-calls.ts";
import type { HeldDirectory } from "./held-directory.ts";
import { systemCode } from "./system-error.ts";
import { withTemporaryName } from "./temporary-files.ts";
import { atPlace, type WorkspaceRoot } from "./workspace-root.ts";

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Permission bits of a file that is replaced; a script stays executable. */
const MODE_BITS = 0o777;

/** Creates or replaces a file, with its parent directories. A link inside the workspace stays; its target is written. */
export const writeFile = async (root: WorkspaceRoot, path: string, bytes: Uint8Array): Promise<void> => {
  try {
    await writeAt(root, path, bytes);
  } catch (error) {
    if (!(error instanceof WorkspaceError) || systemCode(error.cause) !== "ENOTDIR") throw error;
    throw new WorkspaceError("wrong_type", `${showPath(path)}: a part of it is a file, not a directory.`, {
      cause: error,
    });
  }
};

const writeAt = (root: WorkspaceRoot, path: string, bytes: Uint8Array): Promise<void> =>
  atPlace(
    root,
    path,
    async (directory, { parents, name }) => {
      const before = await lstatIfThere(directory.at(name));
      if (before !== undefined) {
        requireFile(before, path);
        // A rename asks for the directory's permission alone; a file that is read-only stays so.
        await access(directory.at(name), constants.W_OK);
      }
      await withTemporaryName(root, parents, (temporary) =>
        replace(directory, { temporary, name }, bytes, before?.mode),
      );
    },
    { create: true },
  );

const replace = async (
  directory: HeldDirectory,
  names: { readonly temporary: string; readonly name: string },
  bytes: Uint8Array,
  mode: number | undefined,
): Promise<void> => {
  const temporary = directory.at(names.temporary);
  try {
    const handle = await open(temporary, CREATE, 0o666);
    try {
      await handle.writeFile(bytes);
      if (mode !== undefined) await handle.chmod(mode & MODE_BITS);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await directory.recheck();
    await rename(temporary, directory.at(names.name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
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
