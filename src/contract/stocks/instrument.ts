/** Symbols, exchanges, ISINs and currencies (api.md §5). */
import * as z from "zod";
import { CURRENCY_CODES, currencyCode } from "./currency-codes.ts";
import { isSymbol, SYMBOL_REMEDY, symbolText } from "./symbol-shape.ts";

/** ISO 4217, or one of the three hundredths that exchanges quote in. `currencyCode` says how it is upper-cased. */
export const Currency = z
  .string("use a currency code such as USD, EUR or GBX")
  .overwrite(currencyCode)
  .refine((code) => CURRENCY_CODES.has(code), { error: "use a currency code such as USD, EUR or GBX" });

const REMEDY = "use a 12-character ISIN with a valid check digit, such as US0378331005, or null";

/** An ISIN, upper-cased. Not unique: one security can be listed on several exchanges. */
export const Isin = z.string(REMEDY).trim().toUpperCase().refine(isIsin, { error: REMEDY });

/** Two letters, nine letters or digits, and a check digit that makes the Luhn sum a multiple of ten. */
function isIsin(text: string): boolean {
  return /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(text) && luhnSum(inDigits(text)) % 10 === 0;
}

/** Replaces each letter by its value, from 10 to 35. */
const inDigits = (text: string): string => text.replace(/[A-Z]/g, (letter) => String(Number.parseInt(letter, 36)));

/** From the right, every second digit is doubled; a result with two digits counts as the sum of its digits. */
const luhnSum = (digits: string): number =>
  [...digits]
    .reverse()
    .map((digit, place) => Number(digit) * (place % 2 === 0 ? 1 : 2))
    .reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0);

const EXCHANGE_REMEDY = "use a four-character market code (ISO 10383) such as XNAS, or null";

/** A symbol: NFKC, trimmed, upper-cased; 1 to 32 characters. */
export const StockSymbol = z.string(SYMBOL_REMEDY).overwrite(symbolText).refine(isSymbol, { error: SYMBOL_REMEDY });

/** A market identifier code, upper-cased. Accepts unknown codes: adding a stock never depends on a look-up. */
export const ExchangeCode = z
  .string(EXCHANGE_REMEDY)
  .trim()
  .toUpperCase()
  .refine((text) => /^[A-Z0-9]{4}$/.test(text), { error: EXCHANGE_REMEDY });
