/** Decides what happens to each stock to be added: a pure rule over the contents of the list and the trash. */
import type { ErrorCode } from "../contract/app-error.ts";
import type { OnConflict } from "../contract/stocks/add-stock.ts";
import { MAX_LIVE_STOCKS, MAX_TRASHED_STOCKS } from "../contract/stocks/stock.ts";
import type { StockDraft } from "../contract/stocks/stock-values.ts";
import type { KnownStocks, Listing } from "../db/find-stocks.ts";
import type { StockRow } from "../db/stock-tables.ts";
import { findProblems, freshValues, mergeValues } from "./merge-values.ts";
import { alreadyListed, LIST_IS_FULL, TRASH_IS_FULL } from "./own-stock.ts";
import { changedFields, type StockChange } from "./stock-change.ts";
import { FRESH_LINK, newStock, nextVersion, type WriteMoment } from "./write-row.ts";

/** A draft, or what is wrong with it. */
export type ReadDraft = { readonly draft: StockDraft } | { readonly error: string };

/** The plan for one draft. `stock` is the row that will be in the list, `change` how it gets there. */
export type PlannedAddition =
  | { readonly outcome: "created" | "restored" | "updated"; readonly stock: StockRow; readonly change: StockChange }
  | { readonly outcome: "updated" | "skipped"; readonly stock: StockRow }
  | { readonly outcome: "conflict" | "invalid"; readonly error: string; readonly code?: ErrorCode };

/** The stocks that an addition has to consider: those stored, as changed by the additions before it. */
type Listings = {
  readonly live: Map<string, StockRow>;
  readonly trash: Map<string, StockRow>;
  liveCount: number;
  trashCount: number;
};

/** Plans additions in order; each takes those before it into account. `known` covers the drafts' listings. */
export const planAdditions = (
  moment: WriteMoment,
  drafts: readonly ReadDraft[],
  known: KnownStocks,
  onConflict: OnConflict,
): PlannedAddition[] => {
  const listings = openListings(known);
  return drafts.map((read) => {
    if ("error" in read) return { outcome: "invalid", error: read.error };
    const planned = planAddition(moment, read.draft, listings, onConflict);
    if ("change" in planned) enterChange(listings, planned.change);
    return planned;
  });
};

const planAddition = (
  moment: WriteMoment,
  draft: StockDraft,
  listings: Listings,
  onConflict: OnConflict,
): PlannedAddition => {
  const key = listingKey(draft);
  const live = listings.live.get(key);
  const isMerge = live !== undefined && onConflict === "update";
  const values = isMerge ? mergeValues(live, withoutOldPrice(live, draft, moment), moment) : freshValues(draft, moment);
  const problems = findProblems(values);
  if (problems !== undefined) return { outcome: "invalid", error: problems };
  if (isMerge) {
    const after = nextVersion(moment, live, { values, deletedAt: null });
    if (changedFields(live, after).length === 0) return { outcome: "updated", stock: live };
    return { outcome: "updated", stock: after, change: { action: "update", before: live, after } };
  }
  if (live !== undefined && onConflict === "skip") return { outcome: "skipped", stock: live };
  if (live !== undefined) return { outcome: "conflict", error: alreadyListed(draft.symbol), code: "symbol_taken" };
  if (listings.liveCount >= MAX_LIVE_STOCKS) return { outcome: "conflict", error: LIST_IS_FULL };
  const before = listings.trash.get(key);
  if (before === undefined) {
    if (listings.trashCount >= MAX_TRASHED_STOCKS) return { outcome: "conflict", error: TRASH_IS_FULL };
    const after = newStock(moment, values);
    return { outcome: "created", stock: after, change: { action: "add", before, after } };
  }
  const after = nextVersion(moment, before, { values, link: FRESH_LINK, deletedAt: null });
  return { outcome: "restored", stock: after, change: { action: "restore", before, after } };
};

/**
 * An import does not replace a price that a source keeps up to date: the file's is older, and nobody has typed it in.
 * In another currency the stock is another listing, which has no source yet.
 */
const withoutOldPrice = (live: StockRow, draft: StockDraft, moment: WriteMoment): StockDraft => {
  if (moment.via !== "import" || !live.autoPrice || live.instrumentId === null) return draft;
  if (mergeValues(live, draft, moment).currency !== live.currency) return draft;
  const { lastPrice: _price, lastPriceAt: _at, lastPriceSource: _source, ...rest } = draft;
  return rest;
};

/** The live stock that each draft would change with `onConflict: "update"`, as stored. */
export const findListed = (drafts: readonly ReadDraft[], known: KnownStocks): (StockRow | undefined)[] => {
  const { live } = openListings(known);
  return drafts.map((read) => ("draft" in read ? live.get(listingKey(read.draft)) : undefined));
};

/** A symbol contains no space. */
const listingKey = ({ symbol, exchange }: Listing): string => `${symbol} ${exchange ?? ""}`;

const openListings = ({ rows, liveCount, trashCount }: KnownStocks): Listings => {
  const entries = (chosen: readonly StockRow[]) => new Map(chosen.map((row) => [listingKey(row), row]));
  return {
    live: entries(rows.filter(({ deletedAt }) => deletedAt === null)),
    trash: entries(rows.filter(({ deletedAt }) => deletedAt !== null)),
    liveCount,
    trashCount,
  };
};

const enterChange = (listings: Listings, { action, after }: StockChange): void => {
  const key = listingKey(after);
  listings.live.set(key, after);
  if (action !== "update") listings.liveCount += 1;
  if (action !== "restore") return;
  listings.trash.delete(key);
  listings.trashCount -= 1;
};
