/** How old a price is, in words: a price is never shown without them. English, as all words of the app. */
import type { Stock } from "../../contract/stocks/stock.ts";
import { calendarDays } from "./calendar-days.ts";

const MINUTES_AN_HOUR = 60;
const HOURS_A_DAY = 24;
const MINUTE_MS = 60_000;

/** Up to this age in days a weekday says which day is meant. */
const WEEK_DAYS = 6;

/** From two such months on, months are counted. */
const AVERAGE_MONTH_DAYS = 30.44;

/** Closing times of all markets are on their own day in UTC too, so the day is right wherever one looks from. */
const DAYS = new Intl.DateTimeFormat("en-GB", { weekday: "short", timeZone: "UTC" });

/** `20 Nov`. */
export const DATES = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** `1 day`, `3 days`, `5 months`, by the person's calendar. */
const daysSince = (iso: string, nowMs: number): string => {
  const days = Math.max(1, calendarDays(iso, nowMs));
  const months = Math.floor(days / AVERAGE_MONTH_DAYS);
  if (months > 1) return `${months} months`;
  return days === 1 ? "1 day" : `${days} days`;
};

/** `just now`, `15 min ago`, `2 h ago`, `3 days ago`. A time in the future, from a clock that is wrong, counts as now. */
export const ageWords = (iso: string, nowMs: number): string => {
  const minutes = Math.floor((nowMs - Date.parse(iso)) / MINUTE_MS);
  if (minutes < 1) return "just now";
  if (minutes < MINUTES_AN_HOUR) return `${minutes} min ago`;
  const hours = Math.floor(minutes / MINUTES_AN_HOUR);
  return `${hours < HOURS_A_DAY ? `${hours} h` : daysSince(iso, nowMs)} ago`;
};

/** Where a price comes from that no price source gave. */
const HANDS: Readonly<Record<string, string>> = { manual: "by hand", import: "imported" };

/**
 * `15 min ago`, `close, Fri`, `3 days old`, `by hand, 2 h ago`. Without a price it is empty, or `held` or `split?` while the first price
 * is held back. `isShort` leaves out where it comes from.
 */
export const priceWords = (
  { lastPriceAt, lastPriceSource, priceState, pendingSplit }: Stock,
  nowMs: number,
  isShort: boolean,
): string => {
  const held = pendingSplit ? "split?" : "held";
  if (lastPriceAt === null) return priceState === "pending" ? held : "";
  const age = ageWords(lastPriceAt, nowMs);
  if (priceState === "pending") return `${age}, ${held}`;
  if (priceState === "stale") return `${daysSince(lastPriceAt, nowMs)} old`;
  if (priceState === "close")
    return `close, ${(calendarDays(lastPriceAt, nowMs) > WEEK_DAYS ? DATES : DAYS).format(Date.parse(lastPriceAt))}`;
  if (priceState !== "manual" || isShort || lastPriceSource === null) return age;
  return `${HANDS[lastPriceSource] ?? lastPriceSource}, ${age}`;
};
