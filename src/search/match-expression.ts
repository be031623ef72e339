/** Makes an expression of SQLite's full-text search out of what a person typed. Nothing they type is an operator. */

/** Most words of a search that count. */
const MAX_WORDS = 12;

/** All words, each by its beginning; undefined when there is no word in it. */
export const matchExpression = (query: string): string | undefined => {
  // Letters, digits and marks, as the index takes a text apart; a quotation mark is none of them.
  const words = query.normalize("NFC").match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
  if (words.length === 0) return undefined;
  return words
    .slice(0, MAX_WORDS)
    .map((word) => `"${word}"*`)
    .join(" ");
};
