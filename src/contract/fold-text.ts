/** Text as search compares it. The server folds what it stores and what is asked for; a client can mark matches alike. */

/** Letters that Unicode does not decompose though people type them without their stroke or ligature. */
const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map([
  ["Ø", "O"],
  ["Ł", "L"],
  ["Đ", "D"],
  ["Ð", "D"],
  ["Þ", "TH"],
  ["Æ", "AE"],
  ["Œ", "OE"],
]);

/**
 * Upper case without accents: `Nestlé` and `NESTLE` fold to the same. Upper case because `ß` and the final `ς` have one upper form; lower case
 * before it, because the capital `ẞ` is its own upper form.
 */
export const foldText = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .toUpperCase()
    .replace(/[ØŁĐÐÞÆŒ]/g, (letter) => PLAIN_LETTERS.get(letter) ?? letter);

/** The words of a search, folded. A blank search has none. Split after folding, because folding can produce spaces. */
export const searchWords = (search: string): string[] =>
  foldText(search)
    .split(/\s+/)
    .filter((word) => word !== "");
