/** When a schedule is due next. Pure: what it needs of time zones is in `Intl`. */
import { DAY_MS } from "../day.ts";
import { type CronFields, parseCron } from "./cron.ts";
import { instantOf, wallMs } from "./zone-time.ts";

/** When something is due: `cron` as in `parseCron`, or once at a local time, `YYYY-MM-DDTHH:MM`. `timeZone` is a named one. */
export type Timing =
  | { readonly cron: string; readonly timeZone: string }
  | { readonly once: string; readonly timeZone: string };

const MINUTE_MS = 60_000;

/** Days looked at: a 29th of February that must be a given weekday comes every 28 years, or after 40 years where 2100 is between. */
const MAX_DAYS = 41 * 366;

/**
 * The first time after `afterMs` at which it is due, in epoch ms; undefined when there is none. A minute that the clock skips is
 * due at the next one there is, and a minute that it shows twice is due once, the first time. An invalid time has no next occurrence.
 */
export const nextOccurrence = (timing: Timing, afterMs: number): number | undefined => {
  if ("once" in timing) {
    const wall = parseLocalTime(timing.once);
    const instant = wall === undefined ? undefined : instantOf(timing.timeZone, wall);
    return instant !== undefined && instant > afterMs ? instant : undefined;
  }
  const fields = parseCron(timing.cron);
  return fields && nextOfCron(fields, timing.timeZone, afterMs);
};

const nextOfCron = (fields: CronFields, timeZone: string, afterMs: number): number | undefined => {
  const wallNow = wallMs(timeZone, afterMs);
  // The day before as well: its last minutes may be skipped, and be due in this day's first.
  const firstDay = Math.floor(wallNow / DAY_MS) * DAY_MS - DAY_MS;
  for (let day = firstDay; day < firstDay + MAX_DAYS * DAY_MS; day += DAY_MS) {
    if (!isOn(fields, day)) continue;
    const next = nextOfDay(fields.minutesOfDay, day, timeZone, afterMs);
    if (next !== undefined) return next;
  }
  return undefined;
};

const isOn = ({ isOnDay }: CronFields, day: number): boolean => {
  const date = new Date(day);
  return isOnDay({ month: date.getUTCMonth() + 1, dayOfMonth: date.getUTCDate(), dayOfWeek: date.getUTCDay() });
};

/** The first due instant of a day after `afterMs`. A binary search, because later minutes are never due earlier. */
const nextOfDay = (minutes: readonly number[], day: number, timeZone: string, afterMs: number): number | undefined => {
  let [low, high] = [0, minutes.length];
  const instantAt = (nth: number): number => instantOf(timeZone, day + (minutes[nth] ?? 0) * MINUTE_MS);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (instantAt(middle) > afterMs) high = middle;
    else low = middle + 1;
  }
  return low < minutes.length ? instantAt(low) : undefined;
};

const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;

/** Parses a local time into the form that `wallMs` gives; undefined for what is not one, such as the 30th of February. */
export const parseLocalTime = (text: string): number | undefined => {
  const ms = LOCAL_TIME.test(text) ? Date.parse(`${text}:00.000Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? ms : undefined;
};
