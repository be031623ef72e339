/** Which stocks a search finds, and which of them come first. */
import { foldText } from "../../../../contract/fold-text.ts";
import type { Stock } from "../../../../contract/stocks/stock.ts";

/** `all` is everything the search covers, `words` are the words of the name. */
type FoldedStock = { readonly symbol: string; readonly words: readonly string[]; readonly all: string };

const known = new WeakMap<Stock, FoldedStock>();

/**
 * A stock's text in folded form, cached for as long as the stock object lives. It has the fields that the server searches
 * too (api.md §5); line breaks keep a search from matching across two of them.
 */
export const foldedStock = (stock: Stock): FoldedStock => {
  const folded = known.get(stock) ?? fold(stock);
  known.set(stock, folded);
  return folded;
};

const fold = ({ symbol, name, isin, exchange, sector, tags }: Stock): FoldedStock => ({
  symbol: foldText(symbol),
  words: foldText(name).split(/[^\p{L}\p{N}]+/u),
  all: foldText([symbol, name, isin, exchange, sector, ...tags].join("\n")),
});

/** Ranks of a word, best first. */
const EXACT_SYMBOL = 0;

const SYMBOL_START = 1;

const NAME_WORD_START = 2;

const ELSEWHERE = 3;

/** The stocks that contain all of `words` (folded by `searchWords`), in their order; all stocks when there are no words. */
export const searchStocks = (stocks: readonly Stock[], words: readonly string[]): readonly Stock[] =>
  words.length === 0 ? stocks : stocks.filter((stock) => words.every((word) => foldedStock(stock).all.includes(word)));

/** Moves the best matches to the top; equally good ones keep their order. */
export const rankStocks = (stocks: readonly Stock[], words: readonly string[]): readonly Stock[] => {
  if (words.length === 0) return stocks;
  // There are few ranks, so each gets a bucket: faster than sorting, which matters with each letter typed.
  const buckets: Stock[][] = Array.from({ length: words.length * ELSEWHERE + 1 }, () => []);
  for (const stock of stocks) buckets[sumRanks(stock, words)]?.push(stock);
  return buckets.flat();
};

const sumRanks = (stock: Stock, words: readonly string[]): number =>
  words.reduce((sum, word) => sum + rankOf(stock, word), 0);

const rankOf = (stock: Stock, word: string): number => {
  const { symbol, words } = foldedStock(stock);
  if (symbol === word) return EXACT_SYMBOL;
  if (symbol.startsWith(word)) return SYMBOL_START;
  return words.some((part) => part.startsWith(word)) ? NAME_WORD_START : ELSEWHERE;
};
