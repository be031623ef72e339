/** What the object of a key remembers beside its budget: who looks, what was searched for, and what was not found. */
import type { ListedMatch, RefusalReason } from "../sources/quote-source.ts";
import type { SearchedBefore } from "./link-stocks.ts";

type Kv = DurableObjectStorage["kv"];

/** How long prices are kept up after the last look at a list, in ms. */
const WATCHED_MS = 30 * 60_000;

const WATCHERS = "watchers";

/** Somebody looks at their list. */
export const watch = (kv: Kv, owner: string, nowMs: number): void => {
  kv.put(WATCHERS, { ...Object.fromEntries(watching(kv, nowMs)), [owner]: nowMs });
};

const watching = (kv: Kv, nowMs: number): [string, number][] =>
  Object.entries(kv.get<Record<string, number>>(WATCHERS) ?? {}).filter(([, atMs]) => nowMs - atMs < WATCHED_MS);

/** Who has looked lately. Forgets the others. */
export const watchersOf = (kv: Kv, nowMs: number): string[] => {
  const watchers = watching(kv, nowMs);
  if (watchers.length === 0) kv.delete(WATCHERS);
  return watchers.map(([owner]) => owner);
};

const OWNER = "owner";

/** Whose key it is, for when nobody looks. */
export const keepOwner = (kv: Kv, owner: string): void => {
  if (ownerOf(kv) !== owner) kv.put(OWNER, owner);
};

/** Whose key it is; undefined before they first came, and for the deployment's. */
export const ownerOf = (kv: Kv): string | undefined => kv.get<string>(OWNER);

/** How long closes are not asked for again, in ms: on a holiday there are no new ones, and a source has them hours after the end. */
const CLOSES_PAUSE_MS = 6 * 3_600_000;

/** Whether a listing's closes may be asked for now. If so, that is remembered as done. */
export const takeClosesTurn = (kv: Kv, instrumentId: string, nowMs: number): boolean => {
  const key = `closes ${instrumentId}`;
  if (nowMs - (kv.get<number>(key) ?? 0) < CLOSES_PAUSE_MS) return false;
  kv.put(key, nowMs);
  return true;
};

const NOT_FOUND = "not-found";

/** Most names that were not found; then the oldest are searched again. */
const MAX_NOT_FOUND = 1_000;

/** Stocks without a market that no single listing was found for: they are not searched for again and again. */
export const searchedBefore = (kv: Kv): SearchedBefore => {
  const known = new Set(kv.get<string[]>(NOT_FOUND) ?? []);
  return {
    has: (key) => known.has(key),
    add: (key) => kv.put(NOT_FOUND, [...known.add(key)].slice(-MAX_NOT_FOUND)),
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
  if ([...kv.list({ prefix })].length >= MAX_SEARCHES) forgetSearches(kv);
  kv.put(key, { atMs: nowMs, matches: found.matches });
  return found;
};

/** Forgets answers, and what was not found. */
export const forgetSearches = (kv: Kv): void => {
  for (const [key] of [...kv.list({ prefix })]) kv.delete(key);
  kv.delete(NOT_FOUND);
};
