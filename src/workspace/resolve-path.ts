/**
 * Turns a path from the model into one that a workspace accepts: relative to the root, `/` between names, `.` for the root itself.
 * Works on text only; links are left to the workspace, since only it can see them.
 */
import { cutText } from "../contract/plain-text.ts";
import { WorkspaceError } from "./workspace.ts";

/** The longest file name that common file systems allow. */
const MAX_NAME_BYTES = 255;

/** PATH_MAX of Linux, without its final NUL. */
const MAX_PATH_BYTES = 4_095;

/** How much of a path a message repeats. */
const MAX_SHOWN_CHARACTERS = 100;

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;

/** A path as messages show it: quoted, without control characters, cut when it is long. */
export const showPath = (path: string): string =>
  JSON.stringify(path.length > MAX_SHOWN_CHARACTERS ? `${cutText(path, MAX_SHOWN_CHARACTERS)}…` : path);

/**
 * Drops empty names, `.` and trailing slashes, and resolves `..`. A backslash is part of a name, as on every system this runs on;
 * so is `~`.
 *
 * @throws {WorkspaceError} `outside` for an absolute path and for `..` above the root; `invalid` for the empty path, NUL, text that
 * is not valid Unicode, a name over 255 bytes and a path over 4,095.
 */
export const resolvePath = (path: string): string => {
  if (path === "") throw new WorkspaceError("invalid", 'The path is empty. Use "." for the workspace\'s root.');
  if (path.includes("\0")) throw new WorkspaceError("invalid", `${showPath(path)}: a path cannot hold NUL.`);
  if (!path.isWellFormed()) throw new WorkspaceError("invalid", `${showPath(path)}: the path is not valid Unicode.`);
  if (path.startsWith("/")) {
    throw new WorkspaceError(
      "outside",
      `${showPath(path)}: absolute paths are refused. Use a path relative to the workspace's root, such as "src/app.ts".`,
    );
  }
  if (bytesOf(path) > MAX_PATH_BYTES) {
    throw new WorkspaceError("invalid", `${showPath(path)}: the path is over ${MAX_PATH_BYTES} bytes.`);
  }
  const names: string[] = [];
  for (const name of path.split("/")) {
    if (name === "" || name === ".") continue;
    if (name !== "..") names.push(checkName(name, path));
    else if (names.pop() === undefined) {
      throw new WorkspaceError("outside", `${showPath(path)} is outside the workspace. Stay below its root.`);
    }
  }
  return names.length === 0 ? "." : names.join("/");
};

/** Whether a path, or a name in it, is longer than file systems allow. */
export const isPathTooLong = (path: string): boolean =>
  bytesOf(path) > MAX_PATH_BYTES || path.split("/").some((name) => bytesOf(name) > MAX_NAME_BYTES);

const checkName = (name: string, path: string): string => {
  if (bytesOf(name) <= MAX_NAME_BYTES) return name;
  throw new WorkspaceError("invalid", `${showPath(path)}: the name ${showPath(name)} is over ${MAX_NAME_BYTES} bytes.`);
};

/**
 * A name folded at least as far as HFS+, NTFS or ext4 with case folding would: without case, compatibility forms, invisible
 * characters and trailing dots. Only for comparing names; never shown.
 */
export const foldName = (name: string): string =>
  name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[. ]+$/, "")
    // By way of upper case, where `ß` is `SS`, as ext4 has it.
    .toUpperCase()
    .toLowerCase();

/** The mutex key of a file's changes. Folded: some systems treat two spellings as one file, and a needless wait costs nothing. */
export const fileKey = (path: string): string => path.split("/").map(foldName).join("/");
