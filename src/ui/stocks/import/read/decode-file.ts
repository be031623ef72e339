/** The text of a file, in whichever encoding a program has saved it. */
import { MAX_IMPORT_BYTES } from "./import-choices.ts";

/** Said of a file over `MAX_IMPORT_BYTES`. */
export const TOO_LARGE = "The file is over 6 MB. Split it, or leave out columns.";

/**
 * The code pages in which Windows saves plain text, each with its languages, except that of Western Europe. From the table of
 * default encodings of the HTML standard ("determining the character encoding").
 */
const CODE_PAGES: Readonly<Record<string, string>> = {
  "windows-1250": "bs cs hr hu pl ro sk sl sq",
  "windows-1251": "be bg kk ky mk mn ru sr tg tt uk",
  "windows-1253": "el",
  "windows-1254": "az ku tr",
  "windows-1255": "he iw yi",
  "windows-1256": "ar fa ug ur",
  "windows-1257": "et lt lv",
  "windows-1258": "vi",
  "windows-874": "th",
  shift_jis: "ja",
  "euc-kr": "ko",
  gb18030: "zh",
};

const TRADITIONAL_CHINESE = ["hant", "tw", "hk", "mo"];

/** Serbian is written in two scripts: `sr-Latn` has its neighbours' code page. Chinese has a code page for each of its two scripts. */
const codePageOf = (language: string): string => {
  const [name = "", ...subtags] = language.toLowerCase().split("-");
  const isTraditional = !subtags.includes("hans") && subtags.some((subtag) => TRADITIONAL_CHINESE.includes(subtag));
  if (name === "zh" && isTraditional) return "big5";
  if (subtags.includes("latn")) return name === "sr" ? "windows-1250" : "windows-1252";
  return Object.keys(CODE_PAGES).find((page) => CODE_PAGES[page]?.split(" ").includes(name)) ?? "windows-1252";
};

/** `problem` is a sentence that says what to do. */
type DecodedFile = { readonly text: string } | { readonly problem: string };

/**
 * Decodes a file: UTF-8, UTF-16 as spreadsheets save it, otherwise the Windows code page that older programs use for
 * `language` (a BCP 47 tag, as in `navigator.language`). Never throws.
 *
 * Check the size of the file against `MAX_IMPORT_BYTES` before reading its bytes.
 */
export const decodeFile = (bytes: Uint8Array<ArrayBuffer>, language: string): DecodedFile => {
  if (bytes.length > MAX_IMPORT_BYTES) return { problem: TOO_LARGE };
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  const text = decodeAs(encoding, bytes) ?? new TextDecoder(codePageOf(language)).decode(bytes);
  return text.includes("\0")
    ? { problem: "This is not a text file. Save it as CSV, or copy the cells and paste them." }
    : { text };
};

/** Undefined for bytes that are not in this encoding. A replacement character that was saved in the file does not count as a sign. */
const decodeAs = (encoding: string, bytes: Uint8Array<ArrayBuffer>): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: encoding === "utf-8" }).decode(bytes);
  } catch {
    return undefined;
  }
};
