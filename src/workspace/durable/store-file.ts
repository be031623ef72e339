/** Stores a file's bytes in its row, for both the file tools and the shell of a durable workspace. */
import { showPath } from "../resolve-path.ts";
import { WorkspaceError } from "../workspace.ts";
import type { FileStore } from "./rooted-store.ts";

/** The largest file. */
export const MAX_DURABLE_FILE_BYTES = 1_500_000;

/**
 * The largest file that is not text. A row is limited to 2 MB (https://developers.cloudflare.com/durable-objects/platform/limits/). It
 * holds the file as base64, which is a third longer, and the file's path twice.
 */
const MAX_BINARY_BYTES = 1_480_000;

/**
 * Creates or replaces a file, in one statement after those for its parents. `path` is absolute in the durable root, and not a directory.
 *
 * @throws {WorkspaceError} `too_large` over 1,500,000 bytes, or 1,480,000 that are not text.
 */
export const storeFile = async (files: FileStore, path: string, bytes: Uint8Array): Promise<void> => {
  refuseLarge(path.slice(1), bytes.byteLength);
  const text = decodeText(bytes);
  if (text !== undefined) return await files.writeFile(path, text);
  refuseLarge(path.slice(1), bytes.byteLength, MAX_BINARY_BYTES, "a file that is not text");
  await files.writeFileBytes(path, bytes);
};

/** @throws {WorkspaceError} `too_large` over 1,500,000 bytes, or the number given for this kind of file. */
export const refuseLarge = (
  path: string,
  size: number,
  maxBytes = MAX_DURABLE_FILE_BYTES,
  kind = "a file of this workspace",
): void => {
  if (size <= maxBytes) return;
  throw new WorkspaceError(
    "too_large",
    `${showPath(path)} would be ${size} bytes; ${kind} has at most ${maxBytes}. Split it.`,
  );
};

/** The bytes as text if they are plain text, which takes less space. NUL would end the text in SQLite's functions. */
export const decodeText = (bytes: Uint8Array): string | undefined => {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Not UTF-8: stored as bytes.
    return undefined;
  }
};
