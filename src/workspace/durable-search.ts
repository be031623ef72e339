/** Lists and searches a durable workspace. One file is in memory at a time, whatever their number. */
import { checkedPath, type DurableFiles, notFound } from "./durable-files.ts";
import { isGuardedPath } from "./guarded-path.ts";
import { globMatcher } from "./ignore-rules.ts";
import { compilePattern, type FoundLine, matchLines } from "./match-lines.ts";
import { type Tree, type TreeFile, walkTree } from "./walk-tree.ts";
import type { FileList, ListQuery, SearchQuery, SearchResult } from "./workspace.ts";

/** How far into a file NUL is looked for, which says that it is not text; as git does. */
const SNIFFED_CHARACTERS = 8_000;

/** Files below a directory, or the one file that the path names. */
export const listFiles = async (files: DurableFiles, query: ListQuery): Promise<FileList> => {
  const entries: { path: string; type: "file"; size: number }[] = [];
  for await (const { path, size } of filesOf(files, query)) {
    if (entries.length === query.limit) return { entries, isCut: true };
    entries.push({ path, type: "file", size });
  }
  return { entries, isCut: false };
};

/** `limit` counts matches. Ends early, cut, when the signal aborts. */
export const searchFiles = async (
  files: DurableFiles,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<SearchResult> => {
  const isMatch = compilePattern(query.pattern);
  const lines: (FoundLine & { readonly path: string })[] = [];
  let matches = 0;
  for await (const { path } of filesOf(files, query)) {
    if (signal.aborted) return { lines, isCut: true };
    const text = await files.text(path);
    if (text === undefined || text.slice(0, SNIFFED_CHARACTERS).includes("\0")) continue;
    const found = matchLines(text, isMatch, { context: query.context, maxMatches: query.limit - matches });
    for (const line of found.lines) lines.push({ path, ...line });
    matches += found.matches;
    if (found.isCut) return { lines, isCut: true };
  }
  return { lines, isCut: false };
};

async function* filesOf(files: DurableFiles, query: ListQuery): AsyncGenerator<TreeFile> {
  const path = checkedPath(query.path);
  const found = await files.stat(path);
  if (found === undefined) throw notFound(path);
  if (found.type === "file") {
    yield { path, size: found.size };
    return;
  }
  const isNamed = globMatcher(query.glob, path);
  const tree: Tree = {
    children: (directory) => files.children(directory),
    text: (file) => files.text(file),
    isGuarded: (child) => isGuardedPath(child),
  };
  for await (const file of walkTree(tree, path)) {
    if (isNamed(file.path)) yield file;
  }
}
