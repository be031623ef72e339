import { WORDS_LOCALE } from "./format-number.ts";

const DAY = new Intl.DateTimeFormat(WORDS_LOCALE, { dateStyle: "medium", timeZone: "UTC" });

/** `Nov 20, 2026`, of an ISO day: days of a market have no time zone. */
export const writeDay = (day: string): string => DAY.format(new Date(day));
