/** A file as it is found or is to become, and its state, by which the two are compared. */
import { ABSENT, contentState, largeState, MAX_HASHED_BYTES } from "../../workspace/file-state.ts";
import { type Workspace, WorkspaceError } from "../../workspace/workspace.ts";

/** Files up to this size are read whole, so they can be compared and edited: 8 MiB. Both states are in memory at once. */
export const MAX_CONTENT_BYTES = MAX_HASHED_BYTES;

/** What is at a path. */
export type FoundFile =
  | { readonly type: "absent" }
  | { readonly type: "whole"; readonly bytes: Uint8Array }
  /** Over 8 MiB: identified by its size and modification time. */
  | { readonly type: "large"; readonly size: number; readonly modifiedAtMs: number };

/**
 * The file that a change makes of a text. @throws {WorkspaceError} `too_large` when it would be over 8 MiB: such a file has a state only
 * once it is written, so nobody could tell afterwards whether this change was made.
 */
export const wholeFile = (path: string, text: string): FoundFile => {
  const bytes = new TextEncoder().encode(text);
  if (bytes.byteLength <= MAX_CONTENT_BYTES) return { type: "whole", bytes };
  const limit = formatSize(MAX_CONTENT_BYTES);
  throw new WorkspaceError("too_large", `${path} would become too large: at most ${limit}. Nothing was written.`);
};

/** Reads the file at a path. @throws {WorkspaceError} `wrong_type` for a directory, or the workspace's own error. */
export const findFile = async (workspace: Pick<Workspace, "stat" | "read">, path: string): Promise<FoundFile> => {
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

/** The state of a file as it was found: equal for equal files, different for different ones. */
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

/** How many bytes of a file are searched for NUL: as many as git reads to call a file binary. */
const SNIFFED_BYTES = 8_000;

/**
 * The bytes as text, keeping a byte order mark, or the reason why they are not text. `isPart`: the bytes may end in the middle
 * of a character, which is then left out.
 */
export const decodeText = (bytes: Uint8Array, isPart = false): { text: string } | { not: "binary" | "not UTF-8" } => {
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return { not: "binary" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isPart }) };
  } catch {
    // The caller reports it, because it knows the file's name.
    return { not: "not UTF-8" };
  }
};

/** A size for people: `1,234 bytes`. */
export const formatSize = (size: number): string => `${size.toLocaleString("en-US")} ${size === 1 ? "byte" : "bytes"}`;
