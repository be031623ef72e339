/**
 * Tells people that the price of a source has hit a target of theirs: once for each stock, side and target, and again after the price
 * was 1 % on the other side of the target (decision 0121).
 */
import { compare, multiply } from "../actions/stock-figures.ts";
import { parseJson } from "../contract/parse-json.ts";
import { hoursMarket } from "../contract/prices/hours-market.ts";
import { openDb } from "../db/db.ts";
import {
  type AlertMark,
  AlertMarks,
  findHitCandidates,
  type HitCandidate,
  type HitRecord,
  storeHits,
} from "../db/notices/target-hits.ts";
import { readSplit } from "../db/prices/copy-prices.ts";
import type { Env } from "../env.ts";
import { clockAt, dayAt, type MarketClock } from "../quotes/rules/market-clock.ts";
import { priceStateOf, readMark } from "../quotes/rules/price-state.ts";
import { isBeforeSplit } from "../quotes/rules/split-of-closes.ts";
import { targetNotice } from "./tell.ts";

/** A target that was told is armed again at its amount times this, 1 % on the other side: a price that swings around it is told once. */
const BACK_AT = { low: "1.01", high: "0.99" } as const;

/** States of a price that says what the stock is worth now. */
const TOLD_STATES: ReadonlySet<string> = new Set(["live", "delayed", "close"]);

/** Stores a notice for each target that was hit. To be called each minute, before notices are sent. */
export const tellTargetHits = async (env: Env, nowMs: number): Promise<void> => {
  const db = openDb(env.DB);
  const clock = clockAt(nowMs);
  const fresh = (await findHitCandidates(db, nowMs)).filter((candidate) => isFresh(candidate, clock, nowMs));
  await storeHits(
    db,
    fresh.flatMap((candidate) => recordOf(candidate, nowMs) ?? []),
    nowMs,
  );
};

const isFresh = (
  { mic, listed, source, price, asOf, mark, lastPrice, lastSplit }: HitCandidate,
  clock: MarketClock,
  nowMs: number,
): boolean => {
  const market = hoursMarket({ mic, symbol: listed, source });
  if (isBeforeSplit(market, { price, asOf }, readSplit(lastSplit), lastPrice)) return false;
  const stated = { lastPrice: price, lastPriceAt: asOf, mark: readMark(mark), pendingSplit: null };
  return TOLD_STATES.has(priceStateOf(stated, clock(market), nowMs, (ms) => dayAt(market, ms)));
};

/** What is to be stored; undefined when nothing has changed after all. */
const recordOf = (candidate: HitCandidate, nowMs: number): HitRecord | undefined => {
  const { id, version, ownerEmail, symbol, price, alertMarks } = candidate;
  const marks = alertMarks === null ? {} : AlertMarks.parse(parseJson(alertMarks));
  const low = markAfter("low", candidate.targetLow, marks.low, price);
  const high = markAfter("high", candidate.targetHigh, marks.high, price);
  if (low === undefined && high === undefined) return undefined;
  const next: AlertMarks = { ...marks, ...(low && { low }), ...(high && { high }) };
  // The upper target is above the lower one, so one price hits one of them.
  const side = low?.isArmed === false ? ("low" as const) : ("high" as const);
  const hit = side === "low" ? low : high;
  const told =
    hit?.isArmed === false ? { ownerEmail, stockId: id, symbol, side, target: hit.target, nth: hit.nth } : undefined;
  return {
    ...{ id, version, alertMarks, nextMarks: JSON.stringify(next) },
    lastAlert: told ? { side, at: new Date(nowMs).toISOString(), price } : null,
    notice: told ? targetNotice(told, nowMs) : null,
  };
};

/** The next mark of a side: not armed for a hit that is to be told, armed for one that may be told again. Undefined when nothing is new. */
const markAfter = (
  side: "low" | "high",
  target: string | null,
  mark: AlertMark | undefined,
  price: string,
): AlertMark | undefined => {
  if (target === null) return undefined;
  const isReached = (amount: string, from: "low" | "high") =>
    from === "low" ? compare(price, amount) <= 0 : compare(price, amount) >= 0;
  if (mark?.target === target && !mark.isArmed) {
    const isBack = isReached(multiply(target, BACK_AT[side]), side === "low" ? "high" : "low");
    return isBack ? { ...mark, isArmed: true } : undefined;
  }
  return isReached(target, side) ? { target, nth: (mark?.nth ?? 0) + 1, isArmed: false } : undefined;
};
