/** Which stocks a search finds, and which of them come first. */
import type { Stock } from "../../../contract/stock.ts";
import { foldedStock } from "./folded-stock.ts";

/** Ranks of a word, best first. */
const EXACT_SYMBOL = 0;
const SYMBOL_START = 1;
const NAME_WORD_START = 2;
const ELSEWHERE = 3;

/** The stocks that hold all of `words` (as `searchWords` folds them), in their order; all of them for no word. */
export const searchStocks = (stocks: readonly Stock[], words: readonly string[]): readonly Stock[] =>
  words.length === 0 ? stocks : stocks.filter((stock) => words.every((word) => foldedStock(stock).all.includes(word)));

/** Brings the best matches to the top; equally good ones keep their order. */
export const rankStocks = (stocks: readonly Stock[], words: readonly string[]): readonly Stock[] => {
  if (words.length === 0) return stocks;
  // Ranks are few, so each gets a heap: that is faster than sorting, which matters with each letter typed.
  const heaps: Stock[][] = Array.from({ length: words.length * ELSEWHERE + 1 }, () => []);
  for (const stock of stocks) heaps[sumRanks(stock, words)]?.push(stock);
  return heaps.flat();
};

const sumRanks = (stock: Stock, words: readonly string[]): number =>
  words.reduce((sum, word) => sum + rankOf(stock, word), 0);

const rankOf = (stock: Stock, word: string): number => {
  const { symbol, words } = foldedStock(stock);
  if (symbol === word) return EXACT_SYMBOL;
  if (symbol.startsWith(word)) return SYMBOL_START;
  return words.some((part) => part.startsWith(word)) ? NAME_WORD_START : ELSEWHERE;
};
