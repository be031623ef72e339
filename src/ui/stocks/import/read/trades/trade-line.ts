/** How a line counts in a file of trades. */
import type { ImportField } from "../import-field.ts";
import type { ImportOutcome } from "../import-row.ts";
import { isNegative, isReinvestment, type TradeKind, withoutSign } from "./read-trade.ts";

/** A line of the file. `words` are those that say what it did; `symbol` is the cell, even if the line could not be read. */
export type TradeLine = {
  readonly line: number;
  readonly outcome: ImportOutcome;
  readonly kind: TradeKind | undefined;
  readonly words: string;
  readonly symbol: string;
  readonly date: string;
  /** False for a line without the id of an order in a file that has them. */
  readonly isOrder: boolean;
};

/** A line that was read, and its place among all lines. */
export type Trade = Omit<TradeLine, "outcome"> & {
  readonly place: number;
  readonly outcome: Extract<ImportOutcome, { readonly kind: "draft" }>;
  /** For a split: how many old shares became those that the line counts. */
  readonly splitFrom?: string;
};

/** The outcome of a line that moved no shares. */
export const NO_TRADE: ImportOutcome = { kind: "skipped", reason: "Neither a purchase nor a sale." };

/** Whether a line without shares moved money alone. A distribution may also be shares of a company that was split off. */
export const isMoneyAlone = (kind: TradeKind | undefined, words: string, symbol: string, quantity: string): boolean =>
  kind === "unknown" && !/[1-9]/.test(quantity) && (symbol.trim() === "" || /^\s*distribution\s*$/i.test(words));

/**
 * What a line without a word for it did: by the sign of its quantity or, if there are columns of `money`, by what was paid and received.
 * In the latter case, a line without shares moved money alone. Undefined if nothing tells.
 */
export const kindByAmounts = (
  cells: readonly string[],
  money: readonly number[] | undefined,
  quantity: string,
  price: string,
): TradeKind | undefined => {
  if (money === undefined) return isNegative(quantity) ? "sell" : undefined;
  if (!/[1-9]/.test(quantity)) return "aside";
  const [isPaid, isReceived] = money.map((index) => /[1-9]/.test(cells[index] ?? ""));
  return !/\d/.test(price) || isPaid === isReceived ? "unknown" : isPaid ? "buy" : "sell";
};

/** The cell of a trade as it counts: a quantity that was sold is above zero, and a line of unknown kind counts nothing. */
export const cellOfTrade = (field: ImportField, cell: string, kind: TradeKind | undefined): string => {
  if (kind === "unknown") return field === "symbol" || field === "exchange" ? cell : "";
  if (field === "transactionType" && kind !== undefined) return "";
  return field === "quantity" && kind === "sell" ? withoutSign(cell) : cell;
};

/** Columns that only trades or holdings have. A list of stocks to watch may have a column "Action", but none of these. */
const COUNTING: readonly ImportField[] = ["snapshotDate", "quantity", "avgCost"];

/**
 * The outcome of a line, where a purchase or sale has to say how many. A reinvestment's money may have a line of its own, and
 * its shares another one.
 */
export const countedOutcome = (
  outcome: ImportOutcome,
  { kind, words, price }: { readonly kind: TradeKind | undefined; readonly words: string; readonly price: string },
  columns: ReadonlyMap<ImportField, number>,
): ImportOutcome => {
  const isTrade = (kind === "buy" || kind === "sell") && COUNTING.some((field) => columns.has(field));
  if (!isTrade || outcome.kind !== "draft" || outcome.draft.quantity !== undefined) return outcome;
  if (!columns.has("quantity")) return uncounted(" Choose its column under “Columns”.");
  return kind === "buy" && isReinvestment(words) && !/[1-9]/.test(price) ? NO_TRADE : uncounted("");
};

const uncounted = (hint: string): ImportOutcome => ({
  kind: "problem",
  problem: `Quantity: a purchase or sale needs one.${hint}`,
});
