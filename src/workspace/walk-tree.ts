/**
 * The files below a directory, in the order of a walk: by name within each directory, a directory's own files where its
 * name stands. One directory is in memory at a time for each level, so a big tree costs no more than its widest parts.
 */
import { type IgnoreRules, NO_RULES } from "./ignore-rules.ts";

/** What is in a directory. Whatever is neither file nor directory is left out by the tree. */
export type Child = { readonly name: string; readonly type: "file" | "directory"; readonly size: number };

/** Where a walk reads. Both answer undefined when the path is gone meanwhile. */
export type Tree = {
  children(directory: string): Promise<readonly Child[] | undefined>;
  /** A small text file, for `.gitignore`. */
  text(path: string): Promise<string | undefined>;
  /** Guarded files are neither listed nor entered. */
  isGuarded(path: string): boolean;
  /**
   * Asked before each child is looked at, ignored ones too; false ends the walk. `rulesLength` is what it is compared with, in
   * UTF-16 units: a directory of ignored files under long rules is much work without any access.
   */
  goesOn?(rulesLength: number): Promise<boolean>;
};

export type TreeFile = { readonly path: string; readonly size: number };

/** Files below `directory`, without `.git`, guarded ones and what `.gitignore` names, also those further up. */
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

/** Whether a walk passes over what is at a path, whose directory has these rules. */
export const isLeftOut = (tree: Tree, path: string, isDirectory: boolean, rules: IgnoreRules): boolean =>
  path === ".git" || path.endsWith("/.git") || tree.isGuarded(path) || rules.ignores(path, isDirectory);

/** The rules of the directories above, from the root down. */
export const rulesAbove = async (tree: Tree, directory: string): Promise<IgnoreRules> => {
  let rules = NO_RULES;
  if (directory === ".") return rules;
  const names = directory.split("/");
  for (let depth = 0; depth < names.length; depth += 1) {
    rules = await addRules(tree, depth === 0 ? "." : names.slice(0, depth).join("/"), rules);
  }
  return rules;
};

/** The rules in a directory with these children: those above and its own. */
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
