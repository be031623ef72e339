/** Nets the sales of a broker's file against its purchases: what is left, at its average cost. */
import Big from "big.js";
import { canonicalDecimal } from "../../../../../contract/stocks/canonical-decimal.ts";
import type { StockDraft } from "../../../../../contract/stocks/stock-values.ts";
import { type ImportOutcome, NO_COST } from "../import-row.ts";
import { MAX_INTEGER_DIGITS, mergeFields, NO_PRICE, stockKey } from "../join-stocks.ts";
import { joinSplits } from "./join-splits.ts";
import { readMoments } from "./read-trade.ts";
import type { Trade, TradeLine } from "./trade-line.ts";

/** Our own constructor, because precision is set for a whole constructor: each average goes into the next one. */
const Fine = Big();

Fine.DP = 30;

/** An amount has at most 10 decimals (api.md §5). */
const MAX_DECIMALS = 10;

type Left = { readonly quantity: Big; readonly average: Big | undefined };

/** One outcome for each line, in their order. Stocks of which nothing was sold are left as they are. */
export const netTrades = (lines: readonly TradeLine[]): readonly ImportOutcome[] => {
  const readings = readMoments(lines.map(({ date }) => date));
  const orders = readings.flatMap(ordersOf);
  const unread = new Map(
    lines.flatMap(({ outcome, symbol, line }) => (outcome.kind === "problem" ? [[symbol, line]] : [])),
  );
  const trades = lines.flatMap((one, place): Trade[] =>
    one.outcome.kind === "draft" ? [{ ...one, place, outcome: one.outcome }] : [],
  );
  const isUndated = ({ place }: Trade): boolean => readings[0]?.[place] === "";
  // Among lines with a date, one without could belong anywhere.
  const hasDates = !trades.every(isUndated);
  const outcomes = lines.map(({ outcome }) => outcome);
  for (const group of Map.groupBy(trades, ({ outcome }) => stockKey(outcome.draft)).values()) {
    if (group.every(({ kind, isOrder }) => kind !== "sell" && kind !== "unknown" && isOrder)) continue;
    const broken = group.map(({ symbol }) => unread.get(symbol)).find((line) => line !== undefined);
    const undated = hasDates ? group.find(isUndated) : undefined;
    for (const [place, outcome] of netGroup(group, orders, { broken, undated })) outcomes[place] = outcome;
  }
  return outcomes;
};

/** Compares two places of the file by which came first. */
type Order = (one: number, other: number) => number;

/**
 * The orders in which the lines may have happened. Of lines at the same moment, or without one, the file has either the first or
 * the last at its top. If its other moments do not show which, both orders are possible.
 */
const ordersOf = (moments: readonly string[]): readonly Order[] => {
  // A header and a line of totals have no date, and would look like steps.
  const dated = moments.filter((moment) => moment !== "");
  const steps = dated.slice(1).map((moment, index) => moment.localeCompare(dated[index] ?? ""));
  const down = steps.filter((step) => step < 0).length;
  const up = steps.filter((step) => step > 0).length;
  const directions = down === up ? [1, -1] : [down < up ? 1 : -1];
  return directions.map(
    (direction): Order =>
      (one, other) =>
        (moments[one] ?? "").localeCompare(moments[other] ?? "") || (one - other) * direction,
  );
};

