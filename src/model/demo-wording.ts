/** Stocks and tool output as markdown. */
import { cutText } from "../contract/cut-text.ts";
import type { ListStocksOutput } from "../contract/list-stocks.ts";
import type { Stock } from "../contract/stock.ts";

/** Longest output that is repeated, in UTF-16 units: the tool card beside it has the rest. */
const MAX_QUOTE_LENGTH = 2_000;

/** A text as a code block, with a fence longer than any inside it. */
export const fenced = (text: string): string => {
  const quote = text.length > MAX_QUOTE_LENGTH ? `${cutText(text, MAX_QUOTE_LENGTH)}\n…` : text;
  const longest = Math.max(2, ...[...quote.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${quote.trimEnd()}\n${fence}`;
};

/** A text inside a sentence when it is one line, else as a code block. */
export const quoted = (text: string): string => (text.includes("\n") ? `\n\n${fenced(text)}` : text);

const HUNDREDTHS = new Intl.NumberFormat("en", { maximumFractionDigits: 2, useGrouping: false });

/** A computed figure as one says it: to hundredths. Decimals of any length are read exactly. */
const rounded = (figure: string): string => HUNDREDTHS.format(figure as Intl.StringNumericLiteral);

/** One stock in a line: what is held, what it is worth, what is waited for. Unknown figures are left out. */
export const describeStock = (stock: Stock): string => {
  const { currency } = stock;
  const facts = [
    stock.quantity !== null &&
      `${stock.quantity} held${stock.avgCost === null ? "" : ` at ${stock.avgCost} ${currency}`}`,
    stock.marketValue !== null && `worth ${rounded(stock.marketValue)} ${currency}`,
    stock.gainPct !== null && `${rounded(stock.gainPct)} % gain`,
    stock.quantity === null && stock.lastPrice !== null && `last price ${stock.lastPrice} ${currency}`,
    stock.watched && "on the watchlist",
    stock.targetLow !== null && `target low ${stock.targetLow}`,
    stock.targetHigh !== null && `target high ${stock.targetHigh}`,
    stock.notes !== null && `note: ${stock.notes}`,
  ].filter((fact) => fact !== false);
  const name = stock.name === stock.symbol ? "" : ` (${stock.name})`;
  return `**${stock.symbol}**${name}: ${facts.join(", ") || "nothing is known of it"}`;
};

/** A page of stocks as a list, with what they are worth. */
export const listStocks = ({ items, total, totals }: ListStocksOutput): string => {
  if (items.length === 0) return "There are none.";
  const rest = total - items.length;
  const worth = totals.flatMap(({ currency, value }) => (value === null ? [] : [`${rounded(value)} ${currency}`]));
  return [
    ...items.map((stock) => `- ${describeStock(stock)}`),
    ...(rest > 0 ? [`- and ${rest} more`] : []),
    ...(worth.length > 0 ? ["", `Together worth ${worth.join(" and ")}.`] : []),
  ].join("\n");
};
