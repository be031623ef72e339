/** A stock's text as search compares it: folded once, when it is first searched, and kept as long as the stock is. */
import { foldText } from "../../../contract/fold-text.ts";
import type { Stock } from "../../../contract/stock.ts";

/** `all` is everything that search looks at, `words` are those of the name. */
type FoldedStock = { readonly symbol: string; readonly words: readonly string[]; readonly all: string };

const known = new WeakMap<Stock, FoldedStock>();

/** The fields that the server searches too (CONTRACT §5); a line break keeps a search from matching across two. */
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
