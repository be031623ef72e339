/** Local times in a named time zone, as instants. Offsets come from `Intl`, which knows the zones' rules. */
import { DAY_MS } from "../day.ts";

/** A name of the IANA database, such as `Europe/Berlin`. Not an offset, which would not follow daylight saving. */
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;

/** Longest name, in UTF-16 units. The longest name in the database has 32. */
const MAX_NAME_LENGTH = 64;

/**
 * One format for each zone, because making a format takes far longer than using it. Keyed by the name in lower case, because `Intl` takes
 * any case: there are no more formats than zones, however somebody spells them.
 */
const formats = new Map<string, Intl.DateTimeFormat>();

const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const zone = timeZone.toLowerCase();
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone, calendar: "iso8601", hourCycle: "h23" },
    ...{ year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" },
  });
  formats.set(zone, format);
  return format;
};

/** Whether this is a named time zone that is known here. */
export const isTimeZone = (name: string): boolean => {
  if (name.length > MAX_NAME_LENGTH || !NAME.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    // RangeError: no such zone.
    return false;
  }
};

/** What the clock of a zone shows at an instant, as the epoch ms at which a clock of UTC shows the same. Whole seconds. */
export const wallMs = (timeZone: string, instantMs: number): number => {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(instantMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0;
  return Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
};

const offsetMs = (timeZone: string, instantMs: number): number => {
  const whole = Math.floor(instantMs / 1_000) * 1_000;
  return wallMs(timeZone, whole) - whole;
};

/**
 * The instant at which a zone's clock shows a time. For a time that it shows twice, the first of both; for one that it skips, the instant
 * at which the clock goes on. `wall` is the time as `wallMs` gives it.
 */
export const instantOf = (timeZone: string, wall: number): number => {
  // The offsets a day before and a day after are those on either side of any change of the clock.
  const before = offsetMs(timeZone, wall - DAY_MS);
  const after = offsetMs(timeZone, wall + DAY_MS);
  const candidates = [wall - before, wall - after].sort((one, other) => one - other);
  return candidates.find((instant) => wallMs(timeZone, instant) === wall) ?? firstNotBefore(timeZone, wall, candidates);
};

/** The first instant at which the clock shows `wall` or later, between two at which it shows less and more. */
const firstNotBefore = (timeZone: string, wall: number, [low = 0, high = 0]: readonly number[]): number => {
  let [early, late] = [low - DAY_MS, high + DAY_MS];
  // Clocks change at whole seconds.
  while (late - early > 1_000) {
    const middle = early + Math.floor((late - early) / 2_000) * 1_000;
    if (wallMs(timeZone, middle) >= wall) late = middle;
    else early = middle;
  }
  return late;
};
