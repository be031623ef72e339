/** Names of the days of the week, by their number: both 0 and 7 are Sunday, as in a cron expression. */
export const WEEKDAYS = [
  "Sunday",
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday",
] as const;
