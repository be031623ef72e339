/** The simple choices of when, as the times of a schedule. */

/** What a schedule can be chosen to be: a cron field of days of the week, or `once`, or an expression of its own. */
export type WhenKind = "*" | "1-5" | "1" | "2" | "3" | "4" | "5" | "6" | "0" | "once" | "cron";

/** `time` is `HH:MM`, `date` `YYYY-MM-DD`; what the kind does not need is kept for when it is chosen again. */
export type When = { readonly kind: WhenKind; readonly time: string; readonly date: string; readonly cron: string };

/** The choices with their names, the most common first. */
export const WHEN_CHOICES: readonly (readonly [WhenKind, string])[] = [
  ["*", "Every day"],
  ["1-5", "Every weekday"],
  ["1", "Every Monday"],
  ["2", "Every Tuesday"],
  ["3", "Every Wednesday"],
  ["4", "Every Thursday"],
  ["5", "Every Friday"],
  ["6", "Every Saturday"],
  ["0", "Every Sunday"],
  ["once", "Once"],
  ["cron", "By a cron expression"],
];

/** Undefined while something is missing. */
export const timingOf = ({
  kind,
  time,
  date,
  cron,
}: When): { readonly cron: string } | { readonly once: string } | undefined => {
  if (kind === "cron") return { cron };
  const [, hour, minute] = /^(\d\d):(\d\d)$/.exec(time) ?? [];
  if (hour === undefined || minute === undefined) return undefined;
  if (kind !== "once") return { cron: `${Number(minute)} ${Number(hour)} * * ${kind}` };
  return date === "" ? undefined : { once: `${date}T${time}` };
};
