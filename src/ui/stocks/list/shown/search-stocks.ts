/** Which stocks a search finds. */
import { foldText } from "../../../../contract/fold-text.ts";
import { type FoldedName, foldName } from "../../../../contract/screen/list-order.ts";
import type { Stock } from "../../../../contract/stocks/stock.ts";

/** `all` is everything the search covers. */
type FoldedStock = FoldedName & { readonly all: string };

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

const fold = (stock: Stock): FoldedStock => ({
  ...foldName(stock),
  all: foldText([stock.symbol, stock.name, stock.isin, stock.exchange, stock.sector, ...stock.tags].join("\n")),
});

/** The stocks that contain all of `words` (folded by `searchWords`), in their order; all stocks when there are no words. */
export const searchStocks = (stocks: readonly Stock[], words: readonly string[]): readonly Stock[] =>
  words.length === 0 ? stocks : stocks.filter((stock) => words.every((word) => foldedStock(stock).all.includes(word)));
