/** Leaves out the middle of a long output: the beginning and the end tell most about a command. */

/** A text of at most about `maxBytes` bytes of UTF-8, cut between code points; says where and how much is missing. */
export const cutMiddle = (text: string, maxBytes: number): { readonly text: string; readonly isCut: boolean } => {
  // A UTF-16 unit takes at most three bytes, so most outputs need no counting.
  if (text.length * 3 <= maxBytes) return { text, isCut: false };
  const bytes = new TextEncoder().encode(text);
  if (bytes.byteLength <= maxBytes) return { text, isCut: false };
  const half = Math.floor(maxBytes / 2);
  const headEnd = codePointStart(bytes, half);
  const tailStart = codePointStart(bytes, bytes.byteLength - half);
  const decoder = new TextDecoder("utf-8", { fatal: false, ignoreBOM: true });
  const head = decoder.decode(bytes.subarray(0, headEnd));
  const tail = decoder.decode(bytes.subarray(tailStart));
  return { text: `${head}\n[${tailStart - headEnd} bytes left out]\n${tail}`, isCut: true };
};

/** The start of the code point that `index` is in. */
const codePointStart = (bytes: Uint8Array, index: number): number => {
  let start = index;
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
};
