import { DAY_MS } from "../../contract/day.ts";

/** A time in the first hour of the person's own day. */
const early = (at: string | number): number => new Date(at).setHours(0);

/** How many midnights of the person are between two times. Rounded, since days have 23 to 25 hours. */
export const calendarDays = (from: string | number, to: number): number =>
  Math.round((early(to) - early(from)) / DAY_MS);
