/** A stock to add in a line: what the person should check before it is written. */
import { DEFAULT_CURRENCY } from "../../../contract/currency-codes.ts";
import type { StockDraft } from "../../../contract/stock-draft.ts";
import { formatPrice } from "../../format/format-price.ts";
import { formatQuantity } from "../../format/format-quantity.ts";
import { LOCALE } from "../list/locale.ts";

/** `Apple · XNAS · 10 × $180.50 · last $190.00`, in the reader's own spelling. Empty when there is but a symbol. */
export const draftWords = (draft: StockDraft): string => {
  const price = (amount: string): string => formatPrice(amount, draft.currency ?? DEFAULT_CURRENCY, LOCALE);
  const { name, exchange, quantity, avgCost, lastPrice, targetLow, targetHigh } = draft;
  const held = quantity == null ? undefined : formatQuantity(quantity, LOCALE);
  return [
    name,
    exchange,
    held !== undefined && avgCost != null ? `${held} × ${price(avgCost)}` : held,
    lastPrice != null && `last ${price(lastPrice)}`,
    targetLow != null && `low target ${price(targetLow)}`,
    targetHigh != null && `high target ${price(targetHigh)}`,
  ]
    .filter(Boolean)
    .join(" · ");
};
