/** The syntax of symbols. Without zod, so that the app can use it. */

/** The message for an invalid symbol (api.md §5). */
export const SYMBOL_REMEDY = "use 1 to 32 letters, digits or . - ^ = /";

/** `AAPL`, `BRK.B`, `BF/B`, `^GSPC`, `EURUSD=X`, `M&M.NS`, `BP.`; not `$$CASH`, and not `=CMD`, which a spreadsheet would run. */
const SYMBOL = /^\^?[A-Z0-9](?:[A-Z0-9.\-&/=_+$^]{0,30}[A-Z0-9.+])?$/;

/** Normalizes a symbol: NFKC, trimmed, upper-cased. `isSymbol` checks it. */
export const symbolText = (text: string): string => text.normalize("NFKC").trim().toUpperCase();

/** Whether a normalized text is a symbol of 1 to 32 characters. */
export const isSymbol = (text: string): boolean => text.length <= 32 && SYMBOL.test(text);
