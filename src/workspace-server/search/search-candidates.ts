/**
 * The files that ripgrep selects, in walk order. The directories are walked here, so that ignore rules, guarded files and links work as
 * they do without ripgrep. Ripgrep itself enters no directory and reads no ignore file.
 */
import type { IgnoreRules } from "../../workspace/ignore-rules.ts";
import { isLeftOut, pathOf, rulesAbove, rulesWithin } from "../../workspace/walk-tree.ts";
import { type DiskTree, MAX_TEXT_BYTES, REPLACEMENT } from "../tree/disk-tree.ts";
import type { RipgrepQuery } from "./ripgrep.ts";
import { ripgrepPattern } from "./ripgrep-pattern.ts";

/**
 * Parses the output of `rg --count --include-zero --null`: `./path`, NUL, a number and a line end for each file it searched.
 * Yields each file's path from the root and whether one of its lines matches, in no particular order. The output may break off anywhere.
 */
export function* readCounts(output: Uint8Array): Generator<{ readonly path: string; readonly isMatch: boolean }> {
  // Bytes of names that are not UTF-8 are read as U+FFFD, so such a path never equals one of the walk.
  const text = new TextDecoder().decode(output);
  // A name may contain a line end itself, a number does not.
  for (let start = 0, nul = text.indexOf("\0"); nul >= 0; nul = text.indexOf("\0", start)) {
    const path = text.slice(start + PREFIX.length, nul);
    yield { path, isMatch: text[nul + 1] !== "0" };
    const end = text.indexOf("\n", nul);
    if (end < 0) return;
    start = end + 1;
  }
}

const PREFIX = "./";

/** Most names that are kept in memory. A tree with more is searched file by file. */
const MAX_NAMES = 500_000;

/** Runs ripgrep and returns its output for `readCounts`; undefined when it failed. */
export type AskRipgrep = (query: RipgrepQuery) => Promise<Uint8Array | undefined>;

/** A directory of the walk, with the names of its files. */
type Directory = { readonly rules: IgnoreRules; readonly names: readonly string[] };

/**
 * Paths below `directory` in walk order, without those that cannot match; undefined when ripgrep cannot handle the pattern or the
 * tree. `isStopped` ends the work early, with paths missing.
 */
export const findCandidates = async (
  tree: DiskTree,
  directory: string,
  pattern: string,
  world: { readonly ask: AskRipgrep; readonly isStopped: () => boolean },
): Promise<string[] | undefined> => {
  const written = ripgrepPattern(pattern);
  if (written === undefined) return undefined;
  const directories = await walkDirectories(tree, directory, world.isStopped);
  if (directories === undefined) return undefined;
  const answer = await world.ask({
    pattern: written,
    directories: [...directories.keys()],
    maxFileBytes: MAX_TEXT_BYTES,
  });
  if (answer === undefined) return undefined;
  const paths: string[] = [];
  let searched = 0;
  for (const { path, isMatch } of readCounts(answer)) {
    // Its name is not UTF-8: the walk leaves such files out, so it must not count in place of one that was skipped.
    if (path.includes(REPLACEMENT)) continue;
    searched += 1;
    if (isMatch) paths.push(path);
  }
  // Ripgrep silently skips large files, and the caller must know about them.
  const passedOver = searched === countOf(directories) ? [] : without(filesIn(directories), answer);
  return inWalkOrder(shownOf(tree, directories, paths.concat(passedOver)));
};

const walkDirectories = async (
  tree: DiskTree,
  top: string,
  isStopped: () => boolean,
): Promise<Map<string, Directory> | undefined> => {
  const directories = new Map<string, Directory>();
  const left = [{ path: top, above: await rulesAbove(tree, top) }];
  let names = 0;
  for (let next = left.pop(); next !== undefined && !isStopped(); next = left.pop()) {
    const { path, above } = next;
    const children = await tree.children(path);
    if (children === undefined) continue;
    const rules = await rulesWithin(tree, path, children, above);
    const files: string[] = [];
    for (const { name, type } of children) {
      if (type === "file") files.push(name);
      else if (!isLeftOut(tree, pathOf(path, name), true, rules)) left.push({ path: pathOf(path, name), above: rules });
    }
    directories.set(path, { rules, names: files });
    names += children.length;
    if (names > MAX_NAMES) return undefined;
  }
  return directories;
};

const countOf = (directories: ReadonlyMap<string, Directory>): number => {
  let count = 0;
  for (const { names } of directories.values()) count += names.length;
  return count;
};

const filesIn = (directories: ReadonlyMap<string, Directory>): string[] =>
  [...directories].flatMap(([directory, { names }]) => names.map((name) => pathOf(directory, name)));

const without = (files: readonly string[], answer: Uint8Array): string[] => {
  const searched = new Set([...readCounts(answer)].map(({ path }) => path));
  return files.filter((path) => !searched.has(path));
};

/** Without ignored and guarded files, and without those that did not exist when the directories were walked. */
const shownOf = (
  tree: DiskTree,
  directories: ReadonlyMap<string, Directory>,
  paths: readonly string[],
): readonly string[] =>
  paths.filter((path) => {
    const slash = path.lastIndexOf("/");
    const directory = directories.get(slash < 0 ? "." : path.slice(0, slash));
    return directory !== undefined && !isLeftOut(tree, path, false, directory.rules);
  });

/** In walk order, a directory's contents come in the place of its name. Text sorts like that if `/` comes before all other characters. */
const inWalkOrder = (paths: readonly string[]): string[] =>
  paths
    .map((path) => path.replaceAll("/", "\0"))
    .sort()
    .map((path) => path.replaceAll("\0", "/"));
