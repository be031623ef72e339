/** When a schedule is due, in words. Only for expressions that words say exactly; a card shows the expression beside them. */
import { WEEKDAYS } from "./weekdays.ts";

const NUMBER = /^\d{1,2}$/;

/** `every Monday at 08:00`; undefined for an expression that is not one of the common ones, or not valid. */
export const cronWords = (cron: string): string | undefined => {
  const [minute = "", hour = "", dayOfMonth = "", month = "", dayOfWeek = "", ...rest] = cron.trim().split(/\s+/);
  if (rest.length > 0 || month !== "*") return undefined;
  if (hour === "*" && dayOfMonth === "*" && dayOfWeek === "*") return withinTheHour(minute);
  if (!isBelow(minute, 60) || !isBelow(hour, 24)) return undefined;
  const at = `at ${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (dayOfMonth === "*") {
    const days = dayWords(dayOfWeek);
    return days && `every ${days} ${at}`;
  }
  // Not every month has a 29th.
  const isDay = dayOfWeek === "*" && isBelow(dayOfMonth, 29) && Number(dayOfMonth) > 0;
  return isDay ? `on day ${Number(dayOfMonth)} of every month ${at}` : undefined;
};

const isBelow = (field: string, limit: number): boolean => NUMBER.test(field) && Number(field) < limit;

const withinTheHour = (minute: string): string | undefined => {
  const step = /^\*\/(\d{1,2})$/.exec(minute)?.[1];
  // Steps that do not divide 60 have a shorter gap at the end of the hour.
  if (step !== undefined)
    return Number(step) > 0 && 60 % Number(step) === 0 ? `every ${Number(step)} minutes` : undefined;
  if (!isBelow(minute, 60)) return undefined;
  return Number(minute) === 0 ? "every hour" : `every hour, ${Number(minute)} minutes past`;
};

const dayWords = (field: string): string | undefined => {
  if (field === "*") return "day";
  if (field === "1-5") return "weekday";
  const days = field.split(",").map((day) => (/^[0-7]$/.test(day) ? WEEKDAYS[Number(day)] : undefined));
  if (days.includes(undefined)) return undefined;
  // Sunday is 0 and 7.
  const named = [...new Set(days)];
  return named.length === 1 ? named[0] : `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
};

/** The words for either kind of schedule; `once` is a local time, `YYYY-MM-DDTHH:MM`. */
export const timingWords = ({
  cron,
  once,
}: {
  readonly cron?: string | undefined;
  readonly once?: string | undefined;
}): string => {
  if (cron === undefined) return `once, ${once?.replace("T", " at ")}`;
  return cronWords(cron) ?? `at the times of ${cron}`;
};
