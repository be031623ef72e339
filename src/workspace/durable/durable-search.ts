/** Lists and searches a durable workspace, with one file in memory at a time. */
import { cutText } from "../../contract/plain-text.ts";
import { isGuardedPath } from "../guarded-path.ts";
import { globMatcher } from "../ignore-rules.ts";
import { compilePattern, lineCollector } from "../match-lines.ts";
import { fileCollector, type Tree, type TreeFile, walkStop, walkTree } from "../walk-tree.ts";
import type { FileList, ListQuery, SearchQuery, SearchResult } from "../workspace.ts";
import { checkedPath, type DurableFiles, notFound } from "./durable-files.ts";

/** How many characters are searched for NUL, which means that a file is not text. Git decides in the same way. */
const SNIFFED_CHARACTERS = 8_000;

/**
 * Files below a directory, or the one file that the path names. Ends early, with a cut list, when the signal aborts, time is over, or it
 * has found too much.
 */
export const listFiles = async (files: DurableFiles, query: ListQuery, signal: AbortSignal): Promise<FileList> => {
  const isStopped = walkStop(signal);
  const { entries, add } = fileCollector(query);
  for await (const { path, size } of filesOf(files, query, isStopped)) {
    if (!add(path, size)) return { entries, isCut: true };
  }
  return { entries, isCut: isStopped() };
};

/**
 * Most work in one file, in characters times instructions of the pattern: nothing else runs meanwhile. For most patterns, a file of 1.5 MB
 * is searched whole. For a pattern with the longest program allowed, only its first 24,000 characters are searched.
 */
const MAX_FILE_WORK = 60_000_000;

/**
 * `limit` counts matches. The search ends early, and its result is cut, when the signal aborts, or it takes too long or finds too much. The
 * result is also cut if a file was not searched to its end. That file is then named.
 */
export const searchFiles = async (
  files: DurableFiles,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<SearchResult> => {
  const isMatch = compilePattern(query.pattern);
  const isStopped = walkStop(signal);
  const { lines, addFrom } = lineCollector(isMatch, query);
  let tooLarge: string | undefined;
  for await (const { path } of filesOf(files, query, isStopped)) {
    const text = await files.text(path);
    if (text === undefined || text.slice(0, SNIFFED_CHARACTERS).includes("\0")) continue;
    const searched = cutText(text, Math.floor(MAX_FILE_WORK / isMatch.size));
    if (searched.length < text.length) tooLarge ??= path;
    await files.countWork(searched.length * isMatch.size);
    if (!addFrom(path, searched)) return { lines, isCut: true };
  }
  return isStopped() || tooLarge === undefined ? { lines, isCut: isStopped() } : { lines, isCut: true, tooLarge };
};

async function* filesOf(files: DurableFiles, query: ListQuery, isStopped: () => boolean): AsyncGenerator<TreeFile> {
  const path = checkedPath(query.path);
  const found = await files.stat(path);
  if (found === undefined) throw notFound(path);
  if (found.type === "file") {
    yield { path, size: found.size };
    return;
  }
  const isNamed = globMatcher(query.glob, path);
  const tree: Tree = {
    children: async (directory) => (isStopped() ? undefined : await files.children(directory)),
    text: (file) => files.text(file),
    isGuarded: (child) => isGuardedPath(child),
    goesOn: async (rulesLength) => {
      await files.countWork(rulesLength);
      return !isStopped();
    },
  };
  for await (const file of walkTree(tree, path)) {
    if (isStopped()) return;
    if (isNamed(file.path)) yield file;
  }
}
