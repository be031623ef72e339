/** Symbols as exchanges and price vendors write them, and the exchange a symbol is listed on. */
import * as z from "zod";
import { isSymbol, SYMBOL_REMEDY, symbolText } from "./symbol-shape.ts";

const EXCHANGE_REMEDY = "use a four-character market code (ISO 10383) such as XNAS, or null";

/** A symbol: NFKC, trimmed, upper-cased; 1 to 32 characters. */
export const StockSymbol = z.string(SYMBOL_REMEDY).overwrite(symbolText).refine(isSymbol, { error: SYMBOL_REMEDY });

/** A market identifier code, upper-cased. Unknown ones pass: no look-up is ever a condition. */
export const ExchangeCode = z
  .string(EXCHANGE_REMEDY)
  .trim()
  .toUpperCase()
  .refine((text) => /^[A-Z0-9]{4}$/.test(text), { error: EXCHANGE_REMEDY });
