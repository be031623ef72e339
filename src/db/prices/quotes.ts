/** Writes what a batch of quotes brought: one transaction, and repeating it changes nothing. */
import { MAX_AHEAD_MS, type Split } from "../../contract/prices/price-fields.ts";
import type { Db } from "../db.ts";
import { dropCloses } from "./closes.ts";

/** A listing after its price was asked for. */
export type AskedListing = {
  readonly id: string;
  readonly askedAtMs: number;
  readonly refused: string | null;
  /** Null when no quote is stored, only that it was asked for and why it was refused. */
  readonly quote: {
    readonly price: string | null;
    readonly previousClose: string | null;
    readonly asOf: string | null;
    readonly mark: string;
    readonly pending: string | null;
  } | null;
};

/** A split that was found for a listing. */
export type FoundSplit = Split & { readonly instrumentId: string };

/**
 * Stores what was asked for, and drops the closes of listings that were split. An older answer never replaces a later price, unless the
 * later price's time is further ahead than a clock may be.
 */
export const saveQuotes = async (
  { $client: d1 }: Db,
  asked: readonly AskedListing[],
  splits: readonly FoundSplit[],
): Promise<void> => {
  const quoted = asked.flatMap(({ id, askedAtMs, quote }) => (quote === null ? [] : [{ id, askedAtMs, ...quote }]));
  await d1.batch([
    d1
      .prepare(
        `UPDATE instruments SET asked_at_ms = next.value->>'askedAtMs', refused = next.value->>'refused'
         FROM json_each(?1) AS next WHERE instruments.id = next.value->>'id'`,
      )
      .bind(JSON.stringify(asked)),
    d1
      .prepare(
        `INSERT INTO quotes (instrument_id, price, previous_close, as_of, mark, pending, fetched_at_ms)
         SELECT value->>'id', value->>'price', value->>'previousClose', value->>'asOf', value->>'mark', value->>'pending',
           value->>'askedAtMs' FROM json_each(?1)
         WHERE EXISTS (SELECT 1 FROM instruments WHERE id = value->>'id')
         ON CONFLICT (instrument_id) DO UPDATE SET price = excluded.price, previous_close = excluded.previous_close,
           as_of = excluded.as_of, mark = excluded.mark, pending = excluded.pending, fetched_at_ms = excluded.fetched_at_ms
         WHERE excluded.fetched_at_ms >= quotes.fetched_at_ms AND (coalesce(excluded.as_of, '') >= coalesce(quotes.as_of, '')
           OR quotes.as_of > strftime('%Y-%m-%dT%H:%M:%fZ', (excluded.fetched_at_ms + ${MAX_AHEAD_MS}) / 1000.0, 'unixepoch'))`,
      )
      .bind(JSON.stringify(quoted)),
    insertSplits(d1, splits),
    // Not before the splits are stored: until then, closes in old shares are all that tells of a split.
    dropCloses(d1, splits),
  ]);
};

/** A source may correct the day of a split, so one of the same ratio within a week counts as the same split. */
const insertSplits = (d1: D1Database, splits: readonly FoundSplit[]): D1PreparedStatement =>
  d1
    .prepare(
      `INSERT OR IGNORE INTO splits (instrument_id, day, numerator, denominator)
       SELECT value->>'instrumentId', value->>'day', value->>'numerator', value->>'denominator' FROM json_each(?1)
       WHERE EXISTS (SELECT 1 FROM instruments WHERE id = value->>'instrumentId') AND NOT EXISTS (
         SELECT 1 FROM splits WHERE instrument_id = value->>'instrumentId' AND abs(julianday(day) - julianday(value->>'day')) < 7
         AND numerator * 1.0 / denominator = (value->>'numerator') * 1.0 / (value->>'denominator'))`,
    )
    .bind(JSON.stringify(splits));

/** Stores splits that were found without a quote. True if one was not known yet. */
export const saveSplits = async ({ $client: d1 }: Db, splits: readonly FoundSplit[]): Promise<boolean> =>
  splits.length > 0 && (await insertSplits(d1, splits).run()).meta.changes > 0;

/** The believed price of a listing, and when it was traded. Null without one. */
export const findPrice = async (
  { $client: d1 }: Db,
  instrumentId: string,
): Promise<{ readonly price: string; readonly asOf: string } | null> =>
  await d1
    .prepare(`SELECT price, as_of AS "asOf" FROM quotes WHERE instrument_id = ? AND price IS NOT NULL`)
    .bind(instrumentId)
    .first<{ price: string; asOf: string }>();

/** All splits of these listings, by listing. */
export const findSplits = async (
  { $client: d1 }: Db,
  instrumentIds: readonly string[],
): Promise<ReadonlyMap<string, Split[]>> => {
  const { results } = await d1
    .prepare(
      `SELECT instrument_id AS "id", day, numerator, denominator FROM splits
       WHERE instrument_id IN (SELECT value FROM json_each(?)) ORDER BY day`,
    )
    .bind(JSON.stringify(instrumentIds))
    .all<Split & { readonly id: string }>();
  const byId = new Map<string, Split[]>();
  for (const { id, ...split } of results) byId.set(id, [...(byId.get(id) ?? []), split]);
  return byId;
};
