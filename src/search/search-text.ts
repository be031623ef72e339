/** What a person looks for in their chats, and what a list shows of a text in which it was found. */
import { foldText } from "../contract/fold-text.ts";
import { cutText } from "../contract/plain-text.ts";

/** Most words of a search that count. */
const MAX_WORDS = 12;

/** All words, each by its beginning; undefined when there is no word in it. */
export const matchExpression = (query: string): string | undefined => {
  // Letters, digits and marks, as the index splits a text; quotation marks are left out.
  const words = query.normalize("NFC").match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
  if (words.length === 0) return undefined;
  return words
    .slice(0, MAX_WORDS)
    .map((word) => `"${word}"*`)
    .join(" ");
};

/** Longest text that is shown, in UTF-16 units. */
const MAX_LENGTH = 240;

/** How much of it comes before the word, in UTF-16 units. */
const BEFORE = 60;

/** One line, at most 240 characters long. */
export const oneLine = (text: string): string => cutText(text.replace(/\s+/gu, " ").trim(), MAX_LENGTH).toWellFormed();

/** A line around a folded word. Where folding changes the text's length, the place is near enough. */
export const textAround = (text: string, word: string): string => {
  const at = Math.max(0, foldText(text).indexOf(word) - BEFORE);
  const line = oneLine(text.slice(at, at + 2 * MAX_LENGTH));
  return at > 0 ? `…${line}` : line;
};
