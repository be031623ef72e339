/** A stock as a row of the table. Its height is fixed: see `ROW_HEIGHTS`. */
import { formatMoney } from "../../format/format-money.ts";
import { formatPrice } from "../../format/format-price.ts";
import { formatQuantity } from "../../format/format-quantity.ts";
import { MISSING } from "../../format/missing.ts";
import { GainFigure } from "./gain-figure.tsx";
import { LOCALE } from "./locale.ts";
import { markedText } from "./marked-text.tsx";
import { OpenLink } from "./open-link.tsx";
import { PriceAge } from "./price-age.tsx";
import { pure } from "./pure.ts";
import type { RowProps } from "./row-actions.ts";
import { rowClass } from "./row-class.ts";
import { RowMenuButton } from "./row-menu-button.tsx";
import { SelectBox } from "./select-box.tsx";
import { StarButton } from "./star-button.tsx";
import { StockBadges } from "./stock-badges.tsx";
import { TargetBadge } from "./target-badge.tsx";
import { TargetRange } from "./target-range.tsx";

/** The cells in the order of the table's head. The first line of the table is its head, hence the index. */
export const StockRow = pure((props: RowProps) => {
  const { stock, words, index, now } = props;
  const isHeld = stock.status === "holding";
  return (
    <tr class={rowClass("stock-row", props)} data-id={stock.id} aria-rowindex={index + 2}>
      <td class="slim">
        <SelectBox {...props} />
      </td>
      <td class="slim">
        <StarButton {...props} />
      </td>
      <th scope="row">
        <span class="symbol">
          <OpenLink {...props} />
          <TargetBadge stock={stock} />
          <StockBadges stock={stock} words={words} />
        </span>
        <span class="sub cut">{markedText(stock.name, words)}</span>
      </th>
      <td class="num">
        {formatPrice(stock.lastPrice, stock.currency, LOCALE)}
        <span class="sub">
          <PriceAge stock={stock} now={now} hasSource />
        </span>
      </td>
      <td class="num">
        {isHeld ? formatMoney(stock.marketValue, stock.currency, LOCALE) : MISSING}
        {isHeld && (
          <span class="sub">
            {formatQuantity(stock.quantity, LOCALE)}
            {stock.avgCost !== null && ` × ${formatPrice(stock.avgCost, stock.currency, LOCALE)}`}
          </span>
        )}
      </td>
      <td class="num">
        <GainFigure gain={stock.gain} percent={stock.gainPct} currency={stock.currency} />
      </td>
      <td class="target">
        <TargetRange stock={stock} />
      </td>
      <td class="slim">
        <RowMenuButton {...props} />
      </td>
    </tr>
  );
});
