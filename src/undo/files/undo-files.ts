/** Undoes what a run did to files: each whole, and only if it still is byte for byte what the run made it. */
import { log } from "../../contract/log.ts";
import type { UndoFile, UndoReason } from "../../contract/undo/undo.ts";
import { findFile, stateOf } from "../../harness/tools/found-file.ts";
import type { KeptFiles } from "../../workspace/durable/durable-workspace.ts";
import { ABSENT } from "../../workspace/file-state.ts";
import { type Workspace, WorkspaceError } from "../../workspace/workspace.ts";
import type { BeforeImages, ChangedFile } from "./before-images.ts";

/** Where a run's files are. */
export type FileWorld = {
  readonly images: BeforeImages;
  /** What the files held before. */
  readonly kept: KeptFiles;
  /** The workspace that the run worked in; undefined when the person has another one now. */
  readonly openWorkspace: () => Promise<Workspace | undefined>;
};

/** What would become of each file. `isDone`: those that were undone before, whatever became of them since. */
export const previewFiles = async (
  { images, kept, openWorkspace }: FileWorld,
  isDone: (path: string) => boolean,
): Promise<UndoFile[]> => {
  // A change that the run itself took back needs no undo.
  const changed = images.files().filter(({ before, after, missing }) => before !== after || missing !== undefined);
  if (changed.length === 0) return [];
  const workspace = await openWorkspace();
  const keptPaths = await pathsOf(kept);
  const files: UndoFile[] = [];
  // One after the other: each may be 8 MiB, and is read whole to be compared.
  for (const file of changed) {
    const { path, effect } = file;
    const found = isDone(path) ? DONE : await judge(workspace, file, keptPaths);
    files.push({ path, effect, ...found });
  }
  return files;
};

/** Undoes one file. False when it could not be; the next preview says why. The workspace compares and changes it in one step. */
export const undoFile = async ({ images, kept, openWorkspace }: FileWorld, path: string): Promise<boolean> => {
  const workspace = await openWorkspace();
  const file = images.files().find((one) => one.path === path);
  if (workspace === undefined || file === undefined) return false;
  try {
    const content = file.before === ABSENT ? undefined : await kept.content(path);
    const keptPaths = new Set(content === undefined ? [] : [path]);
    if ((await judge(workspace, file, keptPaths)).state !== "restore") return false;
    if (file.before === ABSENT) await workspace.delete(path, { ifState: file.after });
    else if (content !== undefined) await workspace.write(path, content, { ifState: file.after });
    return file.before === ABSENT || content !== undefined;
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    log.info("A file was not undone.", { code: error.code });
    return false;
  }
};

type Found = Pick<UndoFile, "state" | "reason">;

const DONE: Found = { state: "done", reason: null };

const conflict = (reason: UndoReason): Found => ({ state: "conflict", reason });

/** `keptPaths`: the files whose former content is there; undefined when nobody can tell now. */
const judge = async (
  workspace: Workspace | undefined,
  file: ChangedFile,
  keptPaths: ReadonlySet<string> | undefined,
): Promise<Found> => {
  if (file.missing !== undefined) return { state: "gone", reason: file.missing };
  if (workspace === undefined) return conflict("elsewhere");
  try {
    // A link that was put there since leads to another file.
    if ((await workspace.realPath(file.path)) !== file.path) return conflict("changed");
    const now = await stateOf(await findFile(workspace, file.path));
    if (now === file.before) return DONE;
    if (file.before !== ABSENT && keptPaths === undefined) return conflict("unreachable");
    if (file.before !== ABSENT && !keptPaths?.has(file.path)) return { state: "gone", reason: "not_kept" };
    return now === file.after && !file.isBroken ? { state: "restore", reason: null } : conflict("changed");
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return conflict(error.code === "unavailable" ? "unreachable" : "changed");
  }
};

const pathsOf = async (kept: KeptFiles): Promise<ReadonlySet<string> | undefined> => {
  try {
    return new Set(await kept.paths());
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    return undefined;
  }
};
