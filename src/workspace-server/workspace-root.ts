/** Finds out where a path of the workspace really is: links resolved, still inside the root, and not a guarded file. */
import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { isGuardedPath, refuseGuardedPath } from "../workspace/guarded-path.ts";
import { resolvePath, showPath } from "../workspace/resolve-path.ts";
import { WorkspaceError } from "../workspace/workspace.ts";
import { systemCode, toWorkspaceError } from "./system-error.ts";
import { type HeldDirectory, holdDirectory } from "./tree/held-directory.ts";

/** What the server serves. */
export type WorkspaceRoot = {
  /** Absolute and free of links. */
  readonly dir: string;
  /** The dev command's `--persist-to`, where the records of commands and writes are. */
  readonly stateDir: string;
  /** What is guarded besides the usual files, relative to `dir`: the state, if it is inside. */
  readonly guarded: readonly string[];
};

/** Opens a directory as a root. `stateDir` must exist too, and is guarded when it is inside. */
export const openRoot = async (dir: string, stateDir: string): Promise<WorkspaceRoot> => {
  const root = await realpath(dir);
  const state = await realpath(stateDir);
  return { dir: root, stateDir: state, guarded: guardedBy(root, state) };
};

/** The state's own entries, which are guarded when it is kept in the workspace's root itself, beside the person's files. */
const STATE_ENTRIES = ["dev.env", "dev-processes", "commands", "harness", "writes", "v3", "tmp"];

const guardedBy = (root: string, state: string): readonly string[] => {
  if (state === root) return STATE_ENTRIES;
  return isInside(root, state) ? [toPath(root, state)] : [];
};

/** Temporary files of writes. Only the write itself sees them. */
const TEMPORARY = /^\.tally-[0-9a-f-]{36}\.tmp$/;

/** A new name for a temporary file. */
export const temporaryName = (): string => `.tally-${crypto.randomUUID()}.tmp`;

/** Whether `path`, resolved and without links, is left out of lists and searches. */
export const isHidden = (root: WorkspaceRoot, path: string): boolean =>
  TEMPORARY.test(basename(path)) || isGuardedPath(path, root.guarded);

/** The real directory that an entry is in, as its parts from the root, and the entry's name there. */
type Place = { readonly parents: readonly string[]; readonly name: string };

/** A place as a path from the root, without links. */
export const pathTo = ({ parents, name }: Place): string => [...parents, name].join("/");

/** Whether a link at the end of a path means its target or itself. Links before the end are followed. */
type LastLink = "follow" | "keep";

/**
 * Locates a path, which need not exist. The place of the root is `.` in the root.
 *
 * @throws {WorkspaceError} `outside`, `refused` for a guarded file, `invalid` for a malformed path.
 */
export const locate = async (root: WorkspaceRoot, givenPath: string, lastLink: LastLink = "follow"): Promise<Place> => {
  const path = resolvePath(givenPath);
  refuseGuardedPath(path, root.guarded);
  const absolute = join(root.dir, path);
  try {
    const real =
      lastLink === "follow" || path === "."
        ? await resolveLinks(absolute)
        : join(await resolveLinks(dirname(absolute)), basename(absolute));
    if (!isInside(root.dir, real)) {
      throw new WorkspaceError("outside", `${showPath(path)} leads out of the workspace by a symbolic link.`);
    }
    const inRoot = toPath(root.dir, real);
    // Checked again: a link with a harmless name may lead to a guarded file.
    refuseGuardedPath(inRoot, root.guarded);
    if (TEMPORARY.test(basename(inRoot))) throw new WorkspaceError("refused", `${showPath(path)} is being written.`);
    return { parents: dirname(inRoot) === "." ? [] : dirname(inRoot).split("/"), name: basename(inRoot) };
  } catch (error) {
    throw toWorkspaceError(error, path);
  }
};

/** Does `work` on the entry at `place`, through its directory held open; failures become refusals that name `path`. */
export const atPlace = async <Result>(
  root: WorkspaceRoot,
  path: string,
  work: (directory: HeldDirectory, place: Place) => Promise<Result>,
  options: { readonly create?: boolean; readonly lastLink?: LastLink } = {},
): Promise<Result> => {
  const place = await locate(root, path, options.lastLink);
  try {
    const directory = await holdDirectory(root.dir, place.parents, options.create === true);
    try {
      return await work(directory, place);
    } finally {
      await directory.close();
    }
  } catch (error) {
    throw toWorkspaceError(error, path);
  }
};

/** Does `work` in a directory that exists, held open. @throws {WorkspaceError} `wrong_type` when it is a file. */
export const atDirectory = async <Result>(
  root: WorkspaceRoot,
  path: string,
  work: (directory: HeldDirectory) => Promise<Result>,
): Promise<Result> =>
  atPlace(root, path, async (parent, { name }) => {
    if (!(await lstat(parent.at(name))).isDirectory()) {
      throw new WorkspaceError("wrong_type", `${showPath(path)} is not a directory.`);
    }
    const directory = await holdDirectory(parent.at(name), []);
    try {
      return await work(directory);
    } finally {
      await directory.close();
    }
  });

const toPath = (root: string, path: string): string => relative(root, path).split(sep).join("/") || ".";

const isInside = (dir: string, path: string): boolean =>
  path === dir || path.startsWith(dir.endsWith(sep) ? dir : dir + sep);

/** `realpath` for a path whose last parts may be missing. */
const resolveLinks = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    if (await isLink(path))
      throw new WorkspaceError("outside", `${showPath(basename(path))} is a symbolic link to nothing.`);
    return join(await resolveLinks(dirname(path)), basename(path));
  }
};

const isLink = async (path: string): Promise<boolean> => {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    return false;
  }
};
