/** The files below one directory of a durable workspace, as if that were all there is: no path leads out of it. */
import type { Workspace as ShellWorkspace } from "@cloudflare/shell";
import { refuseGuardedPath } from "./guarded-path.ts";
import { resolvePath, showPath } from "./resolve-path.ts";
import { WorkspaceError } from "./workspace.ts";

/** What the file tools and the shell need of the library. Paths are absolute and hold no `..`. */
export type FileStore = Pick<
  ShellWorkspace,
  "lstat" | "exists" | "readFile" | "readFileBytes" | "readDir" | "writeFile" | "writeFileBytes" | "mkdir" | "mv" | "rm"
> &
  Pick<ShellWorkspace, "deleteFile">;

/**
 * The files below `root`, a directory of `store` that is made when it is missing. A leading slash is dropped: a workspace
 * is a tree of its own.
 *
 * @throws {WorkspaceError} when the root leaves the tree, is guarded, or a file is in its way.
 */
export const rootedStore = async (store: FileStore, root: string): Promise<FileStore> => {
  const path = resolvePath(root.replace(/^\/+/, "") || ".");
  if (path === ".") return store;
  refuseGuardedPath(path);
  await makeDirectory(store, path);
  const at = (below: string): string => (below === "/" ? `/${path}` : `/${path}${below}`);
  return {
    lstat: (below) => store.lstat(at(below)),
    exists: (below) => store.exists(at(below)),
    readFile: (below) => store.readFile(at(below)),
    readFileBytes: (below) => store.readFileBytes(at(below)),
    readDir: (below = "/", options) => store.readDir(at(below), options),
    writeFile: (below, ...rest) => store.writeFile(at(below), ...rest),
    writeFileBytes: (below, ...rest) => store.writeFileBytes(at(below), ...rest),
    mkdir: (below, options) => store.mkdir(at(below), options),
    mv: (from, to, ...rest) => store.mv(at(from), at(to), ...rest),
    rm: (below, options) => store.rm(at(below), options),
    deleteFile: (below) => store.deleteFile(at(below)),
  };
};

const makeDirectory = async (store: FileStore, path: string): Promise<void> => {
  const names = path.split("/");
  for (let depth = 1; depth <= names.length; depth += 1) {
    const above = names.slice(0, depth).join("/");
    const found = await store.lstat(`/${above}`);
    if (found === null) return await store.mkdir(`/${path}`, { recursive: true });
    if (found.type === "directory") continue;
    throw new WorkspaceError(
      "wrong_type",
      `The workspace's root ${showPath(path)} cannot be made: ${showPath(above)} is a file. Ask the person to set another AGENT_WORKSPACE_DIR.`,
    );
  }
};
