/**
 * How often the prices of targets are asked for while nobody looks: what the key has left of its day, spread over what is left of their
 * markets' hours until it gets new credits (decision 0154).
 */
import { DAY_MS } from "../../contract/day.ts";
import { hoursMarket } from "../../contract/prices/hours-market.ts";
import type { ListingRow } from "../../db/prices/instruments.ts";
import { SETTLED_MS, sessionsBetween } from "../rules/market-clock.ts";
import type { Pace } from "./due.ts";

/** Below this part of the day's credits each price is asked for once, after its close. */
export const SHORT = 0.2;

/** The part of the day's credits that targets may keep from those who look at their list. */
const TARGETS_SHARE = 0.4;

/** How often a price that is refused, or held for long, is asked for while nobody looks, in ms. */
const AGAIN_UNSEEN_MS = 60 * 60_000;

/** What a key has left, and what its source allows. */
export type Credits = {
  readonly leftOfDay: number;
  readonly creditsADay: number;
  readonly tradingPauseMs: number;
};

/** For how long the listings' markets trade until the next credits, at midnight UTC: the sum of all, in ms. */
const tradingMsLeft = (listings: readonly ListingRow[], nowMs: number): number => {
  const untilMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
  let sum = 0;
  for (const [market, { length }] of Map.groupBy(listings, hoursMarket)) {
    const ofMarket = sessionsBetween(market, nowMs, untilMs).map(
      ({ openMs, closeMs }) => Math.min(closeMs, untilMs) - Math.max(openMs, nowMs),
    );
    sum += length * ofMarket.reduce((all, ms) => all + ms, 0);
  }
  return sum;
};

/** The credits that are kept for closes while markets trade: one for each target, and never less than what counts as short. */
export const keptForCloses = ({ length }: readonly ListingRow[], { creditsADay }: Credits): number =>
  Math.max(Math.ceil(SHORT * creditsADay), length);

/** The pace of targets. */
export const targetsPace = (targets: readonly ListingRow[], credits: Credits, nowMs: number): Pace => {
  const { leftOfDay, tradingPauseMs } = credits;
  const affordable = leftOfDay - keptForCloses(targets, credits);
  const spreadMs = affordable <= 0 ? 0 : Math.ceil(tradingMsLeft(targets, nowMs) / affordable);
  const pauseMs = Math.max(tradingPauseMs, spreadMs);
  return { isShort: affordable <= 0, pauseMs, againMs: Math.max(pauseMs, AGAIN_UNSEEN_MS) };
};

/** The credits that are kept for targets: as many as they can use until the day ends, within their share. */
export const keptForTargets = (
  targets: readonly ListingRow[],
  { creditsADay, tradingPauseMs }: Credits,
  nowMs: number,
): number => {
  const wanted = tradingMsLeft(targets, nowMs) / tradingPauseMs + targets.length;
  return Math.min(Math.floor(creditsADay * TARGETS_SHARE), Math.ceil(wanted));
};

/** Longest time without a session that is looked through, in ms: a weekend, with the days around it. */
const LOOK_AHEAD_MS = 5 * DAY_MS;

/** When there is something new to ask for next, once closes are known: a market opens, or has another close. */
export const nextNewsAt = (listings: readonly ListingRow[], nowMs: number): number => {
  const news = [...new Set(listings.map(hoursMarket))]
    .flatMap((market) => sessionsBetween(market, nowMs - SETTLED_MS, nowMs + LOOK_AHEAD_MS))
    .flatMap(({ openMs, closeMs }) => [openMs, closeMs + SETTLED_MS]);
  return news.reduce((soonest, ms) => (ms > nowMs ? Math.min(soonest, ms) : soonest), Number.POSITIVE_INFINITY);
};
