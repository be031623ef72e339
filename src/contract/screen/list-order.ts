/**
 * The order of the list on the screen. The server tells the agent of the same stocks in the same order (`actions/view-screen`), but by
 * English rules: a Swedish screen has Å last. Without zod, because the first paint needs it.
 */
import { foldText } from "../fold-text.ts";
import type { Stock } from "../stocks/stock.ts";

/** Compares symbols and names as a list in this locale does. Slow to create, so once for each sort. `numeric`: `0005` sorts before `0016`. */
export const textOrder = (locale: string): Intl.Collator["compare"] =>
  new Intl.Collator(locale, { numeric: true, sensitivity: "base" }).compare;

/** A stock's symbol and the words of its name, folded. */
export type FoldedName = { readonly symbol: string; readonly words: readonly string[] };

/** Folds what ranks a stock among those that a search has found. */
export const foldName = ({ symbol, name }: Pick<Stock, "symbol" | "name">): FoldedName => ({
  symbol: foldText(symbol),
  words: foldText(name).split(/[^\p{L}\p{N}]+/u),
});

/** Ranks of a word, best first. */
const EXACT_SYMBOL = 0;

const SYMBOL_START = 1;

const NAME_WORD_START = 2;

const ELSEWHERE = 3;

/** Moves the best matches of `words` (folded by `searchWords`) to the top; equally good ones keep their order. */
export const rankStocks = <Found>(
  stocks: readonly Found[],
  words: readonly string[],
  foldedName: (stock: Found) => FoldedName,
): readonly Found[] => {
  if (words.length === 0) return stocks;
  // There are few ranks, so each gets a bucket: faster than sorting, which matters with each letter typed.
  const buckets: Found[][] = Array.from({ length: words.length * ELSEWHERE + 1 }, () => []);
  for (const stock of stocks) {
    const name = foldedName(stock);
    buckets[words.reduce((sum, word) => sum + rankOf(name, word), 0)]?.push(stock);
  }
  return buckets.flat();
};

const rankOf = ({ symbol, words }: FoldedName, word: string): number => {
  if (symbol === word) return EXACT_SYMBOL;
  if (symbol.startsWith(word)) return SYMBOL_START;
  return words.some((part) => part.startsWith(word)) ? NAME_WORD_START : ELSEWHERE;
};
