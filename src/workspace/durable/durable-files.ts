/**
 * The files of a durable workspace: `@cloudflare/shell` over the object's SQLite, one row for each file. It has no links, devices,
 * permissions or `..`: whatever a path says, it is below this one root.
 */
import type { FileInfo } from "@cloudflare/shell";
import { ABSENT, contentState } from "../file-state.ts";
import { refuseGuardedPath } from "../guarded-path.ts";
import type { Pace } from "../pace.ts";
import { resolvePath, showPath } from "../resolve-path.ts";
import type { Child } from "../walk-tree.ts";
import { type ChangeCondition, type FileBytes, type FileStat, WorkspaceError } from "../workspace.ts";
import { type FileStore, readChildren } from "./rooted-store.ts";
import { storeFile } from "./store-file.ts";

/** Checks paths again, because the object is called from outside; `children` and `text` take checked ones. */
export class DurableFiles {
  readonly #shell: FileStore;
  readonly #pace: Pace;

  constructor(shell: FileStore, pace: Pace) {
    this.#shell = shell;
    this.#pace = pace;
  }

  async stat(given: string): Promise<FileStat | undefined> {
    const found = await this.#find(checkedPath(given));
    if (found === null) return undefined;
    return {
      type: found.type === "directory" ? "directory" : "file",
      size: found.type === "directory" ? 0 : found.size,
      modifiedAtMs: found.updatedAt,
    };
  }

  async read(given: string, range: { readonly offset: number; readonly maxBytes: number }): Promise<FileBytes> {
    const path = checkedPath(given);
    await this.#requireFile(path);
    const whole = (await this.#shell.readFileBytes(absolute(path))) ?? new Uint8Array();
    return { bytes: whole.slice(range.offset, range.offset + range.maxBytes), size: whole.byteLength };
  }

  async write(given: string, bytes: Uint8Array, condition?: ChangeCondition): Promise<void> {
    const path = checkedPath(given);
    await this.#requireState(path, condition);
    const found = await this.#find(path);
    if (found !== null && found.type !== "file") throw isDirectory(path);
    await this.#refuseFileAbove(path);
    await storeFile(this.#shell, absolute(path), bytes);
  }

  async delete(given: string, condition?: ChangeCondition): Promise<void> {
    const path = checkedPath(given);
    await this.#requireState(path, condition);
    await this.#requireFile(path);
    await this.#shell.deleteFile(absolute(path));
  }

  /** A resolved directory's children, or undefined when it is not a directory. */
  async children(path: string): Promise<Child[] | undefined> {
    await this.#pace.step();
    const found = await this.#find(path);
    if (found?.type !== "directory") return undefined;
    const children: Child[] = [];
    for (const { name, type, size } of await readChildren(this.#shell, absolute(path))) {
      if (type !== "symlink") children.push({ name, type, size });
    }
    return children;
  }

  /** A resolved file's text, with bytes that are not UTF-8 replaced, or undefined when there is no such file. */
  async text(path: string): Promise<string | undefined> {
    const found = await this.#find(path);
    if (found?.type !== "file") return undefined;
    const text = await this.#shell.readFile(absolute(path));
    // Not earlier: between finding and reading, no other call may come in and delete the file.
    await this.#pace.step(found.size);
    return text ?? undefined;
  }

  /** Counts work that makes no access, such as comparing a name with rules of this length, as if that many bytes were read. */
  async countWork(work: number): Promise<void> {
    await this.#pace.step(work);
  }

  #find(path: string): Promise<FileInfo | null> {
    return this.#shell.lstat(absolute(path));
  }

  /**
   * Nothing can come between this check and the change that follows it. Computing the digest lets other calls in, so afterwards
   * the content is compared once more; from then on only storage is awaited, which answers at once.
   */
  async #requireState(path: string, condition: ChangeCondition | undefined): Promise<void> {
    if (condition === undefined) return;
    const before = await this.#content(path);
    const state = before === undefined ? ABSENT : await contentState(before);
    if (state !== condition.ifState || !isEqual(before, await this.#content(path))) throw changed(path);
  }

  async #content(path: string): Promise<Uint8Array | undefined> {
    const found = await this.#find(path);
    if (found === null) return undefined;
    if (found.type !== "file") throw isDirectory(path);
    return (await this.#shell.readFileBytes(absolute(path))) ?? undefined;
  }

  async #requireFile(path: string): Promise<void> {
    const found = await this.#find(path);
    if (found === null) throw notFound(path);
    if (found.type !== "file") throw isDirectory(path);
  }

  async #refuseFileAbove(path: string): Promise<void> {
    for (let slash = path.indexOf("/"); slash > 0; slash = path.indexOf("/", slash + 1)) {
      const above = path.slice(0, slash);
      const found = await this.#find(above);
      if (found === null) return;
      if (found.type === "directory") continue;
      throw new WorkspaceError("wrong_type", `${showPath(path)}: ${showPath(above)} is a file, not a directory.`);
    }
  }
}

/** The resolved form of a given path. @throws {WorkspaceError} when it leaves the root or is guarded. */
export const checkedPath = (given: string): string => {
  const path = resolvePath(given);
  refuseGuardedPath(path);
  return path;
};

/** A resolved path in the library's form. */
const absolute = (path: string): string => (path === "." ? "/" : `/${path}`);

export const notFound = (path: string): WorkspaceError =>
  new WorkspaceError("not_found", `${showPath(path)} does not exist. List the files to see what there is.`);

const isEqual = (one: Uint8Array | undefined, other: Uint8Array | undefined): boolean => {
  if (one === undefined || other === undefined) return one === other;
  return one.byteLength === other.byteLength && one.every((byte, index) => byte === other[index]);
};

const changed = (path: string): WorkspaceError =>
  new WorkspaceError("changed", `${showPath(path)} has changed in the meantime. Nothing was written; read it again.`);

const isDirectory = (path: string): WorkspaceError =>
  new WorkspaceError("wrong_type", `${showPath(path)} is a directory, not a file.`);
