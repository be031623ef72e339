/** A page of a text with its line numbers, bounded whatever the text is. */
import { cutText } from "../../contract/cut-text.ts";

/** Most lines and UTF-16 units of one page: a few thousand tokens, and reads of one step fit their message together. */
const MAX_LINES = 2_000;
const MAX_PAGE_LENGTH = 60_000;

/** Lines of minified files are cut. */
const MAX_LINE_LENGTH = 2_000;

/** Width of the number, as `cat -n` writes it. */
const NUMBER_WIDTH = 6;

/** Lines from `startLine` to `endLine`, both counted from 1 and included. */
export type LineRange = { readonly startLine: number; readonly endLine: number | undefined };

/** The page, and which lines it holds of how many. `lastLine` is below `startLine` when the text ends before it. */
export const numberLines = (
  text: string,
  { startLine, endLine = Number.POSITIVE_INFINITY }: LineRange,
): { readonly page: string; readonly lastLine: number; readonly lines: number } => {
  const all = text.replace(/^\uFEFF/, "").split("\n");
  if (all.at(-1) === "") all.pop();
  const end = Math.min(endLine, all.length, startLine + MAX_LINES - 1);
  const page: string[] = [];
  let length = 0;
  for (let line = startLine; line <= end; line += 1) {
    const numbered = `${String(line).padStart(NUMBER_WIDTH)}\t${shorten(all[line - 1] ?? "")}`;
    length += numbered.length + 1;
    if (length > MAX_PAGE_LENGTH) break;
    page.push(numbered);
  }
  return { page: page.join("\n"), lastLine: startLine + page.length - 1, lines: all.length };
};

const shorten = (line: string): string => {
  const shown = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (shown.length <= MAX_LINE_LENGTH) return shown;
  return `${cutText(shown, MAX_LINE_LENGTH)}… [${shown.length - MAX_LINE_LENGTH} more characters in this line]`;
};
