/**
 * A real directory as the walk sees it. The directory in hand stays open, so its files are read without finding their
 * way again, and links are neither shown nor followed. Reads are synchronous: for thousands of small files that is four
 * times as fast; `pace` lets other calls in.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readSync } from "node:fs";
import { basename, dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Child, Tree } from "../../workspace/walk-tree.ts";
import { type HeldDirectory, holdDirectory } from "./held-directory.ts";
import { systemCode } from "./system-error.ts";
import { isHidden, type WorkspaceRoot } from "./workspace-root.ts";

/** Larger files are not searched: they would have to be in memory whole, and to hold up other calls. */
export const MAX_TEXT_BYTES = 16 * 1_024 * 1_024;

/** How far into a file NUL is looked for. */
const SNIFFED_BYTES = 8_000;

/** What a text over the bound reads as. */
const TOO_LARGE = Symbol("too large");

/** Files read between two turns of the event loop: about a millisecond. */
const FILES_PER_TURN = 32;

const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Most files fit; each is made text or passed over before the next is read. */
const SHARED = Buffer.allocUnsafe(1_024 * 1_024);

/** How Node spells bytes of a name that are no UTF-8. Such a file cannot be named in JSON, so it is left out. */
const REPLACEMENT = "\uFFFD";

/** What a file that may be gone, closed or swapped by now answers with. */
const GONE = ["ENOENT", "ENOTDIR", "EACCES", "EPERM", "ELOOP", "ENXIO"];

/** The tree below a root. Close it after the walk. */
export class DiskTree implements Tree {
  readonly #root: WorkspaceRoot;
  #held: { readonly path: string; readonly directory: HeldDirectory } | undefined;
  #reads = 0;
  #hasPassedOver = false;

  constructor(root: WorkspaceRoot) {
    this.#root = root;
  }

  /** Sizes are left at 0: a walk asks for those it shows by `size`. */
  async children(path: string): Promise<readonly Child[] | undefined> {
    const directory = await this.#hold(path);
    return ifThere(() =>
      readdirSync(directory?.at(".") ?? "", { withFileTypes: true })
        .filter((entry) => (entry.isFile() || entry.isDirectory()) && !entry.name.includes(REPLACEMENT))
        .map((entry) => ({ name: entry.name, type: entry.isFile() ? "file" : "directory", size: 0 }) as const),
    );
  }

  /** `needed`, when it is not empty, is text without whose bytes the file does not count; it is then undefined. */
  async text(path: string, needed = ""): Promise<string | undefined> {
    this.#reads += 1;
    if (this.#reads % FILES_PER_TURN === 0) await nextTurn();
    const directory = await this.#hold(dirname(path));
    return ifThere(() => {
      const found = readText(directory?.at(basename(path)) ?? "", needed);
      this.#hasPassedOver ||= found === TOO_LARGE;
      return found === TOO_LARGE ? undefined : found;
    });
  }

  /** A file's bytes, or undefined when it is gone. */
  async size(path: string): Promise<number | undefined> {
    const directory = await this.#hold(dirname(path));
    return ifThere(() => lstatSync(directory?.at(basename(path)) ?? "").size);
  }

  /** Whether a text was passed over since it is larger than `MAX_TEXT_BYTES`. */
  get hasPassedOver(): boolean {
    return this.#hasPassedOver;
  }

  isGuarded(path: string): boolean {
    return isHidden(this.#root, path);
  }

  async close(): Promise<void> {
    await this.#held?.directory.close();
    this.#held = undefined;
  }

  /** The directory, or undefined when it is gone or may not be entered; an empty path then fails as gone. */
  async #hold(path: string): Promise<HeldDirectory | undefined> {
    if (this.#held?.path === path) return this.#held.directory;
    await this.close();
    try {
      const directory = await holdDirectory(this.#root.dir, path === "." ? [] : path.split("/"));
      this.#held = { path, directory };
      await directory.recheck();
      return directory;
    } catch (error) {
      if (!GONE.includes(systemCode(error) ?? "")) throw error;
      return undefined;
    }
  }
}

const ifThere = <Value>(read: () => Value): Value | undefined => {
  try {
    return read();
  } catch (error) {
    if (!GONE.includes(systemCode(error) ?? "")) throw error;
    return undefined;
  }
};

/** The text of a file; undefined for one that is binary, by NUL near its beginning as git has it, or does not count. */
const readText = (path: string, needed: string): string | typeof TOO_LARGE | undefined => {
  const descriptor = openSync(path, READ);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return undefined;
    if (stats.size > MAX_TEXT_BYTES) return isBinary(readBytes(descriptor, SNIFFED_BYTES)) ? undefined : TOO_LARGE;
    const bytes = readBytes(descriptor, stats.size);
    return isBinary(bytes) || !bytes.includes(needed) ? undefined : bytes.toString("utf8");
  } finally {
    closeSync(descriptor);
  }
};

const readBytes = (descriptor: number, length: number): Buffer => {
  const bytes = length <= SHARED.byteLength ? SHARED : Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, 0));
};

const isBinary = (bytes: Buffer): boolean => bytes.subarray(0, SNIFFED_BYTES).includes(0);
