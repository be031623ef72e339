/** The files that a list or a search covers, in walk order. */
import { globMatcher } from "../../workspace/ignore-rules.ts";
import { showPath } from "../../workspace/resolve-path.ts";
import { walkTree } from "../../workspace/walk-tree.ts";
import { type ListQuery, WorkspaceError, type WorkspaceErrorCode } from "../../workspace/workspace.ts";
import { statEntry } from "../file-calls.ts";
import { type AskRipgrep, findCandidates } from "../search/search-candidates.ts";
import { locate, type WorkspaceRoot } from "../workspace-root.ts";
import { type DiskTree, MAX_TEXT_BYTES } from "./disk-tree.ts";

/** What a call works with. `isStopped` is true when nobody waits any more or the time is over. What was found by then is returned. */
export type TreeWorld = { readonly isStopped: () => boolean; readonly ask?: AskRipgrep | undefined };

/** Files walked before ripgrep is asked: most searches of small trees, and those that find a lot, end earlier. */
const FILES_WITHOUT_RIPGREP = 50;

/**
 * Paths of the files below a directory, or the one file that the path names. With a pattern, files that cannot match it may be
 * left out. Ends early when it is stopped.
 *
 * @throws {WorkspaceError} when nothing is at the path or it may not be read; and after yielding a named file that is too large.
 */
export async function* filesOf(
  root: WorkspaceRoot,
  tree: DiskTree,
  query: ListQuery & { readonly pattern?: string },
  world: TreeWorld,
): AsyncGenerator<string> {
  const { parents, name } = await locate(root, query.path);
  // Links on the way are resolved: the walk itself follows none.
  const path = name === "." ? "." : [...parents, name].join("/");
  const found = await statEntry(root, path);
  if (found === undefined)
    throw refusal("not_found", query.path, "does not exist. List the files to see what there is.");
  if (found.type === "file") {
    yield path;
    if (tree.passedOver !== undefined) {
      throw refusal(
        "too_large",
        query.path,
        `is over ${MAX_TEXT_BYTES} bytes. Search it with a command, such as grep.`,
      );
    }
    return;
  }
  if ((await tree.children(path)) === undefined) throw refusal("refused", query.path, "cannot be read by this user.");
  const isNamed = globMatcher(query.glob, path);
  for await (const file of filesBelow(tree, path, query.pattern, world)) {
    if (world.isStopped()) return;
    if (isNamed(file)) yield file;
  }
}

async function* filesBelow(
  tree: DiskTree,
  directory: string,
  pattern: string | undefined,
  { ask, isStopped }: TreeWorld,
): AsyncGenerator<string> {
  let walked = 0;
  for await (const { path } of walkTree(tree, directory)) {
    yield path;
    walked += 1;
    if (walked !== FILES_WITHOUT_RIPGREP || ask === undefined || pattern === undefined) continue;
    const candidates = await findCandidates(tree, directory, pattern, { ask, isStopped });
    if (candidates === undefined) continue;
    yield* candidates.filter((candidate) => isAfter(candidate, path));
    return;
  }
}

/** Whether a path comes after another in walk order. */
const isAfter = (path: string, other: string): boolean => path.replaceAll("/", "\0") > other.replaceAll("/", "\0");

const refusal = (code: WorkspaceErrorCode, path: string, words: string): WorkspaceError =>
  new WorkspaceError(code, `${showPath(path)} ${words}`);
