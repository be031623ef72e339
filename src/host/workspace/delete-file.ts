/** Deletes a file of a real directory. */
import { unlinkSync } from "node:fs";
import { lstat } from "node:fs/promises";
import type { PathTurns } from "../../workspace/path-turns.ts";
import { requireFile } from "./file-calls.ts";
import { type ConditionalChange, requireReal, requireState } from "./file-condition.ts";
import { atPlace, pathTo, type WorkspaceRoot } from "./workspace-root.ts";

/** A symbolic link is deleted itself, not what it leads to; with a condition it is refused. */
export const deleteFile = (
  { root, changes }: { readonly root: WorkspaceRoot; readonly changes: PathTurns },
  change: ConditionalChange,
): Promise<void> =>
  atPlace(
    root,
    change.path,
    (directory, place) => {
      requireReal(change, pathTo(place));
      return changes.take(pathTo(place), async () => {
        const stats = await lstat(directory.at(place.name));
        if (!stats.isSymbolicLink()) requireFile(stats, change.path);
        const requireStill = await requireState(directory.at(place.name), change);
        await directory.recheck();
        requireStill();
        unlinkSync(directory.at(place.name));
      });
    },
    { lastLink: change.ifState === undefined ? "keep" : "follow" },
  );
