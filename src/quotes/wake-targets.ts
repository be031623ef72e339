/**
 * Wakes the objects that have targets to watch, each once an hour. Their own alarms do the work: this is for a target that came about while
 * nobody looked at their list, by an undo or before a crash, and for an alarm that was lost.
 */
import { log } from "../contract/log.ts";
import { openDb } from "../db/db.ts";
import { scopesWithTargets } from "../db/prices/target-listings.ts";
import type { Env } from "../env.ts";
import { reach } from "../objects/reach.ts";
import { arePricesOff } from "./find-access.ts";

const MINUTE_MS = 60_000;

/** Minutes in which all scopes have their turn: by their first two hexadecimal digits. */
const MINUTES = 60;
const BUCKETS = 256;

/** Objects woken at the same time. */
const BATCH_SIZE = 20;

/** Where the scopes of a minute of the hour begin, as two hexadecimal digits. They end where the next minute's begin. */
const sliceOf = (minute: number): string => {
  const bucket = Math.ceil((minute * BUCKETS) / MINUTES);
  // Sorts after every hexadecimal digit.
  return bucket >= BUCKETS ? "g" : bucket.toString(16).padStart(2, "0");
};

/** To be called each minute. One object that cannot be reached does not hold up the others. */
export const wakeForTargets = async (env: Env, nowMs: number): Promise<void> => {
  if (arePricesOff(env)) return;
  const minute = Math.floor(nowMs / MINUTE_MS) % MINUTES;
  const scopes = await scopesWithTargets(openDb(env.DB), sliceOf(minute), sliceOf(minute + 1));
  for (let start = 0; start < scopes.length; start += BATCH_SIZE) {
    const woken = scopes.slice(start, start + BATCH_SIZE).map(async ({ scope, owner }) => {
      await reach(async () => await env.QUOTES.getByName(scope).watchTargets(owner));
    });
    for (const result of await Promise.allSettled(woken)) {
      if (result.status === "rejected") log.warn("Targets could not be watched.", { error: result.reason });
    }
  }
};
