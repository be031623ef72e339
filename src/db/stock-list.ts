/**
 * A page of stocks, with the count and the terms of the totals over the whole filter, in one round trip. Its rows are
 * mapped here and not by drizzle, whose mapping of a hundred rows takes longer than D1's answer does. A page that holds
 * all there is, as most first ones do, has count and terms in itself: D1 then neither makes nor sends them.
 */
import { type SQL, sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import type { OwnerEmail } from "../contract/ids.ts";
import { Stock } from "../contract/stock.ts";
import type { SortField, SortOrder, StockFilter } from "../contract/stock-filter.ts";
import type { Db } from "./db.ts";
import { matchesFilter } from "./stock-filter.ts";
import { stocks } from "./stock-tables.ts";

/** Where a page starts: behind the row with this sort key and id. */
export type PagePosition = { readonly key: string | number | null; readonly id: string };

export type StockListQuery = {
  readonly filter: StockFilter;
  readonly sort: SortField;
  readonly order: SortOrder;
  readonly after: PagePosition | undefined;
  readonly limit: number;
};

/** Terms of the totals: one holding's currency, cost basis, market value and gain. */
export type HoldingFigures = readonly [
  currency: string,
  cost: string | null,
  value: string | null,
  gain: string | null,
];

export type StockListPage = {
  readonly stocks: Stock[];
  /** Where the next page starts; undefined on the last one. */
  readonly next: PagePosition | undefined;
  readonly total: number;
  readonly holdings: readonly HoldingFigures[];
};

/** Reads page, count and terms in one batch, so that they belong to one moment. */
export const listStockPage = async (db: Db, owner: OwnerEmail, query: StockListQuery): Promise<StockListPage> => {
  const matches = matchesFilter(owner, query.filter);
  const results = await db.$client.batch<StockResult | SumsResult>([
    prepare(db, selectPage(matches, query)),
    prepare(db, selectSums(matches, query)),
  ]);
  const rows = results.flatMap((result) => result.results);
  const found = rows.filter((row) => "sortKey" in row);
  const sums = rows.find((row) => "total" in row);
  const shown = found.slice(0, query.limit);
  const last = found.length > query.limit ? shown.at(-1) : undefined;
  const isAll = query.after === undefined && last === undefined;
  return {
    stocks: shown.map(readStock),
    next: last && { key: last.sortKey, id: last.id },
    total: isAll ? shown.length : (sums?.total ?? 0),
    holdings: isAll ? shown.filter(isHolding).map(figuresOf) : JSON.parse(sums?.holdings ?? "[]"),
  };
};

const isHolding = ({ status }: StockResult): boolean => status === "holding";

const figuresOf = ({ currency, costBasis, marketValue, gain }: StockResult): HoldingFigures => [
  currency,
  costBasis,
  marketValue,
  gain,
];

/** What each sort compares. Amounts compare as floats: those that are equal then are told apart by id. */
const SORT_KEYS: Readonly<Record<SortField, SQL>> = {
  symbol: sql`symbol`,
  name: sql`name_key`,
  quantity: sql`CAST(quantity AS REAL)`,
  avgCost: sql`CAST(avg_cost AS REAL)`,
  lastPrice: sql`CAST(last_price AS REAL)`,
  marketValue: sql`CAST(market_value AS REAL)`,
  gainPct: sql`CAST(gain_pct AS REAL)`,
  distanceToTarget: sql`CAST(distance_to_target_pct AS REAL)`,
  updatedAt: sql`updated_at`,
  createdAt: sql`created_at`,
};

/** A stock as the statement gives it: the record but for what SQLite has no type for. */
type StockResult = Omit<Stock, "watched" | "tags"> & {
  readonly watched: 0 | 1;
  /** JSON. */
  readonly tags: string;
  readonly sortKey: string | number | null;
};

/** Of no stocks where the first page holds all. `holdings` is JSON: thousands of small rows cost more than one text. */
type SumsResult = { readonly total: number; readonly holdings: string };

/** The record's fields, each column under its field's name. */
const RECORD = sql.raw(
  Stock.keyof()
    .options.map((field) => `${stocks[field].name} AS "${field}"`)
    .join(", "),
);

/** One row more than the page holds tells whether there is a next one. */
const selectPage = (matches: SQL, { sort, order, after, limit }: StockListQuery): SQL => {
  const key = SORT_KEYS[sort];
  const direction = sql.raw(order === "asc" ? "ASC" : "DESC");
  const start = after === undefined ? sql`` : sql`AND ${isBehind(key, order, after)}`;
  return sql`SELECT ${RECORD}, ${key} AS "sortKey" FROM stocks WHERE ${matches} ${start}
    ORDER BY ${key} ${direction} NULLS LAST, id ${direction} LIMIT ${limit + 1}`;
};

/** Rows behind a position. Nulls come last in both orders, so behind a value there are always the nulls as well. */
const isBehind = (sortKey: SQL, order: SortOrder, { key, id }: PagePosition): SQL => {
  const beyond = sql.raw(order === "asc" ? ">" : "<");
  if (key === null) return sql`(${sortKey} IS NULL AND id ${beyond} ${id})`;
  return sql`(${sortKey} ${beyond} ${key} OR (${sortKey} = ${key} AND id ${beyond} ${id}) OR ${sortKey} IS NULL)`;
};

const selectSums = (matches: SQL, { after, limit }: StockListQuery): SQL => sql`
  SELECT count(*) AS "total", json_group_array(json_array(currency, cost_basis, market_value, gain))
    FILTER (WHERE status = 'holding') AS "holdings"
  FROM ${after === undefined ? sql`${behindPage(matches, limit)} CROSS JOIN` : sql``} stocks WHERE ${matches}`;

/** One row if a first page leaves any out, else none: then nothing is joined to it, and nothing read for the sums. */
const behindPage = (matches: SQL, limit: number): SQL =>
  sql`(SELECT 1 FROM stocks WHERE ${matches} LIMIT 1 OFFSET ${limit})`;

const readStock = ({ sortKey, ...row }: StockResult): Stock => ({
  ...row,
  watched: row.watched === 1,
  tags: JSON.parse(row.tags),
});

const dialect = new SQLiteAsyncDialect();

const prepare = (db: Db, query: SQL): D1PreparedStatement => {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return db.$client.prepare(text).bind(...params);
};
