/** A stock as a row of the table, and as a card. Their heights are fixed: see `ListRoom`. */
import type { Stock } from "../../../../contract/stocks/stock.ts";
import { MISSING } from "../../../format/format-number.ts";
import { pure } from "../../../state/pure.ts";
import { markedText } from "./marked-text.tsx";
import {
  OpenLink,
  RowMenuButton,
  rowClass,
  SelectBox,
  SetPriceButton,
  StarButton,
  StockBadges,
} from "./row-buttons.tsx";
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

/** Nothing for a stock whose name is its symbol, which is shown beside it. */
const nameOf = ({ name, symbol }: Stock, words: readonly string[]) => name !== symbol && markedText(name, words);

/** Cells in the order of the table's head, which is row 1; hence `index + 2`. */
export const StockRow = pure((props: RowProps) => {
  const { stock, words, index, now, room } = props;
  const { currency } = stock;
  const isHeld = stock.status === "holding";
  const isCost = stock.marketValue === null && hasCost(stock);
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
          <StockBadges stock={stock} words={words} />
        </span>
        <NameLine {...props} />
      </th>
      {stock.lastPrice === null ? (
        <td class="num">
          <SetPriceButton {...props} />
        </td>
      ) : (
        <td class={priceClass(props)}>
          {shownPrice(stock.lastPrice, currency, room.amount)}
          <span class="sub">
            <PriceAge stock={stock} now={now} isShort={room.amount < ROOMY} />
          </span>
        </td>
      )}
      <td class="num today">
        <DayChange stock={stock} />
        <Spark {...props} />
      </td>
      <td class="num">
        {isCost
          ? shownMoney(stock.costBasis, currency, room.amount)
          : isHeld
            ? shownMoney(stock.marketValue, currency, room.amount)
            : MISSING}
        {isHeld && (
          <span class="sub">
            {shownHolding(stock, isCost ? null : stock.avgCost, room.holding, " @ ")}
            {isCost && ", at cost"}
          </span>
        )}
      </td>
      <td class="num">
        <GainFigure gain={stock.gain} percent={stock.gainPct} currency={currency} room={room.amount} />
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

/** From this room on, in characters, the age of a price in a table's cell also says where the price comes from. */
const ROOMY = 13;

/** Characters that the word before the cost takes. */
const COST_WORD = 4;

/** What the holding cost, shown if there is no price to say what it is worth. */
const Cost = ({ stock: { costBasis, currency }, room }: Pick<RowProps, "stock" | "room">) => (
  <>
    <small>cost</small> {shownMoney(costBasis, currency, room.amount - COST_WORD)}
  </>
);

/** Whether the stock is held and its cost is known. */
const hasCost = ({ status, costBasis }: Stock): boolean => status === "holding" && costBasis !== null;

/** The last month, as a line without words: the change of today is written beside it. */
const Spark = ({ spark }: Pick<RowProps, "spark">) =>
  spark === undefined ? null : (
    <svg class="spark" viewBox="0 -5 100 110" preserveAspectRatio="none" aria-hidden="true">
      <path d={spark} />
    </svg>
  );

/** The name gives way to the target that was reached, and is cut at its end, whichever side that is on. */
const NameLine = ({ stock, words }: Pick<RowProps, "stock" | "words">) => {
  const name = nameOf(stock, words);
  return (
    <span class="sub whole">
      <TargetBadge stock={stock} />
      {name && (
        <span class="cut" dir="auto">
          {name}
        </span>
      )}
    </span>
  );
};

/**
 * Three columns: what the stock is; the last month and today; what it is worth. A missing third line is left out. With `short`, that line
 * follows the symbol, because there is neither a name above it nor a sparkline or today's change beside it.
 */
export const StockCard = pure((props: RowProps) => {
  const { stock, words, index, count, now, room } = props;
  const { currency, lastPrice } = stock;
  const isHeld = stock.status === "holding";
  return (
    <li class={rowClass("stock-card", props)} data-id={stock.id} aria-setsize={count} aria-posinset={index + 1}>
      {props.isSelecting && <SelectBox {...props} />}
      <div class={nameOf(stock, words) || stock.dayChangePct || props.spark ? "who" : "who short"}>
        <span class="symbol">
          <OpenLink {...props} /> <StockBadges stock={stock} words={words} />
        </span>
        <NameLine {...props} />
        <span class="sub fine">
          {isHeld ? (
            <>
              <span>{shownHolding(stock, lastPrice ?? stock.avgCost, room.holding)}</span>
              {lastPrice !== null && <PriceAge stock={stock} now={now} isShort />}
            </>
          ) : (
            <TargetRange stock={stock} />
          )}
        </span>
      </div>
      <div class="did">
        <Spark {...props} />
        {stock.dayChangePct !== null && <DayChange stock={stock} />}
      </div>
      <div class="num worth">
        {lastPrice !== null ? (
          <b class={priceClass(props)}>
            {isHeld
              ? shownMoney(stock.marketValue, currency, room.amount)
              : shownPrice(lastPrice, currency, room.amount)}
          </b>
        ) : (
          hasCost(stock) && (
            <b>
              <Cost {...props} />
            </b>
          )
        )}
        {lastPrice === null ? (
          <SetPriceButton {...props} />
        ) : isHeld ? (
          <GainFigure gain={stock.gain} percent={stock.gainPct} currency={currency} room={room.amount} />
        ) : (
          <PriceAge stock={stock} now={now} isShort />
        )}
      </div>
    </li>
  );
});
