/** Undoes what a run did to stocks, in D1: each stock whole, and only if it still is what the run made it. */
import { formerFields, formerInstrument, type RunEvents } from "../../actions/former-stock.ts";
import { toMutation } from "../../actions/stock-change.ts";
import { startTry, type WriteMoment } from "../../actions/write-row.ts";
import { createIdSource, type OwnerEmail, type RunId, type StockId } from "../../contract/ids.ts";
import { commitStocks } from "../../db/commit-stocks.ts";
import type { Db } from "../../db/db.ts";
import { findAuthors, findKnownStocks, findRunEvents, findStocks } from "../../db/find-stocks.ts";
import { listingId } from "../../db/prices/instruments.ts";
import type { StockRow } from "../../db/stock-tables.ts";
import { type PlannedStock, planStocks, type TouchedStock } from "./plan-stocks.ts";

/** Where a run's changes are found. */
export type StockWorld = {
  readonly db: Db;
  readonly ownerEmail: OwnerEmail;
  readonly runId: RunId;
  /** When the run was started. */
  readonly sinceMs: number;
  /** The scope of the listings that the owner's prices come from. */
  readonly priceScope: () => Promise<string>;
  /** Stocks that the run's own record names, with their symbols: D1 forgets those that are purged. */
  readonly recorded: () => ReadonlyMap<StockId, string>;
  readonly nowMs: () => number;
};

/** Tries at one stock. Each lost one means that another write of the same owner came first. */
const MAX_TRIES = 8;

/** What would become of each stock that the run changed, in the order in which they are undone. */
export const previewStocks = async (world: StockWorld): Promise<PlannedStock[]> =>
  plan(world, begin(world), () => true);

/**
 * Undoes these stocks in one transaction or, if another write comes between, one after the other. A stock that cannot be undone any
 * more is left alone. Repeating it is harmless: a stock that was undone is not what the run made it any more.
 */
export const undoStocks = async (world: StockWorld, ids: readonly StockId[], tries = 1): Promise<void> => {
  const moment = begin(world);
  const planned = await plan(world, moment, (id) => ids.includes(id));
  const changes = planned.flatMap(({ id, change }) => (change !== undefined && ids.includes(id) ? [change] : []));
  if (changes.length === 0) return;
  if ((await commitStocks(world.db, toMutation(moment, changes, undefined))) === "committed") return;
  if (ids.length === 1 && tries < MAX_TRIES) await undoStocks(world, ids, tries + 1);
  else if (ids.length > 1) for (const id of ids) await undoStocks(world, [id]);
};

/** A write of the person's own, which names the run that it undoes. */
const begin = ({ ownerEmail, runId, nowMs }: StockWorld): WriteMoment => {
  const caller = { ownerEmail, orgId: null };
  return { ...startTry({ caller, via: "screen", nowMs, newId: createIdSource(nowMs) }), undoesRunId: runId };
};

const plan = async (
  world: StockWorld,
  moment: WriteMoment,
  isChosen: (id: StockId) => boolean,
): Promise<PlannedStock[]> => {
  const stocks = await findTouched(world);
  if (stocks.length === 0) return [];
  const listings = stocks.flatMap(({ found }) =>
    found === undefined ? [] : [{ ...found.row, ...formerFields(found.events) }],
  );
  const known = await findKnownStocks(world.db, world.ownerEmail, listings);
  return planStocks(moment, stocks, known, isChosen);
};

/** The stocks that the run changed, the last one first. */
const findTouched = async (world: StockWorld): Promise<TouchedStock[]> => {
  const { db, ownerEmail, runId, sinceMs } = world;
  const events = await findRunEvents(db, ownerEmail, runId, sinceMs);
  const recorded = world.recorded();
  const ids = [...new Set([...events.map(({ stockId }) => stockId), ...recorded.keys()])];
  if (ids.length === 0) return [];
  const rows = new Map((await findStocks(db, ownerEmail, ids)).map((row) => [row.id, row]));
  const authors = Map.groupBy(await findAuthors(db, ownerEmail, ids, sinceMs), ({ stockId }) => stockId);
  const byStock = Map.groupBy(events, ({ stockId }) => stockId);
  const touched = ids.flatMap((id): Draft[] => {
    const own = (byStock.get(id) ?? []).filter((event) => event.runId === runId);
    const isUndone = (byStock.get(id) ?? []).some(({ undoesRunId }) => undoesRunId === runId);
    const row = rows.get(id);
    if (row === undefined) return [{ id, symbol: recorded.get(id) ?? "", found: undefined, isUndone }];
    const [first, ...others] = own;
    if (first === undefined) return [];
    const found = { row, events: [first, ...others], authors: authors.get(id) ?? [] } as const;
    return [{ id, symbol: row.symbol, found, isUndone }];
  });
  const lastOf = ({ found }: Draft): string => found?.events.at(-1)?.id ?? "";
  const ordered = touched.sort((one, other) => (lastOf(one) < lastOf(other) ? 1 : -1));
  return await Promise.all(ordered.map((one) => withListing(world, one)));
};

type Draft = Omit<TouchedStock, "instrumentId">;

/** Adds the id of the stock's former listing, which follows from what an event says of that. */
const withListing = async ({ priceScope }: StockWorld, draft: Draft): Promise<TouchedStock> => {
  const instrument = draft.found && formerInstrument(draft.found.events);
  if (!instrument || draft.found === undefined) return { ...draft, instrumentId: undefined };
  const { source, symbol, exchange: mic } = instrument;
  const currency = currencyBefore(draft.found);
  const instrumentId = await listingId({ scope: await priceScope(), source, symbol, mic, currency });
  return { ...draft, instrumentId };
};

const currencyBefore = ({ row, events }: { readonly row: StockRow; readonly events: RunEvents }): string =>
  String(formerFields(events).currency ?? row.currency);
