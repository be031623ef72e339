/** The files below one directory of a durable workspace, as if there were nothing else: no path leads out of it. */
import { type FileInfo, Workspace as ShellWorkspace } from "@cloudflare/shell";
import { groupDigits } from "../../contract/plain-text.ts";
import { refuseGuardedPath } from "../guarded-path.ts";
import { resolvePath, showPath } from "../resolve-path.ts";
import { WorkspaceError } from "../workspace.ts";

/** What the file tools and the shell need from the library. Paths are absolute and contain no `..`. */
export type FileStore = Pick<
  ShellWorkspace,
  "lstat" | "exists" | "readFile" | "readFileBytes" | "readDir" | "writeFile" | "writeFileBytes" | "mkdir" | "mv" | "rm"
> &
  Pick<ShellWorkspace, "deleteFile">;

/**
 * The files below `root`, a directory of `store` that is created if missing. A leading slash is dropped, because a workspace has
 * its own tree.
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

/**
 * Most entries of a directory that are read. All are read in one piece: no other call to the object comes in meanwhile, and all of them
 * are in memory. The largest repositories have a few thousand entries in one directory.
 */
const MAX_CHILDREN = 50_000;

/** How long these entries' paths may be together, in UTF-16 units: 300 for each entry of the largest directory. An isolate has 128 MB. */
const MAX_PATHS_LENGTH = 16_000_000;

/** Entries read at once, so that at most 16 MB beyond the limit are held. Almost all directories have fewer entries. */
const CHILDREN_AT_ONCE = 4_000;

/** The entries of a directory. @throws {WorkspaceError} for a directory that has too many, or too long ones. */
export const readChildren = async (store: Pick<FileStore, "readDir">, path: string): Promise<FileInfo[]> => {
  const children: FileInfo[] = [];
  const refuse = (what: string): never => {
    const shown = showPath(path.slice(1) || ".");
    throw new WorkspaceError("too_large", `${shown} has ${what} to list. Delete what is not needed with a command.`);
  };
  for (let length = 0; ; ) {
    // The library's own limit would drop the entries beyond the 1,000th.
    const some = await store.readDir(path, { limit: CHILDREN_AT_ONCE, offset: children.length });
    for (const child of some) length += child.path.length;
    children.push(...some);
    if (children.length > MAX_CHILDREN) refuse(`over ${groupDigits(MAX_CHILDREN)} entries, too many`);
    if (length > MAX_PATHS_LENGTH)
      refuse(`paths of over ${groupDigits(MAX_PATHS_LENGTH)} characters together, too long`);
    if (some.length < CHILDREN_AT_ONCE) return children;
  }
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
      `The workspace's root ${showPath(path)} cannot be created: ${showPath(above)} is a file. Ask the person to set another AGENT_WORKSPACE_DIR.`,
    );
  }
};

/** How much an owner may store: 1 GB, a tenth of what an object can hold. */
const MAX_STORED_BYTES = 1_000_000_000;

/**
 * The library's files with a limit on their total size, so that a command that writes in a loop cannot fill an object to its 10 GB.
 * Refuses to write once the storage is full; reading and deleting still work, and deleting frees space.
 */
export class BoundedStore extends ShellWorkspace {
  readonly #storage: SqlStorage;
  readonly #maxBytes: number;

  constructor(options: { readonly storage: SqlStorage; readonly maxFileBytes: number; readonly maxBytes?: number }) {
    // The library warns about files of `inlineThreshold` bytes and more, which it would put into R2. There is no R2 here, and no file is
    // that large.
    super({ sql: options.storage, inlineThreshold: options.maxFileBytes + 1 });
    this.#storage = options.storage;
    this.#maxBytes = options.maxBytes ?? MAX_STORED_BYTES;
  }

  override async writeFile(...args: Parameters<ShellWorkspace["writeFile"]>): Promise<void> {
    this.#refuseFull();
    await super.writeFile(...args);
  }

  override async writeFileBytes(...args: Parameters<ShellWorkspace["writeFileBytes"]>): Promise<void> {
    this.#refuseFull();
    await super.writeFileBytes(...args);
  }

  override async mkdir(...args: Parameters<ShellWorkspace["mkdir"]>): Promise<void> {
    this.#refuseFull();
    await super.mkdir(...args);
  }

  /** Pages freed by a delete do not count. */
  #refuseFull(): void {
    if (this.#storage.databaseSize < this.#maxBytes) return;
    throw new WorkspaceError(
      "too_large",
      `The workspace is full: it holds ${this.#maxBytes} bytes. Delete files first.`,
    );
  }
}
