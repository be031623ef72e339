/** Reads and describes files of a real directory. */
import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { guardedRefusal } from "../workspace/guarded-path.ts";
import { showPath } from "../workspace/resolve-path.ts";
import { type FileBytes, type FileStat, WorkspaceError } from "../workspace/workspace.ts";
import { GuardedLinks } from "./guarded-links.ts";
import { atPlace, type WorkspaceRoot } from "./workspace-root.ts";

/** How files are opened for reading. Without `O_NONBLOCK`, a FIFO put in place after the check would block until somebody writes to it. */
export const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** What is at a path; undefined when nothing is. @throws {WorkspaceError} `wrong_type` for devices, FIFOs and sockets. */
export const statEntry = async (root: WorkspaceRoot, path: string): Promise<FileStat | undefined> => {
  try {
    return await atPlace(root, path, async (directory, { name }) => {
      const stats = await lstat(directory.at(name));
      await directory.recheck();
      if (!stats.isFile() && !stats.isDirectory()) throw notAFile(path);
      const isFile = stats.isFile();
      return { type: isFile ? "file" : "directory", size: isFile ? stats.size : 0, modifiedAtMs: stats.mtimeMs };
    });
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === "not_found") return undefined;
    throw error;
  }
};

/** Part of a file. Only regular files are opened at all: opening a device can have effects. */
export const readFile = (
  root: WorkspaceRoot,
  path: string,
  range: { readonly offset: number; readonly maxBytes: number },
): Promise<FileBytes> =>
  atPlace(root, path, async (directory, { parents, name }) => {
    requireFile(await lstat(directory.at(name)), path);
    const handle = await open(directory.at(name), READ);
    try {
      const stats = await handle.stat();
      requireFile(stats, path);
      if (new GuardedLinks(root).has(parents, stats)) throw guardedRefusal(path);
      await directory.recheck();
      return { bytes: await readRange(handle, range.offset, Math.min(range.maxBytes, stats.size)), size: stats.size };
    } finally {
      await handle.close();
    }
  });

/** @throws {WorkspaceError} `wrong_type` when it is not a regular file. */
export const requireFile = (stats: { isFile(): boolean; isDirectory(): boolean }, path: string): void => {
  if (stats.isDirectory())
    throw new WorkspaceError("wrong_type", `${showPath(path)} is a directory. Name a file in it.`);
  if (!stats.isFile()) throw notAFile(path);
};

const notAFile = (path: string): WorkspaceError =>
  new WorkspaceError("wrong_type", `${showPath(path)} is a device, a FIFO or a socket. Only files can be used.`);

/** Bytes of a file; fewer at its end. */
export const readRange = async (
  handle: FileHandle,
  offset: number,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  const bytes = new Uint8Array(length);
  let read = 0;
  while (read < length) {
    const { bytesRead } = await handle.read(bytes, read, length - read, offset + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
};
