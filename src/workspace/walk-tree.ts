/**
 * The files below a directory in walk order: sorted by name within each directory, with a directory's contents in the place of its
 * name. One directory for each level is in memory, so a big tree costs no more than its widest parts.
 */
import { type IgnoreRules, NO_RULES } from "./ignore-rules.ts";
import { type FileList, type ListQuery, MAX_RESULT_LENGTH } from "./workspace.ts";

/** An entry of a directory. The tree leaves out anything that is neither file nor directory. */
export type Child = { readonly name: string; readonly type: "file" | "directory"; readonly size: number };

/** What a walk reads from. `children` and `text` return undefined when the path no longer exists. */
export type Tree = {
  children(directory: string): Promise<readonly Child[] | undefined>;
  /** A small text file, for `.gitignore`. */
  text(path: string): Promise<string | undefined>;
  /** Guarded files are not listed. Guarded directories, whose paths end with a slash here, are not entered. */
  isGuarded(path: string): boolean;
  /**
   * Called before each child, including ignored ones, and for each directory above the walk's start; false ends the walk. `rulesLength`
   * is the length of the rules that it is compared with, in UTF-16 units: a directory of ignored files under long rules is a lot of work
   * without any access.
   */
  goesOn?(rulesLength: number): Promise<boolean>;
};

export type TreeFile = { readonly path: string; readonly size: number };

/** Collects the files of a list. `add` returns false when there are more than may be returned: the list then ends, and is cut. */
export const fileCollector = ({ limit }: ListQuery) => {
  const entries: FileList["entries"][number][] = [];
  let length = 0;
  const add = (path: string, size: number): boolean => {
    length += path.length;
    if (entries.length === limit || length > MAX_RESULT_LENGTH) return false;
    entries.push({ path, type: "file", size });
    return true;
  };
  return { entries, add };
};

/**
 * Files below `directory`, without `.git`, guarded files and what `.gitignore` files there or further up ignore. As with ripgrep, files
 * further up count only if they do not ignore the directory itself.
 */
export async function* walkTree(tree: Tree, directory: string): AsyncGenerator<TreeFile> {
  yield* walk(tree, directory, await rulesAbove(tree, directory));
}

async function* walk(tree: Tree, directory: string, above: IgnoreRules): AsyncGenerator<TreeFile> {
  const children = await tree.children(directory);
  if (children === undefined) return;
  const rules = await rulesWithin(tree, directory, children, above);
  for (const child of [...children].sort(byName)) {
    if ((await tree.goesOn?.(rules.length)) === false) return;
    const path = pathOf(directory, child.name);
    const isDirectory = child.type === "directory";
    if (isLeftOut(tree, path, isDirectory, rules)) continue;
    if (isDirectory) yield* walk(tree, path, rules);
    else yield { path, size: child.size };
  }
}

/** Whether a walk skips a path whose directory has these rules. */
export const isLeftOut = (tree: Tree, path: string, isDirectory: boolean, rules: IgnoreRules): boolean =>
  path === ".git" ||
  path.endsWith("/.git") ||
  // With a slash: a directory may have a name that is guarded only for a file.
  tree.isGuarded(isDirectory ? `${path}/` : path) ||
  rules.ignores(path, isDirectory);

/**
 * The rules of the directories above, from the root down. If they ignore a directory on the way, they do not apply below it: what is in it
 * was asked for by name.
 */
export const rulesAbove = async (tree: Tree, directory: string): Promise<IgnoreRules> => {
  let rules = NO_RULES;
  if (directory === ".") return rules;
  const names = directory.split("/");
  for (let depth = 0; depth < names.length; depth += 1) {
    rules = await addRules(tree, depth === 0 ? "." : names.slice(0, depth).join("/"), rules);
    if ((await tree.goesOn?.(rules.length)) === false) return rules;
    if (rules.ignores(names.slice(0, depth + 1).join("/"), true)) rules = NO_RULES;
  }
  return rules;
};

/** The rules in a directory with these children: those from above and its own. */
export const rulesWithin = async (
  tree: Tree,
  directory: string,
  children: readonly Child[],
  above: IgnoreRules,
): Promise<IgnoreRules> => (children.some(isGitignore) ? addRules(tree, directory, above) : above);

const addRules = async (tree: Tree, directory: string, rules: IgnoreRules): Promise<IgnoreRules> => {
  const text = await tree.text(pathOf(directory, ".gitignore"));
  return text === undefined ? rules : rules.with(directory, text);
};

const isGitignore = ({ name, type }: Child): boolean => name === ".gitignore" && type === "file";

const byName = (one: Child, other: Child): number => (one.name < other.name ? -1 : 1);

/** The path of an entry of a directory. */
export const pathOf = (directory: string, name: string): string => (directory === "." ? name : `${directory}/${name}`);

/** Longest walk, in ms: the largest workspace takes a few seconds, and nobody waits longer for a list. */
const MAX_WALK_MS = 20_000;

/**
 * Whether the walk that begins now must end before it has seen everything, because other calls to the object wait behind it. Once
 * true, it stays true. The clock advances only at accesses.
 */
export const walkStop = (signal: AbortSignal, nowMs: () => number = Date.now): (() => boolean) => {
  const endMs = nowMs() + MAX_WALK_MS;
  let isStopped = false;
  return () => {
    isStopped ||= signal.aborted || nowMs() > endMs;
    return isStopped;
  };
};
