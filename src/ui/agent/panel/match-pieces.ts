/** The text around what a search of chats found, as people read it: without markdown's signs, in pieces that match or do not. */
import { searchWords } from "../../../contract/fold-text.ts";
import { findMarks } from "../../stocks/list/row/marked-text.tsx";

/** Signs of emphasis and code around words, those before a heading, and a link's address. `2 ** 8` and `a_b` are none. */
const MARKS = [
  [/\[([^\]]*)\]\([^)\s]*\)/g, "$1"],
  [/`+/g, ""],
  [/(?<![\w*_~])(?:\*{1,3}|_{1,3}|~~)(?=[^\s*_~])|(?<=[^\s*_~])(?:\*{1,3}|_{1,3}|~~)(?![\w*_~])/g, ""],
  [/(^|\s)#{1,6} (?=\S)/g, "$1"],
] as const;

/** `match` is one line, cut anywhere: a sign may be there without the other of its pair. */
export const matchPieces = (match: string, query: string): ReturnType<typeof findMarks> =>
  findMarks(
    MARKS.reduce((text, [sign, instead]) => text.replace(sign, instead), match),
    searchWords(query),
  );
