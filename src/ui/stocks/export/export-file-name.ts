/** Name of an exported file. */

/** `stocks-2026-11-20.csv`: the day in UTC, so that names sort by time. */
export const exportFileName = (now: Date, kind: "csv" | "json"): string =>
  `stocks-${now.toISOString().slice(0, 10)}.${kind}`;
