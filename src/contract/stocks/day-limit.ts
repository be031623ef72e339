/** How much a person's changes may store in a day: histories and answers are kept in a database that everybody shares. */
import { AppError } from "../app-error.ts";
import { secondsLeftOf } from "../day.ts";

/**
 * The most that one person's changes may store in a day (UTC), in bytes. An import of 5,000 stocks takes 5 MB, or 25 MB if each has notes
 * of 4,000 letters, and 150,000 changes of a price take all of it, or half as many under keys. The database holds 10 GB: one person needs
 * 100 such days to fill it.
 */
export const MAX_CHANGED_BYTES_A_DAY = 100_000_000;

/** The refusal of a change that would store more than that, with the seconds until the next day. */
export const changedTooMuch = (nowMs: number): AppError =>
  new AppError(
    429,
    `Today's changes come to ${MAX_CHANGED_BYTES_A_DAY / 1e6} MB, the limit. It starts again at midnight UTC. Try again later.`,
    { "Retry-After": `${secondsLeftOf(nowMs)}` },
  );
