/** A short name for what is at a path, to compare states: for example of a file as it was shown and as it is now. */
import { sha256Hex } from "../contract/digest.ts";

/** Nothing exists at the path. */
export const ABSENT = "absent";

/** Files up to this size are compared by content: 8 MiB. Larger ones are compared by size and modification time. */
export const MAX_HASHED_BYTES = 8 * 1_024 * 1_024;

/** The format of a state: `absent`, `sha256:<hex>` or `large:<size>:<modifiedAtMs>`. */
export const FILE_STATE = /^(absent|sha256:[0-9a-f]{64}|large:\d+:\d+(\.\d+)?)$/;

/** The state of a file with this content, of at most `MAX_HASHED_BYTES`. */
export const contentState = async (bytes: Uint8Array): Promise<string> => `sha256:${await sha256Hex(bytes)}`;

/** The state of a larger file. */
export const largeState = ({ size, modifiedAtMs }: { readonly size: number; readonly modifiedAtMs: number }): string =>
  `large:${size}:${modifiedAtMs}`;
