/** Lists and searches a real directory. */
import { globMatcher } from "../../workspace/ignore-rules.ts";
import { compilePattern, type FoundLine, matchLines } from "../../workspace/match-lines.ts";
import { showPath } from "../../workspace/resolve-path.ts";
import { walkTree } from "../../workspace/walk-tree.ts";
import {
  type FileList,
  type ListQuery,
  type SearchQuery,
  type SearchResult,
  WorkspaceError,
  type WorkspaceErrorCode,
} from "../../workspace/workspace.ts";
import { DiskTree, MAX_TEXT_BYTES } from "./disk-tree.ts";
import { statEntry } from "./file-calls.ts";
import { requiredText } from "./required-text.ts";
import { locate, type WorkspaceRoot } from "./workspace-root.ts";

/** Files below a directory, or the one file that the path names. */
export const listFiles = (root: WorkspaceRoot, query: ListQuery): Promise<FileList> =>
  withTree(root, async (tree) => {
    const entries: { path: string; type: "file"; size: number }[] = [];
    for await (const path of filesOf(root, tree, query)) {
      if (entries.length === query.limit) return { entries, isCut: true };
      const size = await tree.size(path);
      // Undefined: deleted while the list was made.
      if (size !== undefined) entries.push({ path, type: "file", size });
    }
    return { entries, isCut: false };
  });

/**
 * `limit` counts matches. Ends early, cut, when the signal aborts; cut as well when a text was too large to be searched.
 *
 * @throws {WorkspaceError} `too_large` when that text is the one file that the path names.
 */
export const searchFiles = (root: WorkspaceRoot, query: SearchQuery, signal: AbortSignal): Promise<SearchResult> =>
  withTree(root, async (tree) => {
    const isMatch = compilePattern(query.pattern);
    const needed = requiredText(query.pattern);
    const lines: (FoundLine & { readonly path: string })[] = [];
    let matches = 0;
    for await (const path of filesOf(root, tree, query)) {
      if (signal.aborted) return { lines, isCut: true };
      const text = await tree.text(path, needed);
      if (text === undefined) continue;
      const found = matchLines(text, isMatch, { context: query.context, maxMatches: query.limit - matches });
      for (const line of found.lines) lines.push({ path, ...line });
      matches += found.matches;
      if (found.isCut) return { lines, isCut: true };
    }
    return { lines, isCut: tree.hasPassedOver };
  });

const withTree = async <Result>(root: WorkspaceRoot, work: (tree: DiskTree) => Promise<Result>): Promise<Result> => {
  const tree = new DiskTree(root);
  try {
    return await work(tree);
  } finally {
    await tree.close();
  }
};

async function* filesOf(root: WorkspaceRoot, tree: DiskTree, query: ListQuery): AsyncGenerator<string> {
  const { parents, name } = await locate(root, query.path);
  // Links on the way are resolved: the walk itself follows none.
  const path = name === "." ? "." : [...parents, name].join("/");
  const found = await statEntry(root, path);
  if (found === undefined)
    throw refusal("not_found", query.path, "does not exist. List the files to see what there is.");
  if (found.type === "file") {
    yield path;
    if (tree.hasPassedOver) {
      throw refusal("too_large", query.path, `is over ${MAX_TEXT_BYTES} bytes. Search it by a command, such as grep.`);
    }
    return;
  }
  if ((await tree.children(path)) === undefined) throw refusal("refused", query.path, "may not be read by this user.");
  const isNamed = globMatcher(query.glob, path);
  for await (const file of walkTree(tree, path)) {
    if (isNamed(file.path)) yield file.path;
  }
}

const refusal = (code: WorkspaceErrorCode, path: string, words: string): WorkspaceError =>
  new WorkspaceError(code, `${showPath(path)} ${words}`);
