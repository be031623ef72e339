/** Groups chats by when something last happened in them, as people think of it. */
import { calendarDays } from "../../format/calendar-days.ts";
import { WORDS_LOCALE } from "../../format/format-number.ts";

/** Chats from 2 to this many days old form one group. Older ones are grouped by month. */
const LAST_WEEK_DAYS = 7;

const MONTH = new Intl.DateTimeFormat(WORDS_LOCALE, { month: "long" });

const MONTH_AND_YEAR = new Intl.DateTimeFormat(WORDS_LOCALE, { month: "long", year: "numeric" });

/** `Today`, `Yesterday`, `Previous 7 days`, then months, with the year if it is not this one. */
export const dayGroup = (iso: string, now: Date): string => {
  const at = new Date(iso);
  const days = calendarDays(iso, now.getTime());
  // A server's clock may be ahead.
  if (days <= 0) return "Today";
  if (days === 1) return "Yesterday";
  if (days <= LAST_WEEK_DAYS) return "Previous 7 days";
  return (at.getFullYear() === now.getFullYear() ? MONTH : MONTH_AND_YEAR).format(at);
};

/** The items in their order, under the names of their groups. */
export const groupByDay = <Item extends { readonly updatedAt: string }>(
  items: readonly Item[],
  now: Date,
): readonly (readonly [name: string, items: readonly Item[]])[] => [
  ...Map.groupBy(items, ({ updatedAt }) => dayGroup(updatedAt, now)),
];
