/** What a market's clock and calendar say: whether it trades, and which session ended last. Weekends are known, holidays are not. */
import { DAY_MS, dayBefore, dayOf } from "../../contract/day.ts";
import { type Hours, hoursOf } from "./markets.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

/** Local time as `2026-11-20 16:00`, which sorts as time does. */
const localTime = (zone: string, ms: number): string => {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "short" });
    formats.set(zone, format);
  }
  return format.format(ms);
};

const isWeekday = (day: string): boolean => ![0, 6].includes(new Date(day).getUTCDay());

const dayAfter = (day: string): string => dayOf(Date.parse(day) + DAY_MS);

/** A moment as a market sees it. Days are its own, `YYYY-MM-DD`. */
export type MarketMoment = {
  readonly today: string;
  /** Between opening and close of a weekday. */
  readonly isTrading: boolean;
  /** The day of the last session that has ended. */
  readonly lastTradingDay: string;
  /** The same for the last one whose close every source has. */
  readonly settledTradingDay: string;
};

/**
 * How long sources need for a session's close, in ms. In many markets an auction sets the close after trading has ended: ten minutes later
 * in Hong Kong and Sydney, five in London; and sources are 15 to 20 minutes behind.
 */
export const SETTLED_MS = 40 * 60_000;

/** The last weekday that had closed. */
export const lastTradingDayAt = ({ zone, close }: Pick<Hours, "zone" | "close">, ms: number): string => {
  const now = localTime(zone, ms);
  const today = now.slice(0, 10);
  let session = isWeekday(today) && now.slice(11) >= close ? today : dayBefore(today);
  while (!isWeekday(session)) session = dayBefore(session);
  return session;
};

const momentOf = (hours: Hours, ms: number): MarketMoment => {
  const now = localTime(hours.zone, ms);
  const today = now.slice(0, 10);
  const time = now.slice(11);
  return {
    today,
    isTrading: isWeekday(today) && time >= hours.open && time < hours.close,
    lastTradingDay: lastTradingDayAt(hours, ms),
    settledTradingDay: lastTradingDayAt(hours, ms - SETTLED_MS),
  };
};

/** The moment at one market. */
export const marketMoment = (mic: string | null, ms: number): MarketMoment => momentOf(hoursOf(mic), ms);

/** A time of a zone's day, as epoch ms. */
export const timeOfDay = (zone: string, day: string, time: string): number => {
  const wanted = `${day} ${time}`;
  const asUtc = Date.parse(`${day}T${time}:00Z`);
  // The offset at about that time; applied once more if the clocks change in between.
  const shifted = (guess: number) => guess + (asUtc - Date.parse(`${localTime(zone, guess).replace(" ", "T")}:00Z`));
  const first = shifted(asUtc);
  return localTime(zone, first) === wanted ? first : shifted(first);
};

/** Closes that were computed, by market and day: thousands of listings share a few. */
const closes = new Map<string, number>();

/** Most closes that are kept: a year of some markets. */
const MAX_CLOSES = 2_000;

/** The close of a market's day, as epoch ms. */
export const closeOfDay = (mic: string | null, day: string): number => {
  const { zone, close } = hoursOf(mic);
  const key = `${zone} ${close} ${day}`;
  const known = closes.get(key);
  if (known !== undefined) return known;
  if (closes.size >= MAX_CLOSES) closes.clear();
  const closesAtMs = timeOfDay(zone, day, close);
  closes.set(key, closesAtMs);
  return closesAtMs;
};

/** A session, as epoch ms. The session of a market without known hours opens when it closes. */
export type Session = { readonly openMs: number; readonly closeMs: number };

/** The sessions of a market that end after `fromMs` and begin before `toMs`, in their order. */
export const sessionsBetween = (mic: string | null, fromMs: number, toMs: number): Session[] => {
  const { zone, open, close } = hoursOf(mic);
  const sessions: Session[] = [];
  const last = localTime(zone, toMs).slice(0, 10);
  for (let day = localTime(zone, fromMs).slice(0, 10); day <= last; day = dayAfter(day)) {
    if (!isWeekday(day)) continue;
    const session = { openMs: timeOfDay(zone, day, open), closeMs: timeOfDay(zone, day, close) };
    if (session.closeMs > fromMs && session.openMs < toMs) sessions.push(session);
  }
  return sessions;
};

/** A time as a market's own day. */
export const dayAt = (mic: string | null, ms: number): string => localTime(hoursOf(mic).zone, ms).slice(0, 10);

/** The moment at each market, all at one time. */
export type MarketClock = (mic: string | null) => MarketMoment;

/** Computes each market once: a list has thousands of stocks and few markets. */
export const clockAt = (ms: number): MarketClock => {
  const known = new Map<Hours, MarketMoment>();
  return (mic) => {
    const hours = hoursOf(mic);
    const moment = known.get(hours) ?? momentOf(hours, ms);
    known.set(hours, moment);
    return moment;
  };
};
