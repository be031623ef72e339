/** Lists and searches a real directory, on a thread of its own. */
import { compilePattern, type FoundLine, matchLines } from "../../workspace/match-lines.ts";
import type { FileList, ListQuery, SearchQuery, SearchResult } from "../../workspace/workspace.ts";
import { DiskTree } from "./disk-tree.ts";
import { requiredText } from "./required-text.ts";
import type { AskRipgrep } from "./search-candidates.ts";
import { filesOf } from "./tree-files.ts";
import type { WorkspaceRoot } from "./workspace-root.ts";

/** What a call may use. `isStopped`: nobody waits any more, or the time is over; what was found until then is given. */
export type TreeWorld = { readonly isStopped: () => boolean; readonly ask?: AskRipgrep | undefined };

/** Files below a directory, or the one file that the path names. */
export const listFiles = (root: WorkspaceRoot, query: ListQuery, { isStopped }: TreeWorld): Promise<FileList> =>
  withTree(root, async (tree) => {
    const entries: { path: string; type: "file"; size: number }[] = [];
    for await (const path of filesOf(root, tree, query, { isStopped })) {
      if (entries.length === query.limit) return { entries, isCut: true };
      const size = tree.size(path);
      // Undefined: deleted while the list was made.
      if (size !== undefined) entries.push({ path, type: "file", size });
    }
    return { entries, isCut: isStopped() };
  });

/**
 * `limit` counts matches. Cut as well when a text was too large to be searched.
 *
 * @throws {WorkspaceError} `too_large` when that text is the one file that the path names.
 */
export const searchFiles = (root: WorkspaceRoot, query: SearchQuery, world: TreeWorld): Promise<SearchResult> =>
  withTree(root, async (tree) => {
    const isMatch = compilePattern(query.pattern);
    const needed = requiredText(query.pattern);
    const lines: (FoundLine & { readonly path: string })[] = [];
    let matches = 0;
    for await (const path of filesOf(root, tree, query, world)) {
      const text = await tree.text(path, needed);
      if (text === undefined) continue;
      const found = matchLines(text, isMatch, { context: query.context, maxMatches: query.limit - matches });
      for (const line of found.lines) lines.push({ path, ...line });
      matches += found.matches;
      if (found.isCut) return { lines, isCut: true };
    }
    return { lines, isCut: tree.hasPassedOver || world.isStopped() };
  });

const withTree = async <Result>(root: WorkspaceRoot, work: (tree: DiskTree) => Promise<Result>): Promise<Result> => {
  const tree = new DiskTree(root);
  try {
    return await work(tree);
  } finally {
    tree.close();
  }
};
