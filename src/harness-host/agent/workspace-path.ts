/** Where an absolute path that the SDK's tools are given is in the workspace. */
import { relative, resolve, sep } from "node:path";
import { locate, pathTo, type WorkspaceRoot } from "../../workspace-server/workspace-root.ts";

/**
 * The path relative to the root, links resolved.
 *
 * @throws {WorkspaceError} `outside` or `refused`, as for the agent's own file tools.
 */
export const realPathOf = async (root: WorkspaceRoot, cwd: string, path: string): Promise<string> =>
  pathTo(await locate(root, relativeTo(root, resolve(cwd, path))));

/** The same for a directory, on its text alone: `.` for the root, with `..` where it is outside. */
export const relativeTo = (root: WorkspaceRoot, path: string): string =>
  relative(root.dir, path).split(sep).join("/") || ".";
