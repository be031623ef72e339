/** Prices of the demo. They move as prices do while their market is open. At any one time they are the same on every machine. */
import { DAY_MS } from "../../contract/day.ts";
import { closeOfDay, marketMoment } from "../../quotes/rules/market-clock.ts";
import type { DemoListing } from "./demo-listings.ts";

const MINUTE_MS = 60_000;

/** What a price is the sum of: waves of `days` days, each of which moves the price up or down by `share`. */
const WAVES: readonly (readonly [days: number, share: number])[] = [
  [1_500, 0.28],
  [400, 0.13],
  [120, 0.08],
  [30, 0.045],
  [8, 0.022],
  [2, 0.012],
  [0.5, 0.004],
  [0.02, 0.003],
];

/** A number from -1 to 1 that looks random, and is the same for the same seed and place (the mixing of MurmurHash3). */
const noiseAt = (seed: number, place: number): number => {
  let hash = (seed + Math.imul(place, 0x9e3779b1)) | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 31 - 1;
};

/** `noiseAt` between whole places: a smooth line through the numbers there. */
const waveAt = (seed: number, at: number): number => {
  const place = Math.floor(at);
  const part = at - place;
  const smooth = part * part * (3 - 2 * part);
  return noiseAt(seed, place) * (1 - smooth) + noiseAt(seed, place + 1) * smooth;
};

const seedOf = ({ symbol, mic }: DemoListing): number =>
  [...`${symbol} ${mic}`].reduce(
    (seed, letter) => Math.imul(seed ^ (letter.codePointAt(0) ?? 0), 0x01000193),
    0x811c9dc5,
  );

/** Decimals of a price: yen have none. */
const digitsOf = ({ currency, about }: DemoListing): number => (currency === "JPY" ? 0 : about < 5 ? 4 : 2);

const priceAt = (listing: DemoListing, ms: number): string => {
  const seed = seedOf(listing);
  const swing = WAVES.reduce((sum, [days, share], nth) => sum + share * waveAt(seed + nth, ms / DAY_MS / days), 0);
  return (listing.about * Math.exp(swing)).toFixed(digitsOf(listing));
};

const closeOf = (listing: DemoListing, day: string): string => priceAt(listing, closeOfDay(listing.mic, day));

const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

const isWeekday = (day: string): boolean => ![0, 6].includes(new Date(day).getUTCDay());

const tradingDayBefore = (day: string): string => {
  let before = dayAfter(day, -1);
  while (!isWeekday(before)) before = dayAfter(before, -1);
  return before;
};

/** What a listing costs. While its market is closed that is its last close. */
export const quoteAt = (listing: DemoListing, nowMs: number) => {
  const { isTrading, lastTradingDay, today } = marketMoment(listing.mic, nowMs);
  const atMs = isTrading ? Math.floor(nowMs / MINUTE_MS) * MINUTE_MS : closeOfDay(listing.mic, lastTradingDay);
  return {
    ...{ atMs, isOpen: isTrading, price: priceAt(listing, atMs), day: isTrading ? today : lastTradingDay },
    previousClose: closeOf(listing, isTrading ? lastTradingDay : tradingDayBefore(lastTradingDay)),
  };
};

/**
 * Days that closes go back: 5,000 of them, five a week, as the real source gives at once. Without a limit any page could keep this busy.
 */
const MAX_DAYS = 7_000;

/** Closes of all sessions from a day on, oldest first; only the latest 5,000. */
export const closesSince = (listing: DemoListing, fromDay: string, nowMs: number): [day: string, close: string][] => {
  const { lastTradingDay } = marketMoment(listing.mic, nowMs);
  const closes: [string, string][] = [];
  const earliest = dayAfter(lastTradingDay, 1 - MAX_DAYS);
  for (let day = fromDay < earliest ? earliest : fromDay; day <= lastTradingDay; day = dayAfter(day, 1)) {
    if (isWeekday(day)) closes.push([day, closeOf(listing, day)]);
  }
  return closes;
};
