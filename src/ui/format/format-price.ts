/** Prices, costs per share and targets: exact, because somebody wrote them. */
import { currencyDigits } from "./currency-digits.ts";
import { formatDecimal } from "./format-decimal.ts";
import { MISSING } from "./missing.ts";

/** `$180.50`, `$0.0123`, `¥2,500`: at least the currency's decimals, and all that the price has. */
export const formatPrice = (price: string | null, currency: string, locale: string): string =>
  price === null
    ? MISSING
    : formatDecimal(price, locale, {
        style: "currency",
        currency,
        minimumFractionDigits: currencyDigits(currency),
      });
