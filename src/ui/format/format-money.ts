/** Values, costs and gains: rounded to what the currency usually shows. */
import { currencyDigits } from "./currency-digits.ts";
import { formatDecimal } from "./format-decimal.ts";
import { MISSING } from "./missing.ts";

/** `$1,234.50`. `isSigned` is for gains: `+` before what is above 0, nothing before what rounds to 0. */
export const formatMoney = (
  amount: string | null,
  currency: string,
  locale: string,
  { isSigned = false }: { readonly isSigned?: boolean } = {},
): string => {
  if (amount === null) return MISSING;
  const digits = currencyDigits(currency);
  return formatDecimal(amount, locale, {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    signDisplay: isSigned ? "exceptZero" : "negative",
  });
};
