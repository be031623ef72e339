import { DAY_MS } from "../../contract/day.ts";
import { calendarDays } from "./calendar-days.ts";
import { MISSING } from "./format-number.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Largest first. Months and years are averages, because only the order of magnitude matters. */
const UNITS: readonly { readonly unit: Intl.RelativeTimeFormatUnit; readonly lengthMs: number }[] = [
  { unit: "year", lengthMs: 365.25 * DAY_MS },
  { unit: "month", lengthMs: 30.44 * DAY_MS },
  { unit: "week", lengthMs: 7 * DAY_MS },
  { unit: "day", lengthMs: DAY_MS },
  { unit: "hour", lengthMs: HOUR_MS },
  { unit: "minute", lengthMs: MINUTE_MS },
];

const formatters = new Map<string, Intl.RelativeTimeFormat>();

const formatterFor = (locale: string, style: Intl.RelativeTimeFormatStyle): Intl.RelativeTimeFormat => {
  const key = `${locale} ${style}`;
  const formatter = formatters.get(key) ?? new Intl.RelativeTimeFormat(locale, { numeric: "auto", style });
  formatters.set(key, formatter);
  return formatter;
};

/** `text` is for people, `iso` for the `dateTime` and `title` of a `<time>`; null when there is no time. */
export type RelativeTime = { readonly text: string; readonly iso: string | null };

/**
 * `3 days ago`, `yesterday`, `just now` for the last minute. Days are counted by the person's calendar, so that `yesterday` is the day
 * before; all else is rounded down. `narrow` is `3d ago`.
 */
export const formatRelativeTime = (
  iso: string | null,
  now: Date,
  locale: string,
  style: Intl.RelativeTimeFormatStyle = "long",
): RelativeTime => {
  const atMs = iso === null ? Number.NaN : Date.parse(iso);
  if (Number.isNaN(atMs)) return { text: MISSING, iso: null };
  const distanceMs = atMs - now.getTime();
  const step = UNITS.find(({ lengthMs }) => Math.abs(distanceMs) >= lengthMs);
  const formatter = formatterFor(locale, style);
  if (step === undefined) return { text: nowIn(locale, formatter), iso };
  const count = step.unit === "day" ? -calendarDays(atMs, now.getTime()) : Math.trunc(distanceMs / step.lengthMs);
  return { text: formatter.format(count, step.unit), iso };
};

/** For English, `Intl` gives "now", which reads as if something were happening. */
const nowIn = (locale: string, formatter: Intl.RelativeTimeFormat): string =>
  /^en\b/.test(locale) ? "just now" : formatter.format(0, "second");
