/** The two targets with the last price between them. */
import type { Stock } from "../../../contract/stock.ts";
import { currencyDigits } from "../../format/currency-digits.ts";
import { formatDecimal } from "../../format/format-decimal.ts";
import { formatPrice } from "../../format/format-price.ts";
import { LOCALE } from "./locale.ts";
import { targetPlace } from "./target-place.ts";

/** The numbers without their currency, which the row shows often enough. Nothing without a target. */
export const TargetRange = ({ stock }: { readonly stock: Stock }) => {
  const { targetLow, targetHigh, currency } = stock;
  if (targetLow === null && targetHigh === null) return null;
  const place = targetPlace(stock);
  const options = { minimumFractionDigits: currencyDigits(currency) };
  const write = (target: string): string => formatDecimal(target, LOCALE, options);
  const said = [
    targetLow !== null && `buy at ${formatPrice(targetLow, currency, LOCALE)}`,
    targetHigh !== null && `sell at ${formatPrice(targetHigh, currency, LOCALE)}`,
  ];
  return (
    <span class="range" role="img" aria-label={`Targets: ${said.filter(Boolean).join(", ")}`}>
      {targetLow !== null && <span>{write(targetLow)}</span>}
      <i>{place !== undefined && <b class="at" style={{ insetInlineStart: `${place * 100}%` }} />}</i>
      {targetHigh !== null && <span>{write(targetHigh)}</span>}
    </span>
  );
};
