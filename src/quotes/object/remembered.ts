/** What the object of a key remembers: its budget, who looks, what was searched for, and what was not found. */
import { dayOf } from "../../contract/day.ts";
import { MAX_LIVE_STOCKS } from "../../contract/stocks/stock.ts";
import type { UnlinkedFrom } from "../../db/prices/instruments.ts";
import type { ListedMatch, RefusalReason } from "../sources/quote-source.ts";
import type { BudgetKeeper } from "./ask-source.ts";
import { type Budget, FRESH_BUDGET } from "./budget.ts";
import type { ClosesPace } from "./fetch-history.ts";
import type { LinkedBefore } from "./link-stocks.ts";
import { type Share, targetsName } from "./shares.ts";

type Kv = DurableObjectStorage["kv"];

/** What the key has used. */
export const keptBudget = (kv: Kv): BudgetKeeper => ({
  // One of an earlier release has not all parts.
  read: () => ({ ...FRESH_BUDGET, ...kv.get<Budget>("budget") }),
  write: (budget) => kv.put("budget", budget),
});

/** Whether the account whose key it was is deleted. */
export const isDeleted = (kv: Kv): boolean => kv.get("deleted") !== undefined;

/** Deletes everything but that, which the object's alarm takes away at that time, in epoch ms. */
export const deleteUntil = async (storage: DurableObjectStorage, untilMs: number): Promise<void> => {
  await storage.deleteAll();
  storage.kv.put("deleted", untilMs);
  await storage.setAlarm(untilMs);
};

/** Returns a function that says, whenever it is called, whether the key is still the present one. */
export const isStill = (kv: Kv): (() => boolean) => {
  const { nth } = keptBudget(kv).read();
  return () => !isDeleted(kv) && keptBudget(kv).read().nth === nth;
};

/** How long prices are kept up after the last look at a list, in ms. */
const WATCHED_MS = 30 * 60_000;

const WATCHERS = "watchers";

/** Somebody looks at their list. */
export const watch = (kv: Kv, owner: string, nowMs: number): void => {
  kv.put(WATCHERS, { ...Object.fromEntries(watching(kv, nowMs)), [owner]: nowMs });
};

const watching = (kv: Kv, nowMs: number): [string, number][] =>
  Object.entries(kv.get<Record<string, number>>(WATCHERS) ?? {}).filter(([, atMs]) => nowMs - atMs < WATCHED_MS);

/**
 * Who has looked lately; whoever has used least of the key today comes first, as the credits of a minute may not be enough for all.
 * Forgets the others.
 */
export const watchersOf = (kv: Kv, nowMs: number): string[] => {
  const watchers = watching(kv, nowMs).map(([owner]) => [owner, shareOf(kv, owner).used(nowMs)] as const);
  if (watchers.length === 0) kv.delete(WATCHERS);
  return watchers.sort(([, one], [, other]) => one - other).map(([owner]) => owner);
};

/** Shortest time between two refreshes that a person or the agent asks for, in ms. */
const REFRESH_PAUSE_MS = 60_000;

const REFRESHED = "refreshed ";

/** Whether this owner may ask for a refresh now. One that they may counts; its request may come again, as after the object went away. */
export const takeRefresh = (kv: Kv, owner: string, requestId: string, nowMs: number): boolean => {
  const last = kv.get<Refresh | number>(REFRESHED + owner);
  // An earlier release has kept the time alone.
  const { atMs, by } = typeof last === "object" ? last : { atMs: last ?? 0, by: undefined };
  if (by === requestId) return true;
  if (nowMs - atMs < REFRESH_PAUSE_MS) return false;
  kv.put(REFRESHED + owner, { atMs: nowMs, by: requestId } satisfies Refresh);
  return true;
};

type Refresh = { readonly atMs: number; readonly by: string };

const USED = "used ";

const USED_DAY = "used-day";

/** What this owner, or a part of this name, has used today (UTC, as the budget counts). Read once: a round asks for it often. */
export const shareOf = (kv: Kv, owner: string): Share => {
  let known = { day: kv.get<string>(USED_DAY), credits: kv.get<number>(USED + owner) ?? 0 };
  return {
    used: (nowMs) => (known.day === dayOf(nowMs) ? known.credits : 0),
    add: (credits, nowMs) => {
      const day = dayOf(nowMs);
      if (kv.get<string>(USED_DAY) !== day) forgetAll(kv, USED);
      known = { day, credits: (kv.get<number>(USED + owner) ?? 0) + credits };
      kv.put(USED_DAY, day);
      kv.put(USED + owner, known.credits);
    },
  };
};

/** Forgets one of those whose key it is. */
export const forgetOwner = (kv: Kv, owner: string): void => {
  kv.delete(REFRESHED + owner);
  kv.delete(USED + owner);
  kv.delete(USED + targetsName(owner));
  kv.delete(UNLINKED + owner);
  const { [owner]: _, ...others } = kv.get<Record<string, number>>(WATCHERS) ?? {};
  kv.put(WATCHERS, others);
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

const CLOSES = "closes ";

/** When a listing's closes were last answered. */
export const closesPace = (kv: Kv): ClosesPace => ({
  isDue: (instrumentId) => Date.now() - (kv.get<number>(CLOSES + instrumentId) ?? 0) >= CLOSES_PAUSE_MS,
  take: (instrumentId) => kv.put(CLOSES + instrumentId, Date.now()),
});

const NOT_FOUND = "not-found";

/** Most names that were not found, those of a whole list; then the oldest are searched again. */
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

const forgetAll = (kv: Kv, first: string): void => {
  for (const [key] of [...kv.list({ prefix: first })]) kv.delete(key);
};

/** Forgets what another key found, and did not find, and who used it. */
const forgetFindings = (kv: Kv): void => {
  forgetAll(kv, USED);
  forgetAll(kv, prefix);
  forgetAll(kv, CLOSES);
  forgetAll(kv, UNLINKED);
  kv.delete(NOT_FOUND);
};

/** Starts over for another key, or for none: what was used, refused or found belonged to the last one. */
export const startOver = (kv: Kv): void => {
  const budget = keptBudget(kv);
  budget.write({ ...FRESH_BUDGET, nth: budget.read().nth + 1 });
  forgetFindings(kv);
};

const FINGERPRINT = "key";

/**
 * Starts over if this is not the key of the last call: nobody tells the object of a key that the deployment has another one. A key that an
 * earlier release was refused with is tried once, since that has not kept which one it was.
 */
export const noteKey = (kv: Kv, fingerprint: string): void => {
  const known = kv.get<string>(FINGERPRINT);
  if (known === fingerprint) return;
  const budget = keptBudget(kv);
  const { lastError } = budget.read();
  if (known !== undefined) startOver(kv);
  else if (lastError === "auth") budget.write({ ...budget.read(), pausedUntilMs: 0, failures: 0, lastError: null });
  kv.put(FINGERPRINT, fingerprint);
};