const netGroup = (
  group: readonly Trade[],
  orders: readonly Order[],
  { broken, undated }: { readonly broken: number | undefined; readonly undated: Trade | undefined },
): readonly (readonly [number, ImportOutcome])[] => {
  const [first] = group;
  const symbol = first?.outcome.draft.symbol ?? "";
  const all = (outcome: ImportOutcome) => group.map(({ place }) => [place, outcome] as const);
  const refuse = (why: string) => all({ kind: "problem", problem: `${why} ${byHand(symbol)}` });
  const unknown = group.find(({ kind }) => kind === "unknown");
  if (unknown)
    return refuse(`Line ${unknown.line} is neither a purchase nor a sale: “${unknown.words.trim().slice(0, 40)}”.`);
  if (broken !== undefined) return refuse(`${symbol} has sales here, and its line ${broken} cannot be read.`);
  if (undated) return refuse(sayUndated(undated));
  const moves = joinSplits(group);
  const apart = group.find(({ isOrder }) => !isOrder);
  if (moves === undefined)
    return refuse(`Line ${apart?.line} has no order ID, so it is neither a purchase nor a sale.`);
  const bought = moves.filter(({ kind, splitFrom }) => kind !== "sell" && splitFrom === undefined);
  const currencies = new Set(bought.map(({ outcome }) => outcome.draft.currency ?? null));
  if (currencies.size > 1) return refuse(`${symbol} was bought in several currencies.`);
  const nets = orders
    .map((order) => netInOrder(moves.toSorted((one, other) => order(one.place, other.place))))
    .filter((left) => left !== undefined);
  const [left, ...others] = nets;
  if (orders.length === 0) return refuse("Some dates of this file have the day first, others the month.");
  if (left === undefined) return refuse(`This file sells more ${symbol} than it buys. It may not go back far enough.`);
  if (others.some((other) => !isSame(left, other))) {
    return refuse(`The average cost of ${symbol} depends on which line came first, and no column of the file says so.`);
  }
  const sold = moves.filter(({ kind }) => kind === "sell");
  const isSplit = moves.some(({ splitFrom }) => splitFrom !== undefined);
  const counts = `${sumOf(bought)} bought, ${sumOf(sold)} sold${isSplit ? ", split" : ""}.`;
  if (left.quantity.eq(0)) return all({ kind: "skipped", reason: `Nothing is left of ${symbol}: ${counts}` });
  const [lead] = bought;
  if (lead === undefined) return [];
  const { draft, notes } = draftOf([lead, ...group], left);
  if (draft === undefined) return refuse(`What is left of ${symbol} has more than 12 digits.`);
  const own = [...new Set(bought.flatMap(({ outcome }) => outcome.notes))].filter((note) => !note.startsWith(NO_COST));
  const netted: ImportOutcome = {
    ...lead.outcome,
    draft,
    notes: [...own, `${group.length} lines: ${counts}`, ...notes],
  };
  return group.map(({ place }) => [place, place === lead.place ? netted : { kind: "merged", intoLine: lead.line }]);
};

const sayUndated = ({ line, date }: Trade): string =>
  date.trim() === ""
    ? `Line ${line} has no date.`
    : `The date of line ${line} cannot be read: “${date.trim().slice(0, 40)}”.`;

const byHand = (symbol: string): string => `Add ${symbol} by hand, with the quantity and average cost you have now.`;

/** Nets by the average-cost method: a sale takes shares at the average and does not change it. Undefined if more is sold than held. */
const netInOrder = (trades: readonly Trade[]): Left | undefined => {
  let left: Left = { quantity: new Fine(0), average: undefined };
  for (const { kind, outcome, splitFrom } of trades) {
    const { quantity: count, avgCost } = outcome.draft;
    if (splitFrom !== undefined) {
      if (!left.quantity.eq(splitFrom)) return undefined;
      left = { quantity: new Fine(count ?? "0"), average: left.average?.times(splitFrom).div(count ?? "1") };
      continue;
    }
    const quantity = left.quantity[kind === "sell" ? "minus" : "plus"](count ?? "0");
    if (quantity.lt(0)) return undefined;
    left = { quantity, average: kind === "sell" ? left.average : averageOf(left, count ?? "0", avgCost ?? undefined) };
  }
  return left;
};

/** Undefined once shares came whose price is not known, until all are sold. */
const averageOf = ({ quantity, average }: Left, count: string, price: string | undefined): Big | undefined => {
  const added = new Fine(count);
  if (added.eq(0)) return average;
  if (price === undefined) return undefined;
  if (quantity.eq(0)) return new Fine(price);
  return average?.times(quantity).plus(added.times(price)).div(quantity.plus(added));
};

const roundedOf = (average: Big | undefined): string | undefined =>
  average && canonicalDecimal(average.round(MAX_DECIMALS, Big.roundHalfUp).toFixed());

const isSame = (one: Left, other: Left): boolean =>
  one.quantity.eq(other.quantity) && (one.quantity.eq(0) || roundedOf(one.average) === roundedOf(other.average));

const sumOf = (trades: readonly Trade[]): string =>
  canonicalDecimal(trades.reduce((sum, { outcome }) => sum.plus(outcome.draft.quantity ?? "0"), new Fine(0)).toFixed());

/**
 * The draft of what is left. `group` begins with a purchase, because the cost is in its currency. Prices of sales are not costs. No draft
 * if the quantity is too long.
 */
const draftOf = (
  group: readonly Trade[],
  { quantity: left, average }: Left,
): { readonly draft?: StockDraft; readonly notes: readonly string[] } => {
  const quantity = canonicalDecimal(left.toFixed());
  const avgCost = roundedOf(average);
  if ((quantity.split(".")[0] ?? "").length > MAX_INTEGER_DIGITS) return { notes: [] };
  const { avgCost: _, ...fields } = mergeFields(group.map(({ outcome }) => outcome.draft));
  if (avgCost === undefined || average === undefined) {
    return { draft: { ...fields, quantity, avgCost: null }, notes: [NO_PRICE] };
  }
  const notes = average.eq(avgCost) ? [] : ["The average cost is rounded to 10 decimals."];
  return { draft: { ...fields, quantity, avgCost }, notes };
};
