/** Cron expressions of five numeric fields: minute, hour, day of the month, month, day of the week. */

/** Which minutes of which days an expression names. */
export type CronFields = {
  /** Minutes of a day, 0 to 1,439, ascending: every hour combined with every minute. */
  readonly minutesOfDay: readonly number[];
  /** Whether it names a day. `dayOfWeek` counts from Sunday, 0. */
  readonly isOnDay: (day: {
    readonly month: number;
    readonly dayOfMonth: number;
    readonly dayOfWeek: number;
  }) => boolean;
};

/** Least and greatest value of each field, and what it is called. 7 is Sunday too. */
const RANGES = [
  [0, 59, "minute"],
  [0, 23, "hour"],
  [1, 31, "day of the month"],
  [1, 12, "month"],
  [0, 7, "day of the week"],
] as const;

/** Longest expression, in UTF-16 units. An expression that lists every value of every field fits. */
const MAX_LENGTH = 500;

const PART = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/;

/** `PART` with numbers of any length, so that a number that is far too large is named as out of range. */
const LONG_PART = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/\d+)?$/;

/**
 * Parses an expression; undefined when it is not one. Fields take `*`, lists with `,`, ranges with `-` and steps with `/`; `5/10` counts
 * from 5 to the end. As in Vixie cron, a day has to match the day of the month or the day of the week when both are given, and
 * a field that begins with `*` counts as not given.
 */
export const parseCron = (text: string): CronFields | undefined => {
  const fields = text.trim().split(/\s+/);
  if (text.length > MAX_LENGTH || fields.length !== RANGES.length) return undefined;
  const values = fields.map((field, nth) => valuesOf(field, RANGES[nth] ?? NO_RANGE));
  const [minutes, hours, daysOfMonth, months, daysOfWeek] = values;
  if (!minutes || !hours || !daysOfMonth || !months || !daysOfWeek) return undefined;
  const [, , dayOfMonthField = "", , dayOfWeekField = ""] = fields;
  const isEither = !dayOfMonthField.startsWith("*") && !dayOfWeekField.startsWith("*");
  return {
    minutesOfDay: inOrder(hours).flatMap((hour) => inOrder(minutes).map((minute) => hour * 60 + minute)),
    isOnDay: ({ month, dayOfMonth, dayOfWeek }) => {
      const isDayOfMonth = daysOfMonth.has(dayOfMonth);
      const isDayOfWeek = daysOfWeek.has(dayOfWeek) || (dayOfWeek === 0 && daysOfWeek.has(7));
      return months.has(month) && (isEither ? isDayOfMonth || isDayOfWeek : isDayOfMonth && isDayOfWeek);
    },
  };
};

/** For a field after the fifth. `parseCron` has already refused such an expression. */
const NO_RANGE = [0, 0, ""] as const;

type Range = (typeof RANGES)[number] | typeof NO_RANGE;

/** `use 1 to 31 for the day of the month`: the remedy for the first field whose form is right and whose numbers are out of its range. */
export const rangeRemedy = (text: string): string | undefined => {
  const fields = text.trim().split(/\s+/);
  const [min, max, name] = RANGES.find((range, nth) => isOutOfRange(fields[nth] ?? "", range)) ?? [];
  return fields.length === RANGES.length && name !== undefined ? `use ${min} to ${max} for the ${name}` : undefined;
};

const isOutOfRange = (field: string, [min, max]: Range): boolean =>
  field.split(",").some((part) => {
    const [, ...numbers] = LONG_PART.exec(part) ?? [];
    return numbers.some((text) => text !== undefined && (Number(text) < min || Number(text) > max));
  });

const inOrder = (values: ReadonlySet<number>): number[] => [...values].sort((one, other) => one - other);

const valuesOf = (field: string, [min, max]: Range): ReadonlySet<number> | undefined => {
  const values = new Set<number>();
  for (const part of field.split(",")) {
    const [match, first, last, stepText] = PART.exec(part) ?? [];
    if (match === undefined) return undefined;
    const from = first === undefined ? min : Number(first);
    const to = last === undefined ? (first === undefined || stepText !== undefined ? max : from) : Number(last);
    const step = stepText === undefined ? 1 : Number(stepText);
    if (from < min || to > max || from > to || step < 1) return undefined;
    for (let value = from; value <= to; value += step) values.add(value);
  }
  return values;
};

const MINUTES_OF_DAY = 24 * 60;

/** Least number of minutes between two times of an expression, by the clock on the wall, including across midnight. */
export const leastGapMinutes = ({ minutesOfDay }: CronFields): number => {
  const first = minutesOfDay[0] ?? 0;
  const following = [...minutesOfDay.slice(1), first + MINUTES_OF_DAY];
  return Math.min(...minutesOfDay.map((minute, nth) => (following[nth] ?? Number.POSITIVE_INFINITY) - minute));
};
