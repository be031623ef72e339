/** Rounds of requests: for those who look at their list, and for targets that somebody is to be told of. */
import { hoursMarket } from "../../contract/prices/hours-market.ts";
import type { Db } from "../../db/db.ts";
import type { ListingRow } from "../../db/prices/instruments.ts";
import type { TargetListing } from "../../db/prices/target-listings.ts";
import { clockAt } from "../rules/market-clock.ts";
import { type Asker, leftOfDay, leftToOthers } from "./ask-source.ts";
import { creditsNow, nextCreditsAt, nextDay } from "./credits.ts";
import { AGAIN_MS, closesBehind, creditsFor, dueAt, dueListings, lookersPace, nextBatch, type Pace } from "./due.ts";
import { catchUpCloses } from "./fetch-history.ts";
import { type Outcome, refreshBatch } from "./refresh-batch.ts";
import { leftToTargets, payersOf } from "./shares.ts";
import { type Credits, keptForCloses, keptForTargets, nextNewsAt, SHORT, targetsPace } from "./target-pace.ts";

/** Over how many ms the objects spread their requests: a market opens for all of them at once. */
const SPREAD_MS = 5 * 60_000;

/** What the key has left, as a pace needs it. */
const creditsOf = (asker: Asker): Credits => {
  const { key, limit } = asker;
  const { creditsADay, tradingPauseMs } = key.source;
  return { leftOfDay: leftOfDay(asker), creditsADay: limit?.creditsADay ?? creditsADay, tradingPauseMs };
};

/** How many credits of the day a listing leaves to others. */
type KeptOf = (listing: ListingRow) => number;

/** How many credits of the day a listing may take now. With a shared key, each credit used has to be left to others as well. */
const usableNow = (asker: Asker, keptOf: KeptOf): ((listing: ListingRow) => number) => {
  const left = leftOfDay(asker);
  const most = asker.usedByAsker === undefined ? left : Math.ceil((left - leftToOthers(asker)) / 2);
  return (one) => Math.min(left - keptOf(one), most);
};

/** Asks for the listings' prices, batch after batch, until all are asked for or the credits are used up. */
export const refreshAll = async (
  asker: Asker,
  db: Db,
  listings: readonly ListingRow[],
  keptOf: KeptOf,
): Promise<Outcome[]> => {
  const { source } = asker.key;
  const outcomes: Outcome[] = [];
  let left = [...listings];
  for (;;) {
    const usable = usableNow(asker, keptOf);
    const credits = creditsNow(asker.budget.read(), source, asker.nowMs());
    const askable = left.filter((one) => creditsFor(one, source) <= usable(one));
    const next = nextBatch(askable, source, credits);
    // A batch, with its searches and looks for splits, leaves as much as any of its listings has to. If that is too much for the first one,
    // it is asked for alone, and leaves only what it has to itself.
    const payable = nextBatch(next, source, Math.min(credits, ...next.map(usable)));
    const batch = payable.length > 0 ? payable : next.slice(0, 1);
    if (batch.length === 0) return outcomes;
    const keptForOthers = Math.max(...batch.map(keptOf));
    outcomes.push(...(await refreshBatch({ ...asker, keptForOthers }, db, batch)));
    left = left.filter((one) => !batch.includes(one));
  }
};

/**
 * Credits to leave unused: listings that are no targets leave enough for today's targets, and every listing leaves other people their
 * share.
 */
export const keptFor = (asker: Asker, targets: readonly TargetListing[]): KeptOf => {
  const { keptForOthers: kept } = leavingToTargets(asker, targets);
  const ids = new Set(targets.map(({ id }) => id));
  return ({ id }) => Math.max(ids.has(id) ? 0 : kept, leftToOthers(asker));
};

/** The same asker, for requests that must not use the credits that targets will need. */
export const leavingToTargets = (
  asker: Asker,
  targets: readonly TargetListing[],
): Asker & { readonly keptForOthers: number } => {
  const { targetsLimit, nowMs } = asker;
  const wanted = keptForTargets(targets, creditsOf(asker), nowMs());
  const usable = targetsLimit === undefined ? wanted : leftToTargets(targets, targetsLimit, nowMs());
  return { ...asker, keptForOthers: Math.min(wanted, usable) };
};

const isOutOfCredits = (result: Outcome["result"]): boolean =>
  typeof result === "object" && result.refused === "budget";

