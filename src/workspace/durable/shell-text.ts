/** How the interpreter's strings become a file's bytes, and back. */
import type { IFileSystem } from "just-bash/browser";

export type Content = Parameters<IFileSystem["writeFile"]>[1];
export type Encoding = Parameters<IFileSystem["readFile"]>[1] | Parameters<IFileSystem["writeFile"]>[2];

/** Binary: one character for each byte, which is how the interpreter passes bytes through pipes. Otherwise UTF-8. */
export const fromBytes = (bytes: Uint8Array, options: Encoding): string => {
  // Keeps the byte order mark, which a file would otherwise lose when it is edited in place.
  if (!isBinary(options)) return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes);
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
};

export const toBytes = (content: Content, options: Encoding): Uint8Array => {
  if (typeof content !== "string") return content;
  return isBinary(options) ? Uint8Array.from(content, (unit) => unit.charCodeAt(0)) : new TextEncoder().encode(content);
};

const isBinary = (options: Encoding): boolean => {
  const encoding = typeof options === "string" ? options : options?.encoding;
  return encoding === "binary" || encoding === "latin1";
};
