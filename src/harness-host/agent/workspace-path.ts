/** Maps paths that the SDK's tools are given to places in the workspace. */
import { existsSync, realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { readFile, statEntry } from "../../workspace-server/file-calls.ts";
import { locate, pathTo, type WorkspaceRoot } from "../../workspace-server/workspace-root.ts";

/**
 * The path relative to the root, links resolved.
 *
 * @throws {WorkspaceError} `outside` or `refused`, as for the agent's own file tools.
 */
export const realPathOf = async (root: WorkspaceRoot, cwd: string, path: string): Promise<string> =>
  pathTo(await locate(root, relativeTo(root, resolve(cwd, path))));

/**
 * Refuses what the agent's own read tool refuses. That includes a second name of a guarded file, and a FIFO, for which the SDK would wait.
 * A missing file is left to the SDK to report.
 */
export const checkReadable = async (root: WorkspaceRoot, cwd: string, path: string): Promise<void> => {
  const real = await realPathOf(root, cwd, path);
  if ((await statEntry(root, real)) !== undefined) await readFile(root, real, { offset: 0, maxBytes: 0 });
};

/** The same for the place of a search, which may also be a directory. */
export const checkSearchable = async (root: WorkspaceRoot, cwd: string, path: string): Promise<void> => {
  const real = await realPathOf(root, cwd, path);
  // The root is not an entry of any directory.
  const entry = real === "." ? undefined : await statEntry(root, real);
  if (entry?.type === "file") await readFile(root, real, { offset: 0, maxBytes: 0 });
};

/** The path relative to the root, from its text alone: `.` for the root itself, and with `..` for a path outside. */
export const relativeTo = (root: WorkspaceRoot, path: string): string =>
  relative(rootIn(path, root), path).split(sep).join("/") || ".";

/**
 * The root as a path names it. The SDK composes names (NFC). On a disk that tells composed names from others, the composed name may be
 * another directory, to which the SDK would write.
 */
const rootIn = (path: string, { dir }: WorkspaceRoot): string => {
  const composed = dir.normalize("NFC");
  if (path !== composed && !path.startsWith(composed + sep)) return dir;
  return existsSync(composed) && realpathSync.native(composed) === dir ? composed : dir;
};
