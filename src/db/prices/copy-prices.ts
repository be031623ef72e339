/** Prices that have moved since they were last copied to an owner's stocks: found while listing, and copied without a new version. */
import { type SQL, sql } from "drizzle-orm";
import * as z from "zod";
import type { OwnerEmail, StockId } from "../../contract/ids.ts";
import { parseJson } from "../../contract/parse-json.ts";
import { Split } from "../../contract/prices/price-fields.ts";
import type { Db } from "../db.ts";

const text = z.string().nullable();

/** Reads the JSON of a split. JSON that cannot be read counts as no split, so that it keeps nobody from their list, or from notices. */
export const readSplit = (json: string | null): Split | null =>
  json === null ? null : (Split.safeParse(parseJson(json)).data ?? null);

/** In the order of the statement: what figures depend on, the quote, the split that holds it, its listing, and the listing's last split. */
const Moved = z
  .tuple([
    ...([z.string(), z.int(), text, text, z.int(), text, text, text, text] as const),
    ...([text, text, text, z.string(), z.string(), text, z.string(), text, text] as const),
  ])
  .transform(([id, version, quantity, avgCost, watched, targetLow, targetHigh, lastPrice, lastPriceAt, ...quote]) => ({
    ...{ id, version, quantity, avgCost, watched: watched === 1, targetLow, targetHigh, lastPrice, lastPriceAt },
    ...{ price: quote[0], previousClose: quote[1], asOf: quote[2], mark: quote[3] },
    listing: { source: quote[4], symbol: quote[6], mic: quote[7] },
    split: readSplit(quote[5]),
    lastSplit: readSplit(quote[8]),
  }));

/** A stock whose price has moved, or whose split is new. */
export type MovedPrice = z.infer<typeof Moved>;

/** Reads what `selectMoved` gave. */
export const readMoved = (json: string): MovedPrice[] => z.array(Moved).parse(parseJson(json));

/** As text: otherwise an array of JSON would take it for an object. */
const SPLIT_JSON = "json_object('day', day, 'numerator', numerator, 'denominator', denominator) || ''";

/** The last split of a listing `i`, as JSON. */
export const LAST_SPLIT = `SELECT ${SPLIT_JSON} FROM splits WHERE splits.instrument_id = i.id ORDER BY day DESC LIMIT 1`;

/** Whether the listing of a stock `s` was split after the stock's shares were counted, and nobody has answered that yet. */
export const IS_SPLIT =
  "EXISTS (SELECT 1 FROM splits WHERE splits.instrument_id = s.instrument_id AND day > coalesce(s.split_day, ''))";

/** Ids of the owner's stocks with such a split, whether or not a list has shown it. */
export const findSplitStocks = async ({ $client: d1 }: Db, owner: OwnerEmail): Promise<ReadonlySet<string>> => {
  const select = `SELECT id FROM stocks AS s WHERE owner_email = ? AND instrument_id IS NOT NULL AND ${IS_SPLIT}`;
  return new Set((await d1.prepare(select).bind(owner).all<{ id: string }>()).results.map(({ id }) => id));
};

/** Most stocks that one list copies prices to; the next list takes the rest. D1's texts are limited to 2 MB, and a stock takes some 500 bytes. */
const MAX_MOVED = 2_000;

/**
 * The owner's moved prices as one JSON text. While a split waits for an answer, the price is held, even if a listing that came since does
 * not tell of it. A price that was typed in (it has no mark) is replaced only by a later one. A source's price is replaced by whatever is
 * stored now, which may be earlier if a clock was wrong. So a stock with a typed price takes no mark from a first price that is held.
 */
