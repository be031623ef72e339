/** Days. Budgets count days in UTC, which are the same for everybody. */

export const DAY_MS = 24 * 60 * 60_000;

/** The day that a moment belongs to: `2026-11-22`. */
export const dayOf = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** The day before `day`, in the same calendar. */
export const dayBefore = (day: string): string => dayOf(Date.parse(day) - DAY_MS);

/** Whole seconds until the next day begins, at least 1. */
export const secondsLeftOf = (atMs: number): number => Math.ceil((DAY_MS - (atMs % DAY_MS)) / 1_000);

/** Whether a moment is in the first minute of an hour: for what the cron, which comes each minute, does once an hour. */
export const isFirstMinute = (atMs: number): boolean => atMs % 3_600_000 < 60_000;
