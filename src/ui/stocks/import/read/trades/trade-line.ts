/** What a line of a file of trades counts. */
import type { ImportField } from "../import-field.ts";
import type { ImportOutcome } from "../import-row.ts";
import { isNegative, isReinvestment, type TradeKind, withoutSign } from "./read-trade.ts";

/** A line of the file. `words` are what it calls itself, `symbol` is the cell, also where the line could not be read. */
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

/** Why a line is left out that moved no shares. */
export const NO_TRADE: ImportOutcome = { kind: "skipped", reason: "Neither a purchase nor a sale." };

/** Whether a line without shares moved money alone. A distribution may also be of shares, of a company that was split off. */
export const isMoneyAlone = (kind: TradeKind | undefined, words: string, symbol: string, quantity: string): boolean =>
  kind === "unknown" && !/[1-9]/.test(quantity) && (symbol.trim() === "" || /^\s*distribution\s*$/i.test(words));

/**
 * What a line did that has no word for it, by the sign of its quantity or, where there are columns of `money`, by what was paid and what
 * was received: without shares it moved money alone. Undefined if nothing tells.
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

/** What was sold is counted above zero, and what is neither bought nor sold counts nothing. */
export const cellOfTrade = (field: ImportField, cell: string, kind: TradeKind | undefined): string => {
  if (kind === "unknown") return field === "symbol" || field === "exchange" ? cell : "";
  if (field === "transactionType" && kind !== undefined) return "";
  return field === "quantity" && kind === "sell" ? withoutSign(cell) : cell;
};

/** A column that only trades have, or holdings. A list of stocks to watch may have a column "Action" and none of them. */
const COUNTING: readonly ImportField[] = ["snapshotDate", "quantity", "avgCost"];

/**
 * The outcome of a purchase or sale, which says how many. A reinvestment's money may have a line of its own, and its shares
 * another one.
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
