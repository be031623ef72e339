/**
 * Keeps the exchange rates up to date: on first need, and once a day after the ECB has published. They are the ECB's reference rates, from
 * Frankfurter (https://frankfurter.dev), which needs no key. The demo has made-up ones, which never leave the machine.
 */
import * as z from "zod";
import { DAY_MS, dayOf } from "../../contract/day.ts";
import { log } from "../../contract/log.ts";
import type { Db } from "../../db/db.ts";
import { type EuroRates, newestRates, saveRates } from "../../db/prices/fx.ts";
import type { Env } from "../../env.ts";
import { fetchJson, readDecimal, type ServiceAnswer, type ServiceRequest, serviceUrl } from "../fetch-json.ts";
import { arePricesOff, demoUrl } from "../find-access.ts";
import { lastTradingDayAt, timeOfDay } from "../rules/market-clock.ts";

/** The ECB publishes at about 16:00 in Frankfurt; a quarter of an hour later the source has it. */
const PUBLISHED = { zone: "Europe/Berlin", close: "16:15" } as const;

/**
 * How soon the source is asked again for a day that it did not have, in ms. Later the pause is as long as the day is late, because
 * rates of a holiday of the ECB never come.
 */
const LATE_PAUSE_MS = 60 * 60_000;

/** Shortest time between two requests of an isolate, in ms: an earlier one is under way or has failed. */
const PAUSE_MS = 5 * 60_000;

/** Whether rates should be fetched again: stored ones are of `day` and were fetched at `fetchedAtMs`. */
export const areRatesDue = (
  { day, fetchedAtMs }: { readonly day: string; readonly fetchedAtMs: number },
  nowMs: number,
): boolean => {
  const wanted = lastTradingDayAt(PUBLISHED, nowMs);
  if (day >= wanted) return false;
  const lateMs = fetchedAtMs - timeOfDay(PUBLISHED.zone, wanted, PUBLISHED.close);
  return lateMs < 0 || nowMs - fetchedAtMs >= Math.max(LATE_PAUSE_MS, lateMs);
};

/** The last request to each address. */
const tries = new Map<string, { readonly atMs: number; readonly hasFailed: boolean }>();

/**
 * Fetches the newest rates and stores them; true when that worked. Does so at most every five minutes, and fetches only the demo's
 * when nothing may leave the machine. Never rejects because of the source; only the first of several failures in a row is logged.
 */
export const fetchRates = async (env: Env, db: Db, nowMs: number): Promise<boolean> => {
  if (arePricesOff(env)) return false;
  const request = ratesRequest(demoUrl(env) ?? env.FX_BASE_URL);
  const last = tries.get(request.url);
  if (last !== undefined && Math.abs(nowMs - last.atMs) < PAUSE_MS) return false;
  tries.set(request.url, { atMs: nowMs, hasFailed: last?.hasFailed ?? false });
  const rates = await fetchJson(request)
    .then(readRates)
    // Rates of a day to come are dropped: newer ones would never be asked for.
    .then((read) => (read !== undefined && read.day > dayOf(nowMs + DAY_MS) ? undefined : read))
    .catch(() => undefined);
  if (rates === undefined && last?.hasFailed !== true) {
    const isNone = (await newestRates(db)) === undefined;
    log.warn(
      `The exchange rates could not be fetched${isNone ? ", and none are stored" : ". The stored ones are used"}.`,
    );
  }
  tries.set(request.url, { atMs: nowMs, hasFailed: rates === undefined });
  if (rates === undefined) return false;
  await saveRates(db, rates, nowMs);
  return true;
};

/** For the cron: keeps the rates up to date once somebody has needed them. Before that, nothing is asked. */
export const refreshRates = async (env: Env, db: Db, nowMs: number): Promise<void> => {
  const newest = await newestRates(db);
  if (newest !== undefined && areRatesDue(newest, nowMs)) await fetchRates(env, db, nowMs);
};

const FRANKFURTER_URL = "https://api.frankfurter.dev";

/** All rates of the newest day. */
export const ratesRequest = (baseUrl: string | undefined): ServiceRequest => ({
  url: `${serviceUrl(FRANKFURTER_URL, baseUrl)}/v2/rates?base=EUR&providers=ecb`,
});

const Rate = z.object({
  date: z.iso.date(),
  base: z.literal("EUR"),
  // The base is sent with the others, at a rate of 1 (Frankfurter's CHANGELOG.md).
  quote: z.string().regex(/^(?!EUR)[A-Z]{3}$/),
  rate: z.unknown().optional().transform(readDecimal),
});

/**
 * The rates of the newest day in the answer. A rate that cannot be read, or is of an earlier day, is left out: its currency then
 * counts as missing. Undefined when nothing is left.
 */
export const readRates = ({ status, body }: ServiceAnswer): EuroRates | undefined => {
  if (status !== 200 || !Array.isArray(body)) return undefined;
  const read = body.flatMap((item: unknown) => Rate.safeParse(item).data ?? []);
  const day = read
    .map(({ date }) => date)
    .sort()
    .at(-1);
  if (day === undefined) return undefined;
  const known = read.flatMap(({ date, quote, rate }) => (date === day && rate !== undefined ? [[quote, rate]] : []));
  return known.length === 0 ? undefined : { day, rates: Object.fromEntries(known) };
};
