/**
 * Finds out whether a file is a second name, a hard link, of a guarded file. The guarded file is looked for in the same directory and in
 * those above, where it is likely; others are missed. Most files have only one name, and cost nothing here.
 */
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { isHidden, type WorkspaceRoot } from "./workspace-root.ts";

/** What tells one file from another, whatever it is called. */
type Identity = Pick<Stats, "dev" | "ino" | "nlink">;

/** Remembers what it has seen: make a new one for each call. */
export class GuardedLinks {
  readonly #root: WorkspaceRoot;
  /** Identities of the guarded files of a directory, by its path. */
  readonly #seen = new Map<string, ReadonlySet<string>>();

  constructor(root: WorkspaceRoot) {
    this.#root = root;
  }

  /** Whether a file, in the directory that `parents` lead to, is also a guarded file of that directory or of one above it. */
  has(parents: readonly string[], file: Identity): boolean {
    if (file.nlink < 2) return false;
    const directories = Array.from({ length: parents.length + 1 }, (_, depth) => parents.slice(0, depth).join("/"));
    return directories.some((directory) => this.#guardedIn(directory).has(identify(file)));
  }

  #guardedIn(directory: string): ReadonlySet<string> {
    const known = this.#seen.get(directory);
    if (known !== undefined) return known;
    const found = new Set<string>();
    for (const name of namesIn(join(this.#root.dir, directory))) {
      const path = directory === "" ? name : `${directory}/${name}`;
      if (isHidden(this.#root, path)) this.#add(found, path);
    }
    this.#seen.set(directory, found);
    return found;
  }

  /** Adds a guarded file, or the files of a guarded directory such as `.aws`. */
  #add(found: Set<string>, path: string): void {
    const absolute = join(this.#root.dir, path);
    for (const one of [absolute, ...namesIn(absolute).map((name) => join(absolute, name))]) {
      const stats = statsOf(one);
      if (stats?.isFile() === true) found.add(identify(stats));
    }
  }
}

const identify = ({ dev, ino }: Identity): string => `${dev}:${ino}`;

/** The names in a directory. A file has none, and so has a directory that may not be read. */
const namesIn = (directory: string): string[] => {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
};

const statsOf = (path: string): Stats | undefined => {
  try {
    return lstatSync(path);
  } catch {
    // It is gone, or in a directory that may not be entered.
    return undefined;
  }
};
