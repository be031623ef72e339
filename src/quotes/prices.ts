/** What an action can ask of prices, on behalf of one caller. Listing stocks waits for none of it. */
import { AppError } from "../contract/app-error.ts";
import type { Caller } from "../contract/ids.ts";
import { log } from "../contract/log.ts";
import { hoursMarket } from "../contract/prices/hours-market.ts";
import type { Instrument } from "../contract/prices/price-fields.ts";
import { within } from "../contract/within.ts";
import { openDb } from "../db/db.ts";
import { listingId, saveListings } from "../db/prices/instruments.ts";
import type { Env } from "../env.ts";
import { reach } from "../objects/reach.ts";
import { arePricesOff, deploymentKey, findAccess, licenceOf, scopeOf } from "./find-access.ts";
import { fetchRates } from "./fx/refresh-rates.ts";
import type { RefreshResult } from "./object/quotes-rpc.ts";
import { dayAt } from "./rules/market-clock.ts";
import { marketOf } from "./rules/markets.ts";
import type { ListedMatch, RefusalReason } from "./sources/quote-source.ts";

/** A listing, as the stock that is to be linked names it. */
type NamedListing = {
  readonly symbol: string;
  readonly exchange: string | null;
  readonly currency: string;
  readonly name: string;
};

/** A link from a stock to its listing, which `save` makes if it is not there yet; splits count from `day` on. */
type ListingLink = {
  readonly instrumentId: string;
  readonly instrument: Instrument;
  readonly day: string;
  save(): Promise<void>;
};

/** Prices on behalf of one caller. */
export type Prices = {
  /** Fetches exchange rates in the background, because a list needed some and none are stored. */
  wantRates(): void;
  /** Fetches the prices that are due, in the background. `hasKey`: the caller has a key of their own. */
  wake(hasKey: boolean): void;
  /** There is something new to fetch a price for, so the next `wake` need not keep its pause. */
  expectWake(): void;
  /** Fetches the prices of targets in the background, and goes on doing so while nobody looks. */
  watchTargets(): void;
  /** Searches the source; without one there are no matches. `source` is its name. */
  search(q: string): Promise<{ matches: ListedMatch[]; source: string } | { refused: RefusalReason } | undefined>;
  /** Asks for the prices of these stocks now, or of all; undefined without a source. Repeating the same request asks only once. */
  refresh(stockIds: readonly string[] | null, requestId: string): Promise<RefreshResult | "too_soon" | undefined>;
  /** The link to a listing; undefined without a source, or when the source has no such market. */
  link(listing: NamedListing): Promise<ListingLink | undefined>;
  /** Fetches the closes of a listing that has none, and waits for them, but not for long. Never rejects. */
  fetchHistory(instrumentId: string): Promise<void>;
};

/** How long a stock waits for its closes, in ms: without them it is shown all the same. */
const HISTORY_LIMIT_MS = 10_000;

/** Shortest time between two wakes of an owner's object by an isolate, in ms. */
const WAKE_PAUSE_MS = 30_000;

const woken = new Map<string, number>();

/** Most owners that are remembered; beyond it all are forgotten. */
const MAX_WOKEN = 1_000;

/** Opens the prices of a caller. `background` keeps the invocation alive until the work is done. */
export const openPrices = (
  env: Env,
  { ownerEmail }: Caller,
  nowMs: () => number,
  background: (work: Promise<unknown>) => void,
): Prices => {
  const db = openDb(env.DB);
  const object = async () => env.QUOTES.getByName(await scopeOf(env, ownerEmail));
  const isOff = arePricesOff(env);
  const watchTargets = async (): Promise<void> => {
    if ((await findAccess(env, db, ownerEmail)) === undefined) return;
    await reach(async () => await (await object()).watchTargets(ownerEmail));
  };
  return {
    wantRates: () => background(fetchRates(env, db, nowMs()).catch(logFailure)),
    wake: (hasKey) => {
      const hasSource = licenceOf(env) === "display" ? deploymentKey(env) !== undefined : hasKey;
      if (isOff || !hasSource || nowMs() - (woken.get(ownerEmail) ?? 0) < WAKE_PAUSE_MS) return;
      if (woken.size >= MAX_WOKEN) woken.clear();
      woken.set(ownerEmail, nowMs());
      background(reach(async () => await (await object()).wake(ownerEmail)).catch(logFailure));
    },
    expectWake: () => void woken.delete(ownerEmail),
    watchTargets: () => background(watchTargets().catch(logFailure)),
    search: async (q) => {
      const access = await findAccess(env, db, ownerEmail);
      if (access === undefined) return undefined;
      const found = await reach(async () => await (await object()).search(ownerEmail, q)).catch(asDown);
      return "refused" in found ? found : { ...found, source: access.source.id };
    },
    refresh: async (stockIds, requestId) => {
      if ((await findAccess(env, db, ownerEmail)) === undefined) return undefined;
      return await reach(async () => await (await object()).refresh(ownerEmail, stockIds, requestId));
    },
    link: async ({ symbol, exchange, currency, name }) => {
      const access = await findAccess(env, db, ownerEmail);
      const mic = exchange === null ? null : marketOf(exchange);
      const listed = access?.source.symbolOf(symbol, mic);
      if (access === undefined || listed === undefined) return undefined;
      const { scope, source } = access;
      const listing = { scope, source: source.id, symbol: listed, mic, currency, name };
      const id = await listingId(listing);
      const instrument = { source: source.id, symbol: listed, exchange: mic, name };
      const save = async (): Promise<void> => {
        await saveListings(db, [{ ...listing, id }]);
        woken.delete(ownerEmail);
      };
      return { instrumentId: id, instrument, day: dayAt(hoursMarket(listing), nowMs()), save };
    },
    fetchHistory: async (instrumentId) => {
      const fetched = () => reach(async () => await (await object()).history(ownerEmail, instrumentId));
      await within(HISTORY_LIMIT_MS, fetched).catch(logFailure);
    },
  };
};

/** An object that cannot be reached counts as a source that is down: the person's own stocks are found all the same. */
const asDown = (error: unknown): { readonly refused: RefusalReason } => {
  if (error instanceof AppError) return { refused: "down" };
  throw error;
};

const logFailure = (error: unknown): void => log.error("Prices could not be refreshed.", { error });
