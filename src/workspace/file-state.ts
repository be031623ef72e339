/** The short name of what is at a path, by which two states are told apart: of a file as it was shown, say, and as it is. */

/** Nothing is there. */
export const ABSENT = "absent";

/** Files up to this size are told apart by their content: 8 MiB. A larger one is known by its size and time of change. */
export const MAX_HASHED_BYTES = 8 * 1_024 * 1_024;

/** What a state looks like: `absent`, `sha256:<hex>` or `large:<size>:<modifiedAtMs>`. */
export const FILE_STATE = /^(absent|sha256:[0-9a-f]{64}|large:\d+:\d+(\.\d+)?)$/;

/** The state of a file with this content, of at most `MAX_HASHED_BYTES`. */
export const contentState = async (bytes: Uint8Array): Promise<string> => {
  // A copy: a view may lie on a part of a larger or shared buffer.
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return `sha256:${Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
};

/** The state of a larger file. */
export const largeState = ({ size, modifiedAtMs }: { readonly size: number; readonly modifiedAtMs: number }): string =>
  `large:${size}:${modifiedAtMs}`;
