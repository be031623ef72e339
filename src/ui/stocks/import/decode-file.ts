/** The text of a file: UTF-8, UTF-16 as spreadsheets save it, or else the Windows code page of older ones. */
import { MAX_IMPORT_BYTES } from "./import-limits.ts";

/** A `problem` is a sentence with its remedy. */
export type DecodedFile = { readonly text: string } | { readonly problem: string };

/** Never throws. Ask for the bytes only when the file's own size is within `MAX_IMPORT_BYTES`. */
export const decodeFile = (bytes: Uint8Array<ArrayBuffer>): DecodedFile => {
  if (bytes.length > MAX_IMPORT_BYTES) return { problem: "The file is over 2 MB. Split it, or leave out columns." };
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  const text = new TextDecoder(encoding).decode(bytes);
  if (text.includes("\0"))
    return { problem: "This is no text file. Save it as CSV, or copy the cells and paste them." };
  return {
    text: encoding === "utf-8" && text.includes("\ufffd") ? new TextDecoder("windows-1252").decode(bytes) : text,
  };
};
