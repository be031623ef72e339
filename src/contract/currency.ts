/** Currencies of prices: ISO 4217, and the three hundredths that exchanges quote in (CONTRACT §5). */
import * as z from "zod";
import { CURRENCY_CODES, currencyCode } from "./currency-codes.ts";

/**
 * A currency code, upper-cased. `GBp` is mapped first: upper-cased it would read as pounds, and every London price would
 * be a hundred times too high.
 */
export const Currency = z
  .string("use a currency code such as USD, EUR or GBX")
  .overwrite(currencyCode)
  .refine((code) => CURRENCY_CODES.has(code), { error: "use a currency code such as USD, EUR or GBX" });
