/** What a symbol looks like. Without zod, so that the app can use it. */

/** Said of every symbol that cannot be one (CONTRACT §5). */
export const SYMBOL_REMEDY = "use 1 to 32 letters, digits or . - ^ = /";

/** `AAPL`, `BRK.B`, `BF/B`, `^GSPC`, `EURUSD=X`, `M&M.NS`, `BP.`; no `$$CASH`, no `=CMD` that a spreadsheet would run. */
const SYMBOL = /^\^?[A-Z0-9](?:[A-Z0-9.\-&/=_+$^]{0,30}[A-Z0-9.+])?$/;

/** A symbol as it is kept: NFKC, trimmed, upper-cased. Whether it can be one is for `isSymbol` to say. */
export const symbolText = (text: string): string => text.normalize("NFKC").trim().toUpperCase();

/** Whether a text, as it is kept, is a symbol: 1 to 32 characters. */
export const isSymbol = (text: string): boolean => text.length <= 32 && SYMBOL.test(text);
