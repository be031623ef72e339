/** Decides what undoing a run does to each stock: a pure rule over the run's events, the stocks as they are, and the list. */
import { effectOf, formerStock, type RunEvents } from "../../actions/former-stock.ts";
import { findProblems } from "../../actions/merge-values.ts";
import type { StockChange } from "../../actions/stock-change.ts";
import type { WriteMoment } from "../../actions/write-row.ts";
import type { StockId } from "../../contract/ids.ts";
import { MAX_LIVE_STOCKS } from "../../contract/stocks/stock.ts";
import type { UndoReason, UndoStock } from "../../contract/undo/undo.ts";
import type { KnownStocks, StockAuthor } from "../../db/find-stocks.ts";
import type { StockRow } from "../../db/stock-tables.ts";

/** A stock that a run changed. */
export type TouchedStock = {
  readonly id: StockId;
  /** As the run knew it; empty when that is not known. */
  readonly symbol: string;
  /** Undefined when the stock is gone, and its events with it. */
  readonly found:
    | {
        readonly row: StockRow;
        readonly events: RunEvents;
        /** The authors of every change since the run's first one, and perhaps of some before it. */
        readonly authors: readonly StockAuthor[];
      }
    | undefined;
  readonly isUndone: boolean;
  /** The id of the listing that it took its price from before. */
  readonly instrumentId: string | undefined;
};

/** What would become of a stock. `change` is there exactly when the state is `restore`. */
export type PlannedStock = UndoStock & { readonly change?: StockChange };

/** The list as far as it matters: ids of live stocks by symbol and exchange, changed by each stock that is planned. */
type Listings = { readonly live: Map<string, StockId>; liveCount: number };

/**
 * Plans stocks in the order given, which has to be the reverse of that in which the run changed them: what took a symbol last
 * gives it back first. `known` covers the listings that they had. Stocks that are not chosen stay as they are.
 */
export const planStocks = (
  moment: WriteMoment,
  stocks: readonly TouchedStock[],
  known: KnownStocks,
  isChosen: (id: StockId) => boolean,
): PlannedStock[] => {
  const live = known.rows.filter(({ deletedAt }) => deletedAt === null);
  const listings = { live: new Map(live.map((row) => [listingKey(row), row.id])), liveCount: known.liveCount };
  return stocks.flatMap((stock) => {
    const planned = planStock(moment, stock, listings);
    if (planned?.change !== undefined && isChosen(stock.id)) enter(listings, planned.change);
    return planned ?? [];
  });
};

/** Undefined when there is nothing to undo: the run itself took it back. */
const planStock = (
  moment: WriteMoment,
  { id, symbol, found, isUndone, instrumentId }: TouchedStock,
  listings: Listings,
): PlannedStock | undefined => {
  if (found === undefined) return { id, symbol, state: "gone", effect: "change_back", reason: "purged" };
  const { row, events, authors } = found;
  const effect = effectOf(events);
  if (effect === undefined) return undefined;
  const item = { id, symbol: row.symbol, effect };
  if (isUndone) return { ...item, state: "done", reason: null };
  const conflict = (reason: UndoReason): PlannedStock => ({ ...item, state: "conflict", reason });
  if (!isLastChange(row, events, authors)) return conflict("changed");
  const after = formerStock(moment, row, events, instrumentId);
  if (after === undefined) return undefined;
  if (findProblems(after) !== undefined) return conflict("changed");
  const holder = listings.live.get(listingKey(after));
  if (effect !== "remove" && holder !== undefined && holder !== id) return conflict("taken");
  if (effect === "bring_back" && listings.liveCount >= MAX_LIVE_STOCKS) return conflict("full");
  return { ...item, state: "restore", reason: null, change: { action: ACTIONS[effect], before: row, after } };
};

const ACTIONS = { remove: "delete", bring_back: "restore", change_back: "update" } as const;

/**
 * Whether no change by anybody else since the run's first one still counts. A change by a run that was undone since does not count: a run
 * is undone as a whole, while its changes are the last that count.
 */
const isLastChange = (row: StockRow, [first]: RunEvents, authors: readonly StockAuthor[]): boolean => {
  const since = authors.filter(({ version }) => version > first.version);
  const runs = new Set(since.map(({ undoesRunId }) => undoesRunId ?? first.runId));
  const isComplete = since.length === row.version - first.version;
  return isComplete && since.every(({ runId, undoesRunId }) => runs.has(undoesRunId ?? runId));
};

/** What makes a live stock unique among its owner's. A symbol contains no space. */
const listingKey = ({ symbol, exchange }: StockRow): string => `${symbol} ${exchange ?? ""}`;

const enter = (listings: Listings, { before, after }: StockChange): void => {
  const { live } = listings;
  if (before !== undefined && live.get(listingKey(before)) === before.id) live.delete(listingKey(before));
  if (after.deletedAt === null) live.set(listingKey(after), after.id);
  listings.liveCount += Number(after.deletedAt === null) - Number(before?.deletedAt === null);
};
