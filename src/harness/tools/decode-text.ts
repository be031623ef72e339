/** Tells text from what is not: only UTF-8 is shown, matched and compared line by line. */

/** How far into a file NUL is looked for, in bytes: as git does to call it binary. */
const SNIFFED_BYTES = 8_000;

/**
 * The bytes as text with a byte order mark kept, or why they are none. `isPart`: the bytes may end inside a character,
 * which is left out.
 */
export const decodeText = (bytes: Uint8Array, isPart = false): { text: string } | { not: "binary" | "not UTF-8" } => {
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return { not: "binary" };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes, { stream: isPart }) };
  } catch {
    // Told by the caller, who knows the file's name.
    return { not: "not UTF-8" };
  }
};

/** A size as people read it: `1,234 bytes`. */
export const formatSize = (size: number): string => `${size.toLocaleString("en-US")} ${size === 1 ? "byte" : "bytes"}`;