/**
 * Asks for the listings that are due, and returns when the next one is due, as epoch ms. `paceNow` is called before and afterwards, because
 * credits are used in between.
 */
const roundOf = async (
  asker: Asker,
  db: Db,
  listings: readonly ListingRow[],
  paceNow: () => (listing: ListingRow) => Pace,
  keptOf: KeptOf,
): Promise<number> => {
  const startedMs = asker.nowMs();
  const due = dueListings(listings, clockAt(startedMs), startedMs, paceNow());
  const outcomes = await refreshAll(asker, db, due, keptOf);
  // What was refused because credits had run out is due again as soon as there are some.
  const asked = new Map(outcomes.flatMap(({ id, result }) => (isOutOfCredits(result) ? [] : [[id, result] as const])));
  const nowMs = asker.nowMs();
  const clock = clockAt(nowMs);
  const paceOf = paceNow();
  const usable = usableNow(asker, keptOf);
  const left = due.filter(({ id }) => !asked.has(id));
  const isDue = new Set(due);
  const dues = listings
    .filter((one) => asked.has(one.id) || !isDue.has(one))
    // The database now says when those that were asked for are due: the next round reads it.
    .map((one) => {
      const result = asked.get(one.id);
      if (result === undefined) return dueAt(one, clock, paceOf(one));
      return nowMs + (result === "held" ? AGAIN_MS : paceOf(one).pauseMs);
    });
  if (left.length > 0) {
    const isToday = left.some((one) => creditsFor(one, asker.key.source) <= usable(one));
    dues.push(isToday ? nextCreditsAt(asker.budget.read(), asker.key.source, nowMs) : nextDay(nowMs));
  }
  return dues.reduce((soonest, one) => Math.min(soonest, one), Number.POSITIVE_INFINITY);
};

/** The listings of whoever looks at their list, and the key's targets. */
type Looked = {
  readonly listings: readonly ListingRow[];
  readonly targets: readonly TargetListing[];
};

/**
 * A round for somebody who looks: prices, and closes for small lines. It leaves the credits that targets will need today. Returns when
 * the next price is due.
 */
export const roundForLooker = async (asker: Asker, db: Db, { listings, targets }: Looked): Promise<number> => {
  const { tradingPauseMs, creditsADay } = asker.key.source;
  const keptOf = keptFor(asker, targets);
  const isShort = (kept: number): boolean => creditsOf(asker).leftOfDay < creditsADay * SHORT + kept;
  const paceNow = () => {
    const paces = new Map([...new Set(listings.map(keptOf))].map((kept) => [kept, isShort(kept)] as const));
    return (one: ListingRow) => lookersPace(tradingPauseMs, paces.get(keptOf(one)) ?? true);
  };
  const nextMs = await roundOf(asker, db, listings, paceNow, keptOf);
  const behind = closesBehind(listings, clockAt(asker.nowMs()));
  const others = leavingToTargets(asker, targets);
  if (!isShort(others.keptForOthers)) await catchUpCloses(others, db, behind);
  return nextMs;
};

/**
 * A round for targets, whether or not somebody looks. With a shared key it is a round for each owner, within their limit. Returns when
 * the next price is due, or a market has something new.
 */
export const roundForTargets = async (asker: Asker, db: Db, targets: readonly TargetListing[]): Promise<number> => {
  if (asker.targetsLimit === undefined) return await roundWithin(asker, db, targets);
  let nextMs = Number.POSITIVE_INFINITY;
  for (const payer of payersOf(targets, asker.targetsLimit, asker.nowMs())) {
    nextMs = Math.min(nextMs, await roundWithin({ ...asker, limit: payer.limit }, db, payer.targets));
  }
  return nextMs;
};

const roundWithin = async (asker: Asker, db: Db, targets: readonly ListingRow[]): Promise<number> => {
  if (targets.length === 0) return Number.POSITIVE_INFINITY;
  const paceNow = () => {
    const pace = targetsPace(targets, creditsOf(asker), asker.nowMs());
    return () => pace;
  };
  const kept = keptForCloses(targets, creditsOf(asker));
  const keptOf: KeptOf = (one) => (clockAt(asker.nowMs())(hoursMarket(one)).isTrading ? kept : 0);
  const nextMs = await roundOf(asker, db, targets, paceNow, keptOf);
  return Math.min(
    nextMs,
    nextNewsAt(targets, asker.nowMs()) + (Number.parseInt(asker.key.scope.slice(0, 6), 16) % SPREAD_MS),
  );
};
