/** A stock where there is room for one column. Its height is fixed: see `ROW_HEIGHTS`. */
import { formatMoney } from "../../format/format-money.ts";
import { formatPrice } from "../../format/format-price.ts";
import { formatQuantity } from "../../format/format-quantity.ts";
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

/** Three lines: the symbol and what it is worth, a hit, the name and the gain, the holding or the targets and the price. */
export const StockCard = pure((props: RowProps) => {
  const { stock, words, index, count, now } = props;
  const isHeld = stock.status === "holding";
  const price = formatPrice(stock.lastPrice, stock.currency, LOCALE);
  return (
    <li class={rowClass("stock-card", props)} data-id={stock.id} aria-setsize={count} aria-posinset={index + 1}>
      {props.isSelecting ? <SelectBox {...props} /> : <StarButton {...props} />}
      <div class="line">
        <span class="symbol">
          <OpenLink {...props} /> <StockBadges stock={stock} words={words} />
        </span>
        <b class="num">{isHeld ? formatMoney(stock.marketValue, stock.currency, LOCALE) : price}</b>
      </div>
      <div class="line sub">
        <span class="cut">
          <TargetBadge stock={stock} /> {markedText(stock.name, words)}
        </span>
        <span class="num">
          {isHeld ? (
            <GainFigure gain={stock.gain} percent={stock.gainPct} currency={stock.currency} />
          ) : (
            <PriceAge stock={stock} now={now} isShort />
          )}
        </span>
      </div>
      <div class="line sub">
        {isHeld ? (
          <>
            <span class="cut">
              {formatQuantity(stock.quantity, LOCALE)}
              {stock.avgCost !== null && ` × ${formatPrice(stock.avgCost, stock.currency, LOCALE)}`}
            </span>
            <span class="num">
              {price}
              {stock.lastPriceAt && " · "}
              <PriceAge stock={stock} now={now} isShort />
            </span>
          </>
        ) : (
          <TargetRange stock={stock} />
        )}
      </div>
      <RowMenuButton {...props} />
    </li>
  );
});
