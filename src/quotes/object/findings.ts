/** What the object of a key has found: when closes were answered, what was searched for, and what was not found. */
import { MAX_LIVE_STOCKS } from "../../contract/stocks/stock.ts";
import type { UnlinkedFrom } from "../../db/prices/instruments.ts";
import type { ListedMatch, RefusalReason } from "../sources/quote-source.ts";
import type { ClosesPace } from "./ask-source.ts";
import type { LinkedBefore } from "./link-stocks.ts";

type Kv = DurableObjectStorage["kv"];

/** How long closes are not asked for again, in ms: on a holiday there are no new ones, and a source has a close hours after its session. */
const CLOSES_PAUSE_MS = 6 * 3_600_000;

const CLOSES = "closes ";

/** When a listing's closes were last answered. */
export const closesPace = (kv: Kv): ClosesPace => ({
  isDue: (instrumentId) => Date.now() - (kv.get<number>(CLOSES + instrumentId) ?? 0) >= CLOSES_PAUSE_MS,
  take: (instrumentId) => kv.put(CLOSES + instrumentId, Date.now()),
  forget: (instrumentId) => void kv.delete(CLOSES + instrumentId),
});

const NOT_FOUND = "not-found";

/** Most names that are kept as not found: those of a whole list. Beyond it, the oldest are searched for again. */
const MAX_NOT_FOUND = MAX_LIVE_STOCKS;

const UNLINKED = "unlinked ";

/** Stocks that no single listing was found for: they are not searched for again and again, and keep no others waiting. */
export const linkedBefore = (kv: Kv, owner: string): LinkedBefore => {
  const notFound = new Set(kv.get<string[]>(NOT_FOUND) ?? []);
  const from = () => kv.get<UnlinkedFrom>(UNLINKED + owner);
  return {
    isNotFound: (key) => notFound.has(key),
    addNotFound: (key) => kv.put(NOT_FOUND, [...notFound.add(key)].slice(-MAX_NOT_FOUND)),
    from,
    goOnFrom: (next) => {
      if (next !== undefined) kv.put(UNLINKED + owner, next);
      else if (from() !== undefined) kv.delete(UNLINKED + owner);
    },
  };
};

/** How long the answer of a search serves, in ms. */
const SEARCH_MS = 30 * 24 * 3_600_000;

/** Most answers that are kept; then all are forgotten. */
const MAX_SEARCHES = 300;

const prefix = "search ";

type Found = { matches: ListedMatch[] } | { refused: RefusalReason };

/** The answer of a search of the last 30 days, or a new one: each costs a credit, and people type letter by letter. */
export const cachedSearch = async (kv: Kv, q: string, nowMs: number, search: () => Promise<Found>): Promise<Found> => {
  const key = `${prefix}${q.trim().toLowerCase()}`;
  const known = kv.get<{ atMs: number; matches: ListedMatch[] }>(key);
  if (known !== undefined && nowMs - known.atMs < SEARCH_MS) return { matches: known.matches };
  const found = await search();
  if ("refused" in found) return found;
  if ([...kv.list({ prefix })].length >= MAX_SEARCHES) forgetAll(kv, prefix);
  kv.put(key, { atMs: nowMs, matches: found.matches });
  return found;
};

/** Deletes all entries whose names begin with `first`. */
export const forgetAll = (kv: Kv, first: string): void => {
  for (const [key] of [...kv.list({ prefix: first })]) kv.delete(key);
};

/** Forgets all findings, when there is another key. */
export const forgetFindings = (kv: Kv): void => {
  forgetAll(kv, prefix);
  forgetAll(kv, CLOSES);
  forgetAll(kv, UNLINKED);
  kv.delete(NOT_FOUND);
};

/** Forgets where linking continues for one owner. */
export const forgetUnlinked = (kv: Kv, owner: string): void => void kv.delete(UNLINKED + owner);
