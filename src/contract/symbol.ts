/** Symbols as exchanges and price vendors write them, and the exchange a symbol is listed on. */
import { z } from "zod";

/** Said of every symbol that cannot be one (CONTRACT §5). */
export const SYMBOL_REMEDY = "use 1 to 32 letters, digits or . - ^ = /";
const EXCHANGE_REMEDY = "use a four-character market code (ISO 10383) such as XNAS, or null";

/** `AAPL`, `BRK.B`, `BF/B`, `^GSPC`, `EURUSD=X`, `M&M.NS`, `BP.`; no `$$CASH`, no `=CMD` that a spreadsheet would run. */
const SYMBOL = /^\^?[A-Z0-9](?:[A-Z0-9.\-&/=_+$^]{0,30}[A-Z0-9.+])?$/;

/** A symbol: NFKC, trimmed, upper-cased; 1 to 32 characters. */
export const StockSymbol = z
  .string(SYMBOL_REMEDY)
  .overwrite((text) => text.normalize("NFKC").trim().toUpperCase())
  .refine((text) => text.length <= 32 && SYMBOL.test(text), { error: SYMBOL_REMEDY });

/** A market identifier code, upper-cased. Unknown ones pass: no look-up is ever a condition. */
export const ExchangeCode = z
  .string(EXCHANGE_REMEDY)
  .trim()
  .toUpperCase()
  .refine((text) => /^[A-Z0-9]{4}$/.test(text), { error: EXCHANGE_REMEDY });
