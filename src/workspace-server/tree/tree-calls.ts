/** Lists and searches a real directory, inside a tree worker. */
import { compilePattern, lineCollector } from "../../workspace/match-lines.ts";
import { fileCollector } from "../../workspace/walk-tree.ts";
import type { FileList, ListQuery, SearchQuery, SearchResult } from "../../workspace/workspace.ts";
import type { WorkspaceRoot } from "../workspace-root.ts";
import { DiskTree } from "./disk-tree.ts";
import { filesOf, type TreeWorld } from "./tree-files.ts";

/** One step of a pattern at its top level. `text` is set when the step matches exactly that text. */
type Step = { readonly text: string | undefined; readonly length: number };

/** Escapes that match no character: they separate text in the pattern, but not in the file. */
const POSITIONS = "bBAz";

/** Characters with a special meaning. `|` and `(` end the analysis, see `requiredText`. */
const SPECIAL = /[.^$*+?()[\]{}|\\]/;

/**
 * The longest text that a regular expression cannot match without, or the empty string. Looking for bytes is a hundred times as
 * fast as matching in linear time, so files without that text are skipped. The analysis is careful rather than complete: a pattern
 * with groups, flags or alternatives, or one that is not understood, requires nothing.
 */
export const requiredText = (pattern: string): string => {
  // U+FFFD also stands for bytes that are not UTF-8.
  if (!pattern.isWellFormed() || pattern.includes("\uFFFD")) return "";
  if (/[(|]/.test(pattern.replace(/\\[\s\S]/g, ""))) return "";
  let longest = "";
  let current = "";
  for (let index = 0; index < pattern.length; ) {
    const { text, length } = stepAt(pattern, index);
    index += length;
    const quantifier = /^(?:[*+?]|\{\d*,?\d*\})\??/.exec(pattern.slice(index))?.[0] ?? "";
    index += quantifier.length;
    // `+` asks for at least one, but what follows need not come right after it.
    const isThere = quantifier === "" || quantifier.startsWith("+");
    if (text !== undefined && isThere) current += text;
    if (current.length > longest.length) longest = current;
    if (text === undefined || quantifier !== "") current = "";
  }
  return longest;
};

const stepAt = (pattern: string, index: number): Step => {
  const character = String.fromCodePoint(pattern.codePointAt(index) ?? 0);
  if (character === "\\") {
    const escaped = pattern[index + 1] ?? "";
    // A class such as `\d`, or a longer escape such as `\x41` or `\p{L}`: nothing is known about it.
    if (/[A-Za-z0-9]/.test(escaped)) return POSITIONS.includes(escaped) ? nothing(2) : unknown(pattern, index);
    return { text: escaped, length: 2 };
  }
  if (character === "[") return unknown(pattern, index);
  if (SPECIAL.test(character)) return nothing(1);
  return { text: character, length: character.length };
};

const nothing = (length: number): Step => ({ text: undefined, length });

/** Skips a class or a longer escape; skips the whole rest when its end is not plain. A `]` right behind `[^` does not end a class. */
const unknown = (pattern: string, index: number): Step =>
  nothing(/^(?:\\[dDsSwW]|\[(?!\^\])[^[\]\\]+\])/.exec(pattern.slice(index))?.[0].length ?? pattern.length - index);

/** Files below a directory, or the one file that the path names. Ends early, with a cut list, when it is stopped or has found too much. */
export const listFiles = (root: WorkspaceRoot, query: ListQuery, { isStopped }: TreeWorld): Promise<FileList> =>
  withTree(root, async (tree) => {
    const { entries, add } = fileCollector(query);
    for await (const path of filesOf(root, tree, query, { isStopped })) {
      const size = tree.size(path);
      // Undefined: it was deleted in the meantime.
      if (size !== undefined && !add(path, size)) return { entries, isCut: true };
    }
    return { entries, isCut: isStopped() };
  });

/**
 * `limit` counts matches. The search ends early, and its result is cut, when it is stopped or finds too much. The result is also cut when a
 * text was too large to be searched, and then names that file.
 *
 * @throws {WorkspaceError} `too_large` when the path names such a text itself.
 */
export const searchFiles = (root: WorkspaceRoot, query: SearchQuery, world: TreeWorld): Promise<SearchResult> =>
  withTree(root, async (tree) => {
    const { lines, addFrom } = lineCollector(compilePattern(query.pattern), query);
    const needed = requiredText(query.pattern);
    for await (const path of filesOf(root, tree, query, world)) {
      const text = await tree.text(path, needed);
      if (text !== undefined && !addFrom(path, text)) return { lines, isCut: true };
    }
    if (world.isStopped() || tree.passedOver === undefined) return { lines, isCut: world.isStopped() };
    return { lines, isCut: true, tooLarge: tree.passedOver };
  });

const withTree = async <Result>(root: WorkspaceRoot, work: (tree: DiskTree) => Promise<Result>): Promise<Result> => {
  const tree = new DiskTree(root);
  try {
    return await work(tree);
  } finally {
    tree.close();
  }
};
