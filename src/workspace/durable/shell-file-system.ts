/**
 * The durable files as `just-bash` sees them, mounted at one directory of its own tree. What a command writes is stored at once, as
 * by a real shell. Errors are those of POSIX in their usual wording, since the commands print them.
 *
 * To the shell, copying or moving a directory is one call, and a stopped command does not wait for its end. It stops before the next child.
 */
import type { IFileSystem } from "just-bash/browser";
import type { Pace } from "../pace.ts";
import { type FileStore, readChildren } from "./rooted-store.ts";
import { absolutePath, refuseIntoItself, refuseLong } from "./shell-paths.ts";
import { type Content, type Encoding, fromBytes, toBytes } from "./shell-text.ts";
import { decodeText, storeFile } from "./store-file.ts";

type Stat = Awaited<ReturnType<IFileSystem["stat"]>>;

/** Permissions are not stored: everything may be read, changed and run. */
const MODE = 0o755;

export class ShellFileSystem implements IFileSystem {
  /** Why files were left as they are, in words for whoever reads the command's errors. */
  readonly refusals: string[] = [];
  readonly #files: FileStore;
  readonly #pace: Pace;
  readonly #stopped: AbortSignal;

  /** `stopped` aborts when the command is. */
  constructor(files: FileStore, pace: Pace, stopped: AbortSignal) {
    this.#files = files;
    this.#pace = pace;
    this.#stopped = stopped;
  }

  async readFile(path: string, options?: Parameters<IFileSystem["readFile"]>[1]): Promise<string> {
    const bytes = await this.readFileBuffer(path);
    return fromBytes(bytes, options);
  }

  async readFileBuffer(path: string): Promise<Uint8Array> {
    const { isDirectory, size } = await this.stat(path);
    if (isDirectory) throw new Error(`EISDIR: illegal operation on a directory, read '${path}'`);
    const bytes = await this.#files.readFileBytes(path);
    await this.#pace.step(size);
    return bytes ?? new Uint8Array();
  }

