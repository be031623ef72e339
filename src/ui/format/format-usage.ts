/** Formats what model calls use: costs, often fractions of a cent, durations and tokens. */
import { formatDecimal } from "./format-number.ts";

/** Smaller amounts show as `<$0.0001`. */
const LEAST_USD = "0.0001";

const DOLLARS = { style: "currency", currency: "USD", minimumFractionDigits: 2 } as const;

/** Whole cents or two significant digits, whichever is more precise. */
const SHORT = {
  ...DOLLARS,
  maximumFractionDigits: 2,
  minimumSignificantDigits: 2,
  maximumSignificantDigits: 2,
  roundingPriority: "morePrecision",
} as const;

/** For amounts below a tenth of a cent. */
const TINY = { ...DOLLARS, maximumFractionDigits: 4 } as const;

/** `$12.35`, `$0.48`, `$0.0042`, `<$0.0001`: US dollars from an exact decimal string. */
export const formatCost = (costUsd: string, locale: string): string => {
  // The float only picks the format: the string is what is formatted.
  const about = Number(costUsd);
  if (about > 0 && about < Number(LEAST_USD)) return `<${formatDecimal(LEAST_USD, locale, TINY)}`;
  return formatDecimal(costUsd, locale, about < 0.001 ? TINY : SHORT);
};

/** `$0.00419273645`: all digits. */
export const formatExactCost = (costUsd: string, locale: string): string => formatDecimal(costUsd, locale, DOLLARS);

/** `0.4 s`, `12 s`, `2 min 5 s`, `1 h 3 min`. */
export const formatDuration = (durationMs: number): string => {
  const seconds = durationMs / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

/** `310`, `2.1K`, `152K`, as the locale shortens them. */
export const formatTokens = (count: number): string => SHORT_COUNT.format(count);

const SHORT_COUNT = new Intl.NumberFormat(undefined, {
  notation: "compact",
  maximumFractionDigits: 1,
  maximumSignificantDigits: 3,
  roundingPriority: "lessPrecision",
});
