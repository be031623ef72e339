/** Gains and distances in per cent. */
import { formatDecimal } from "./format-decimal.ts";
import { MISSING } from "./missing.ts";

/**
 * `+12.35%`, `−0.50%`, `0.00%`; `12.35` stands for 12.35 %. As a unit, because the percent style multiplies by 100.
 * The sign is always there, so that colour is never the only one to tell a gain from a loss.
 */
export const formatPercent = (percent: string | null, locale: string): string =>
  percent === null
    ? MISSING
    : formatDecimal(percent, locale, {
        style: "unit",
        unit: "percent",
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
        signDisplay: "exceptZero",
      });
