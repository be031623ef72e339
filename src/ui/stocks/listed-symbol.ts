/** A symbol as people write it, perhaps behind its market: `AAPL`, `NASDAQ:AAPL`. */
import { isSymbol, SYMBOL_REMEDY, symbolText } from "../../contract/symbol-shape.ts";
import { marketCode } from "./market-prefixes.ts";

/** `note` says what was left out. A `problem` says what to write instead. */
export type ListedSymbol =
  | { readonly symbol: string; readonly exchange: string | undefined; readonly note: string | undefined }
  | { readonly problem: string };

/** Splits the market off and checks the symbol. An unknown market is left out, not made up. */
export const readListedSymbol = (text: string): ListedSymbol => {
  const [, prefix, rest] = /^([^:]*):(.*)$/s.exec(text) ?? [undefined, undefined, text];
  const symbol = symbolText(rest ?? text);
  if (!isSymbol(symbol)) return { problem: `symbol: ${SYMBOL_REMEDY}` };
  if (prefix === undefined) return { symbol, exchange: undefined, note: undefined };
  const exchange = marketCode(prefix);
  const note =
    exchange === undefined ? `${prefix.slice(0, 20)} is no market code; the exchange is left empty.` : undefined;
  return { symbol, exchange, note };
};
