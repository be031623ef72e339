/** How old a price is, in words: a price is never shown without them. English, as all words of the app. */
import { DAY_MS } from "../../contract/day.ts";
import type { Stock } from "../../contract/stocks/stock.ts";

const MINUTES_AN_HOUR = 60;
const HOURS_A_DAY = 24;
const MINUTE_MS = 60_000;

/** Up to this age in days a weekday says which day is meant. */
const WEEK_DAYS = 6;

/** From this age on, in days, months are counted: the average one is 30.44 days long. */
const MANY_DAYS = 60;

const AVERAGE_MONTH_DAYS = 30.44;

/** Closing times of all markets are on their own day in UTC too, so the day is right wherever one looks from. */
const DAYS = new Intl.DateTimeFormat("en-GB", { weekday: "short", timeZone: "UTC" });

const DATES = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** `20 Nov`, of an ISO day or time. */
export const shortDate = (iso: string): string => DATES.format(new Date(iso));

/** `1 day`, `3 days`, `5 months`. */
const daysIn = (ms: number): string => {
  const days = Math.max(1, Math.floor(ms / DAY_MS));
  return days < MANY_DAYS
    ? `${days} ${days === 1 ? "day" : "days"}`
    : `${Math.floor(days / AVERAGE_MONTH_DAYS)} months`;
};

/** `just now`, `15 min ago`, `2 h ago`, `3 days ago`. A time in the future, of a clock that goes wrong, is now. */
export const ageWords = (iso: string, nowMs: number): string => {
  const ms = nowMs - Date.parse(iso);
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return "just now";
  if (minutes < MINUTES_AN_HOUR) return `${minutes} min ago`;
  const hours = Math.floor(minutes / MINUTES_AN_HOUR);
  return hours < HOURS_A_DAY ? `${hours} h ago` : `${daysIn(ms)} ago`;
};

/** Whose price it is that no price source gave. */
const HANDS: Readonly<Record<string, string>> = { manual: "by hand", import: "imported" };

/** `15 min ago`, `close, Fri`, `3 days old`, `by hand, 2 h ago`; empty without a price. `isShort` leaves out whose it is. */
export const priceWords = (
  { lastPriceAt, lastPriceSource, priceState, pendingSplit }: Stock,
  nowMs: number,
  isShort: boolean,
): string => {
  const held = priceState === "pending" ? (pendingSplit ? "split?" : "held") : undefined;
  if (lastPriceAt === null) return held ?? "";
  const ms = nowMs - Date.parse(lastPriceAt);
  const age = ageWords(lastPriceAt, nowMs);
  if (held !== undefined) return `${age}, ${held}`;
  switch (priceState) {
    case "close":
      return `close, ${ms <= WEEK_DAYS * DAY_MS ? DAYS.format(new Date(lastPriceAt)) : shortDate(lastPriceAt)}`;
    case "stale":
      return `${daysIn(ms)} old`;
    case "manual":
      return isShort || lastPriceSource === null ? age : `${HANDS[lastPriceSource] ?? lastPriceSource}, ${age}`;
    default:
      return age;
  }
};
