/** A file as a change finds it, and its state. */
import { ABSENT, contentState, largeState, MAX_HASHED_BYTES } from "../../workspace/file-state.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";

/** Files up to this size are read whole, so they can be compared and edited: 8 MiB. Both states are in memory at once. */
export const MAX_CONTENT_BYTES = MAX_HASHED_BYTES;

/** What is at a path. */
export type FoundFile =
  | { readonly type: "absent" }
  | { readonly type: "whole"; readonly bytes: Uint8Array }
  /** Over 8 MiB: known by its size and when it was changed. */
  | { readonly type: "large"; readonly size: number; readonly modifiedAtMs: number };

/** Reads the file at a path. @throws {WorkspaceError} `wrong_type` for a directory, or the workspace's refusal. */
export const findFile = async (workspace: Workspace, path: string): Promise<FoundFile> => {
  const stat = await workspace.stat(path);
  if (stat === undefined) return { type: "absent" };
  if (stat.type === "directory") throw new WorkspaceError("wrong_type", `${path} is a directory, not a file.`);
  const { size, modifiedAtMs } = stat;
  if (size > MAX_CONTENT_BYTES) return { type: "large", size, modifiedAtMs };
  try {
    const read = await workspace.read(path, { offset: 0, maxBytes: MAX_CONTENT_BYTES });
    if (read.size > MAX_CONTENT_BYTES) return { type: "large", size: read.size, modifiedAtMs };
    return { type: "whole", bytes: read.bytes };
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === "not_found") return { type: "absent" };
    throw error;
  }
};

/** The state of a file as it was found: equal for equal ones, different for different ones. */
export const stateOf = async (file: FoundFile): Promise<string> => {
  switch (file.type) {
    case "absent":
      return ABSENT;
    case "large":
      return largeState(file);
    case "whole":
      return contentState(file.bytes);
  }
};
