/**
 * The files that ripgrep finds worth matching, in the order of a walk. The directories are walked here, so ignore rules,
 * guarded files and links are treated as without it; ripgrep itself enters none and reads no ignore file.
 */
import type { IgnoreRules } from "../../workspace/ignore-rules.ts";
import { isLeftOut, pathOf, rulesAbove, rulesWithin } from "../../workspace/walk-tree.ts";
import { type DiskTree, MAX_TEXT_BYTES } from "./disk-tree.ts";
import type { RipgrepQuery } from "./ripgrep.ts";
import { readCounts } from "./ripgrep-counts.ts";
import { ripgrepPattern } from "./ripgrep-pattern.ts";

/** More names are not kept in memory: such a tree is searched file by file. */
const MAX_NAMES = 500_000;

/** Asks ripgrep, which answers as `readCounts` reads it; undefined when it could not say. */
export type AskRipgrep = (query: RipgrepQuery) => Promise<Uint8Array | undefined>;

/** A directory of the walk, with the names of its files. */
type Directory = { readonly rules: IgnoreRules; readonly names: readonly string[] };

/**
 * Paths below `directory` in the order of a walk, those that cannot match left out; undefined when the pattern or the
 * tree is none for ripgrep. `isStopped` ends the work early, with paths missing.
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
    searched += 1;
    if (isMatch) paths.push(path);
  }
  // Ripgrep passes over large files without a word, and who searches has to hear of them.
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

/** Without what is ignored or guarded, and what was not there when the directories were walked. */
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

/** A directory's name counts before what is in it: as text that is so when `/` comes before every character of a name. */
const inWalkOrder = (paths: readonly string[]): string[] =>
  paths
    .map((path) => path.replaceAll("/", "\0"))
    .sort()
    .map((path) => path.replaceAll("\0", "/"));
