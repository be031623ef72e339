/** The line that a list shows of a text in which a word was found. */
import { foldText } from "../contract/fold-text.ts";
import { cutText } from "../contract/plain-text.ts";

/** Longest text that is shown, in UTF-16 units. */
const MAX_LINE_LENGTH = 240;

/** How much of it comes before the word, in UTF-16 units. */
const BEFORE = 60;

/** One line, at most 240 characters long. */
export const oneLine = (text: string): string =>
  cutText(text.replace(/\s+/gu, " ").trim(), MAX_LINE_LENGTH).toWellFormed();

/** A line around a folded word. */
export const textAround = (text: string, word: string): string => {
  const at = Math.max(0, unfoldedAt(text, foldText(text).indexOf(word)) - BEFORE);
  const line = oneLine(text.slice(at, at + 2 * MAX_LINE_LENGTH));
  return at > 0 ? `…${line}` : line;
};

/**
 * Where a position of the folded text lies in the text itself, or up to 3 units before it: a letter folds to none, one or several. Found by
 * bisection, because folding letter by letter is slow.
 */
const unfoldedAt = (text: string, folded: number): number => {
  let [start, end, left] = [0, text.length, folded];
  while (end - start > 3) {
    const half = (start + end) >> 1;
    // A pair of surrogates folds as one letter.
    const middle = /[\udc00-\udfff]/.test(text.charAt(half)) ? half - 1 : half;
    const { length } = foldText(text.slice(start, middle));
    if (length > left) end = middle;
    else [start, left] = [middle, left - length];
  }
  return start;
};
