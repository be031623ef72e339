/** Keeps the exchange rates up to date: on first need, and once a day after the ECB has published. */
import { DAY_MS, dayOf } from "../../contract/day.ts";
import { log } from "../../contract/log.ts";
import type { Db } from "../../db/db.ts";
import { newestRates, saveRates } from "../../db/prices/fx.ts";
import type { Env } from "../../env.ts";
import { parseSettings } from "../../settings.ts";
import { fetchJson } from "../fetch-json.ts";
import { localTime } from "../rules/market-clock.ts";
import { ratesRequest, readRates } from "./frankfurter.ts";

/** The ECB publishes at about 16:00 in Frankfurt; a quarter of an hour later the source has it. */
const PUBLISHED_AT = "16:15";

/** How soon a day that the source did not have yet is asked for again, in ms. On the ECB's holidays it never comes. */
const LATE_PAUSE_MS = 60 * 60_000;

/** Shortest time between two requests of an isolate, in ms: an earlier one is under way or has failed. */
const PAUSE_MS = 5 * 60_000;

const inFrankfurt = (ms: number): string => localTime("Europe/Berlin", ms);

/** Whether rates should be fetched again: stored ones are of `day` and were fetched at `fetchedAtMs`. */
export const areRatesDue = (
  { day, fetchedAtMs }: { readonly day: string; readonly fetchedAtMs: number },
  nowMs: number,
): boolean => {
  // Such as `2026-11-20 16:15`, which sorts as time does.
  const now = inFrankfurt(nowMs);
  const today = now.slice(0, 10);
  const isWeekday = ![0, 6].includes(new Date(today).getUTCDay());
  const published = `${today} ${PUBLISHED_AT}`;
  if (!isWeekday || day >= today || now < published) return false;
  return inFrankfurt(fetchedAtMs) < published || nowMs - fetchedAtMs >= LATE_PAUSE_MS;
};

/** The last request to each address. */
const tries = new Map<string, { readonly atMs: number; readonly hasFailed: boolean }>();

/**
 * Fetches the newest rates and stores them; true when that worked. Not more often than every five minutes, and not at all when
 * nothing may leave the machine. Never rejects because of the source; only the first of several failures in a row is logged.
 */
export const fetchRates = async (env: Env, db: Db, nowMs: number): Promise<boolean> => {
  if (parseSettings(env).OFFLINE) return false;
  const request = ratesRequest(env.FX_BASE_URL);
  const last = tries.get(request.url);
  if (last !== undefined && Math.abs(nowMs - last.atMs) < PAUSE_MS) return false;
  tries.set(request.url, { atMs: nowMs, hasFailed: last?.hasFailed ?? false });
  const rates = await fetchJson(request)
    .then(readRates)
    // Of a day to come: newer ones would never be asked for.
    .then((read) => (read !== undefined && read.day > dayOf(nowMs + DAY_MS) ? undefined : read))
    .catch(() => undefined);
  if (rates === undefined && last?.hasFailed !== true) {
    log.warn("The exchange rates could not be fetched. The stored ones serve.");
  }
  tries.set(request.url, { atMs: nowMs, hasFailed: rates === undefined });
  if (rates === undefined) return false;
  await saveRates(db, rates, nowMs);
  return true;
};

/** For the cron: keeps up what somebody has needed once. Where nobody has, nothing is asked. */
export const refreshRates = async (env: Env, db: Db, nowMs: number): Promise<void> => {
  const newest = await newestRates(db);
  if (newest !== undefined && areRatesDue(newest, nowMs)) await fetchRates(env, db, nowMs);
};