  /** Creates missing parents, as the interpreter's own file system does: it treats an error here as the end of the command. */
  async writeFile(path: string, content: Content, options?: Encoding): Promise<void> {
    refuseLong(path);
    const bytes = toBytes(content, options);
    await this.#pace.step(bytes.byteLength);
    await this.#refuseDirectory(path);
    if (typeof content === "string" && content.includes("\uFFFD")) await this.#refuseLoss(path);
    await storeFile(this.#files, path, bytes);
  }

  /**
   * Refuses a write that would lose bytes. A command that edits a file in place, such as `sed -i`, has read bytes that are not UTF-8 as
   * U+FFFD. `refusals` tells the reason, since `sed` reports every error here as a missing file.
   */
  async #refuseLoss(path: string): Promise<void> {
    const before = await this.#files.readFileBytes(path);
    if (before === null || decodeText(before) !== undefined) return;
    const file = path.replace(/^\//, "");
    this.refusals.push(`'${file}' is not plain text: it was left as it is, since bytes would be lost.`);
    throw new Error(`EILSEQ: not plain text, open '${path}'`);
  }

  /** Yields before it reads, not after. Otherwise it would overwrite what another command has appended meanwhile. */
  async appendFile(path: string, content: Content, options?: Encoding): Promise<void> {
    refuseLong(path);
    const added = toBytes(content, options);
    const size = (await this.#files.lstat(path))?.size ?? 0;
    await this.#pace.step(2 * size + added.byteLength);
    await this.#refuseDirectory(path);
    const before = (await this.#files.readFileBytes(path)) ?? new Uint8Array();
    const bytes = new Uint8Array(before.byteLength + added.byteLength);
    bytes.set(before);
    bytes.set(added, before.byteLength);
    await storeFile(this.#files, path, bytes);
  }

  async #refuseDirectory(path: string): Promise<void> {
    const found = await this.#files.lstat(path);
    if (found?.type === "directory") throw new Error(`EISDIR: illegal operation on a directory, open '${path}'`);
  }

  exists(path: string): Promise<boolean> {
    return this.#files.exists(path);
  }

  async stat(path: string): Promise<Stat> {
    await this.#pace.step();
    const found = await this.#files.lstat(path);
    if (found === null) throw new Error(`ENOENT: no such file or directory, stat '${path}'`);
    return {
      isFile: found.type === "file",
      isDirectory: found.type === "directory",
      isSymbolicLink: false,
      mode: MODE,
      size: found.size,
      mtime: new Date(found.updatedAt),
      // There are no links, so two paths are two files. `cp` and `mv` need this to replace a file: it might otherwise be the same one.
      identity: `workspace:${path}`,
    };
  }

  lstat(path: string): Promise<Stat> {
    return this.stat(path);
  }

  async mkdir(path: string, options?: { recursive?: boolean }): Promise<void> {
    refuseLong(path);
    await this.#pace.step();
    await this.#files.mkdir(path, options);
  }

  async readdir(path: string): Promise<string[]> {
    return (await this.readdirWithFileTypes(path)).map(({ name }) => name);
  }

  async readdirWithFileTypes(path: string) {
    const { isDirectory } = await this.stat(path);
    if (!isDirectory) throw new Error(`ENOTDIR: not a directory, scandir '${path}'`);
    const children = await readChildren(this.#files, path);
    return children
      .map(({ name, type }) => ({
        name,
        isFile: type === "file",
        isDirectory: type === "directory",
        isSymbolicLink: false,
      }))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  async rm(path: string, options?: { recursive?: boolean; force?: boolean }): Promise<void> {
    await this.#pace.step();
    await this.#files.rm(path, options);
  }

  async cp(from: string, to: string, options?: { recursive?: boolean }): Promise<void> {
    const { isDirectory } = await this.stat(from);
    if (!isDirectory) return this.writeFile(to, await this.readFileBuffer(from));
    if (options?.recursive !== true) throw new Error(`EISDIR: illegal operation on a directory, cp '${from}'`);
    refuseIntoItself(from, to);
    await this.mkdir(to, { recursive: true });
    for (const name of await this.readdir(from)) {
      this.#stopped.throwIfAborted();
      await this.cp(`${from}/${name}`, `${to}/${name}`, options);
    }
  }

  /** Moves a directory child by child: the library's own method loses the children beyond the 1,000th. */
  async mv(from: string, to: string): Promise<void> {
    refuseLong(to);
    const { isDirectory } = await this.stat(from);
    if (from === to) return;
    if (!isDirectory) return this.#files.mv(from, to);
    refuseIntoItself(from, to);
    await this.mkdir(to, { recursive: true });
    // Otherwise the files in `to` would be overwritten, or mixed with those of `from`.
    if ((await this.readdir(to)).length > 0) throw new Error(`ENOTEMPTY: directory not empty, mv '${to}'`);
    for (const name of await this.readdir(from)) {
      this.#stopped.throwIfAborted();
      await this.mv(`${from}/${name}`, `${to}/${name}`);
    }
    await this.#files.rm(from);
  }

  readonly resolvePath = absolutePath;

  /** Empty: the shell's patterns are then matched directory by directory. */
  getAllPaths(): string[] {
    return [];
  }

  async chmod(path: string): Promise<void> {
    await this.stat(path);
  }

  async utimes(path: string): Promise<void> {
    await this.stat(path);
  }

  async symlink(_target: string, path: string): Promise<void> {
    throw new Error(`EPERM: this workspace has no links, symlink '${path}'`);
  }

  async link(_existing: string, path: string): Promise<void> {
    throw new Error(`EPERM: this workspace has no links, link '${path}'`);
  }

  async readlink(path: string): Promise<string> {
    throw new Error(`EINVAL: invalid argument, readlink '${path}'`);
  }

  async realpath(path: string): Promise<string> {
    await this.stat(path);
    return path;
  }
}