export const selectMoved = (owner: OwnerEmail): SQL => sql`
  SELECT json_group_array(json(moved)) FROM (
  SELECT json_array(s.id, s.version, s.quantity, s.avg_cost, s.watched, s.target_low, s.target_high,
    s.last_price, s.last_price_at, q.price, q.previous_close, q.as_of, q.mark, i.source, s.split,
    i.symbol, i.mic, (${sql.raw(LAST_SPLIT)})) AS moved
  FROM (
    SELECT *, (
      SELECT ${sql.raw(SPLIT_JSON)} FROM splits
      WHERE splits.instrument_id = stocks.instrument_id AND day > coalesce(split_day, '') ORDER BY day LIMIT 1
    ) AS split
    FROM stocks
    WHERE owner_email = ${owner} AND instrument_id IS NOT NULL AND deleted_at IS NULL AND auto_price = 1
  ) AS s
  JOIN instruments AS i ON i.id = s.instrument_id AND i.currency = s.currency
  JOIN quotes AS q ON q.instrument_id = i.id
  WHERE CASE WHEN s.split IS NOT NULL THEN s.pending_split IS NOT s.split WHEN s.pending_split IS NOT NULL THEN 0
    ELSE (q.price IS NOT NULL AND (q.as_of > coalesce(s.last_price_at, '') OR (q.as_of < s.last_price_at AND s.quote_mark IS NOT NULL)))
      OR (q.mark IS NOT s.quote_mark AND (s.quote_mark IS NOT NULL OR s.last_price IS NULL)) END
  LIMIT ${MAX_MOVED})`;

/** The columns that a price changes. */
type PriceColumns = {
  readonly id: string | StockId;
  /** The version that the figures were computed from: a stock that was changed since keeps its price until the next list. */
  readonly version: number;
  /** The `lastPriceAt` that is replaced: another look may have copied a later price since. */
  readonly seenAt: string | null;
  readonly lastPrice: string | null;
  readonly lastPriceAt: string | null;
  /** Null while the first price is held: the stock then keeps the price it has, and its source. */
  readonly lastPriceSource: string | null;
  readonly marketValue: string | null;
  readonly gain: string | null;
  readonly gainPct: string | null;
  readonly targetState: string | null;
  readonly distanceToTargetPct: string | null;
  readonly dayChange: string | null;
  readonly dayChangePct: string | null;
  readonly quoteMark: string | null;
};

/** A copy to one stock: a price, or the split that holds it. */
export type PriceCopy = PriceColumns | { readonly id: string; readonly version: number; readonly split: Split };

/** Stocks in one statement. */
const ROWS_A_STATEMENT = 500;

const COPY_PRICES = `
  UPDATE stocks SET last_price = next.value->>'lastPrice', last_price_at = next.value->>'lastPriceAt',
    last_price_source = coalesce(next.value->>'lastPriceSource', last_price_source), market_value = next.value->>'marketValue',
    gain = next.value->>'gain', gain_pct = next.value->>'gainPct', target_state = next.value->>'targetState',
    distance_to_target_pct = next.value->>'distanceToTargetPct', day_change = next.value->>'dayChange',
    day_change_pct = next.value->>'dayChangePct', quote_mark = next.value->>'quoteMark'
  FROM json_each(?1) AS next
  WHERE stocks.id = next.value->>'id' AND +stocks.owner_email = ?2 AND stocks.version = next.value->>'version'
    AND stocks.auto_price = 1 AND stocks.pending_split IS NULL AND stocks.last_price_at IS next.value->>'seenAt'`;

const HOLD_FOR_SPLIT = `
  UPDATE stocks SET pending_split = next.value->>'split'
  FROM json_each(?1) AS next
  WHERE stocks.id = next.value->>'id' AND +stocks.owner_email = ?2 AND stocks.version = next.value->>'version'`;

/** Statements that copy prices to the owner's stocks: no version, no event, no `updated_at` (decision 0103). */
export const copyStatements = (db: Db, owner: OwnerEmail, copies: readonly PriceCopy[]): D1PreparedStatement[] => [
  ...inParts(
    db,
    owner,
    COPY_PRICES,
    copies.filter((copy) => !("split" in copy)),
  ),
  ...inParts(
    db,
    owner,
    HOLD_FOR_SPLIT,
    copies.filter((copy) => "split" in copy),
  ),
];

const inParts = (db: Db, owner: OwnerEmail, query: string, copies: readonly PriceCopy[]): D1PreparedStatement[] =>
  copies
    .map((_, place) => place)
    .filter((place) => place % ROWS_A_STATEMENT === 0)
    .map((start) =>
      db.$client.prepare(query).bind(JSON.stringify(copies.slice(start, start + ROWS_A_STATEMENT)), owner),
    );
