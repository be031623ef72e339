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

/** A line around a folded word. Where folding changes the text's length, the place is near enough. */
export const textAround = (text: string, word: string): string => {
  const at = Math.max(0, foldText(text).indexOf(word) - BEFORE);
  const line = oneLine(text.slice(at, at + 2 * MAX_LINE_LENGTH));
  return at > 0 ? `…${line}` : line;
};
