/** Keeps what a file held before a run's first change of it. */
import { log } from "../../contract/log.ts";
import type { UndoReason } from "../../contract/undo/undo.ts";
import type { FileBefore } from "../../harness/tools/tool.ts";
import type { KeptFiles } from "../../workspace/durable/durable-workspace.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";
import type { BeforeImages } from "./before-images.ts";

/** Largest file that is kept, in bytes: 1 MiB. A row of an object's SQLite holds 2 MB. */
const MAX_KEPT_BYTES = 1_024 * 1_024;

/**
 * Returns why it was not kept; null when it was, or an earlier change has kept it. The change happens all the same: it is listed as
 * one that cannot be undone.
 */
export const keepContent = async (
  { images, kept }: { readonly images: BeforeImages; readonly kept: KeptFiles },
  toolCallId: string,
  file: FileBefore,
): Promise<UndoReason | null> => {
  const { path, bytes } = file;
  if (!images.needsContent(toolCallId, file)) return null;
  if (bytes === undefined || bytes.byteLength > MAX_KEPT_BYTES) return "too_large";
  try {
    await kept.keep(path, bytes);
    return null;
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    log.warn("A file was not kept before its change.", { error: error.message });
    return "not_kept";
  }
};
