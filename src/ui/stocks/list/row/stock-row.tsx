/** A stock as a row of the table, and as a card. Their heights are fixed: see `ROW_HEIGHTS`. */
import type { Stock } from "../../../../contract/stocks/stock.ts";
import { MISSING } from "../../../format/format-number.ts";
import { pure } from "../../../state/pure.ts";
import { markedText } from "./marked-text.tsx";
import { OpenLink, RowMenuButton, rowClass, SelectBox, StarButton, StockBadges } from "./row-buttons.tsx";
import {
  DayChange,
  GainFigure,
  PriceAge,
  shownHolding,
  shownMoney,
  shownPrice,
  TargetBadge,
  TargetRange,
} from "./row-figures.tsx";
import type { RowProps } from "./row-props.ts";

/** A price that is older than the last session is dimmed. */
const priceClass = ({ stock }: RowProps): string => (stock.priceState === "stale" ? "num stale" : "num");

/** Nothing for a stock that is named like its symbol, which stands beside it. */
const nameOf = ({ name, symbol }: Stock, words: readonly string[]) => name !== symbol && markedText(name, words);

/** Cells in the order of the table's head, which is row 1; hence `index + 2`. */
export const StockRow = pure((props: RowProps) => {
  const { stock, words, index, now, room } = props;
  const { currency } = stock;
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
          <OpenLink {...props} isSelecting={false} />
          <TargetBadge stock={stock} />
          <StockBadges stock={stock} words={words} />
        </span>
        <span class="sub cut">{nameOf(stock, words)}</span>
      </th>
      <td class={priceClass(props)}>
        {shownPrice(stock.lastPrice, currency, room)}
        <span class="sub">
          <PriceAge stock={stock} now={now} isShort={room < ROOMY} />
        </span>
      </td>
      <td class="num today">
        <DayChange stock={stock} />
      </td>
      <td class="num">
        {isHeld ? shownMoney(stock.marketValue, currency, room) : MISSING}
        {isHeld && <span class="sub">{shownHolding(stock, stock.avgCost, room + SMALLER)}</span>}
      </td>
      <td class="num">
        <GainFigure gain={stock.gain} percent={stock.gainPct} currency={currency} room={room} />
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

/** Room in a table's cell from which on the age of a price says whose it is. */
const ROOMY = 13;

/** Characters of a holding's line in a table's cell, beyond those of an amount: its type is smaller. */
const SMALLER = 2;

/** Characters of a card's amounts, and of its holding. */
const CARD_ROOM = 12;

const CARD_HOLDING_ROOM = 20;

/** Three lines: symbol, what it did today and value; target badge, name and gain; holding and the price's age, or targets. */
export const StockCard = pure((props: RowProps) => {
  const { stock, words, index, count, now } = props;
  const { currency, lastPrice } = stock;
  const isHeld = stock.status === "holding";
  return (
    <li class={rowClass("stock-card", props)} data-id={stock.id} aria-setsize={count} aria-posinset={index + 1}>
      {props.isSelecting ? <SelectBox {...props} /> : <StarButton {...props} />}
      <div class="line">
        <span class="symbol">
          <span class="named">
            <OpenLink {...props} />
            {stock.dayChangePct !== null && <DayChange stock={stock} />}
          </span>{" "}
          <StockBadges stock={stock} words={words} />
        </span>
        <b class={isHeld ? "num" : priceClass(props)}>
          {isHeld ? shownMoney(stock.marketValue, currency, CARD_ROOM) : shownPrice(lastPrice, currency, CARD_ROOM)}
        </b>
      </div>
      <div class="line sub">
        <span class="whole">
          <TargetBadge stock={stock} />
          <span class="cut">{nameOf(stock, words)}</span>
        </span>
        <span class="num beside">
          {isHeld ? (
            <GainFigure gain={stock.gain} percent={stock.gainPct} currency={currency} room={CARD_ROOM} />
          ) : (
            <PriceAge stock={stock} now={now} isShort />
          )}
        </span>
      </div>
      <div class="line sub">
        {isHeld ? (
          <>
            <span class={priceClass(props)}>{shownHolding(stock, lastPrice, CARD_HOLDING_ROOM)}</span>
            {lastPrice === null ? <span>no price</span> : <PriceAge stock={stock} now={now} isShort />}
          </>
        ) : (
          <TargetRange stock={stock} />
        )}
      </div>
      <RowMenuButton {...props} />
    </li>
  );
});
