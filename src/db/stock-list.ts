/**
 * A page of stocks, with the count and the terms of the totals over the whole filter, in one round trip. Its rows are mapped in
 * `list/listed-stock` and not by drizzle, whose mapping of a hundred rows takes longer than D1's answer. When the first page holds
 * everything, as it usually does, count and terms are computed from it: D1 then neither computes nor sends them.
 */
import { type SQL, sql } from "drizzle-orm";
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core";
import { searchWords } from "../contract/fold-text.ts";
import type { OwnerEmail } from "../contract/ids.ts";
import { MAJOR_OF_HUNDREDTH } from "../contract/stocks/major-currency.ts";
import { MAX_LIVE_STOCKS } from "../contract/stocks/stock.ts";
import type { SortField, SortOrder, StockFilter } from "../contract/stocks/stock-filter.ts";
import { STOCK_SORTS, sortedField } from "../contract/stocks/stock-sorts.ts";
import { tagKey } from "../contract/stocks/stock-values.ts";
import type { Db } from "./db.ts";
import {
  figuresOf,
  type Holding,
  isHolding,
  type ListParts,
  readHoldings,
  readParts,
  type SumsResult,
  selectSums,
} from "./list/list-sums.ts";
import { type ListedStock, RECORD, readStock, type StockResult } from "./list/listed-stock.ts";
import { copyStatements, type PriceCopy } from "./prices/copy-prices.ts";
import { stocks } from "./stock-tables.ts";

/**
 * A filter of stocks as SQL: whether a row of `stocks` is the owner's and passes. Each list, however long, is one bound
 * parameter: D1 accepts at most 100.
 */
const matchesFilter = (owner: OwnerEmail, filter: StockFilter): SQL => {
  const words = searchWords(filter.q ?? "");
  const tags = filter.tags ?? [];
  const conditions = [
    sql`owner_email = ${owner}`,
    filter.deleted === true ? sql`deleted_at IS NOT NULL` : sql`deleted_at IS NULL`,
    filter.status && sql`status = ${filter.status}`,
    filter.currency && sql`currency = ${filter.currency}`,
    filter.watched === undefined ? undefined : sql`watched = ${filter.watched ? 1 : 0}`,
    filter.targetHit === undefined ? undefined : sql`${IS_TARGET_HIT} = ${filter.targetHit ? 1 : 0}`,
    tags.length === 0 ? undefined : everyElement(tags.map(tagKey), HAS_WANTED_TAG),
    words.length === 0 ? undefined : everyElement(words, sql`instr(search_text, wanted.value) > 0`),
  ].filter((condition) => condition !== undefined);
  return sql.join(conditions, sql` AND `);
};

const IS_TARGET_HIT = sql`(coalesce(target_state, '') IN ('below_low', 'above_high'))`;

const HAS_WANTED_TAG = sql`EXISTS (SELECT 1 FROM json_each(tag_keys) AS tag WHERE tag.value = wanted.value)`;

/** Whether a condition on `wanted.value` holds for all elements of a list. */
const everyElement = (list: readonly string[], condition: SQL): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM json_each(${JSON.stringify(list)}) AS wanted WHERE NOT ${condition})`;

/** Where a page starts: after the row with this sort key and id. */
export type PagePosition = {
  readonly key: string | number | null;
  readonly id: string;
  /** The day of the rates by which values were compared, so that all pages compare by the same. */
  readonly ratesOn?: string | undefined;
};

type StockListQuery = {
  readonly filter: StockFilter;
  readonly sort: SortField;
  readonly order: SortOrder;
  readonly after: PagePosition | undefined;
  readonly limit: number;
};

type StockListPage = ListParts & {
  readonly stocks: ListedStock[];
  /** Where the next page starts; undefined on the last one. */
  readonly next: PagePosition | undefined;
  readonly total: number;
  readonly holdings: readonly Holding[];
};

/** Reads page, count and terms in one batch, so that they are of the same moment. `copies` are made to the stocks first. */
export const listStockPage = async (
  db: Db,
  owner: OwnerEmail,
  query: StockListQuery,
  copies: readonly PriceCopy[] = [],
): Promise<StockListPage> => {
  const matches = matchesFilter(owner, query.filter);
  const results = await db.$client.batch<StockResult | SumsResult>([
    ...copyStatements(db, owner, copies),
    prepare(db, selectPage(matches, query)),
    prepare(db, selectSums(owner, matches, query)),
  ]);
  const rows = results.flatMap((result) => result.results);
  const found = rows.filter((row) => "sortKey" in row);
  const sums = rows.find((row) => "total" in row);
  const shown = found.slice(0, query.limit);
  const last = found.length > query.limit ? shown.at(-1) : undefined;
  const isAll = query.after === undefined && last === undefined;
  const parts = readParts(sums);
  const ratesOn = query.after === undefined ? parts.rates?.day : query.after.ratesOn;
  return {
    stocks: shown.map(readStock),
    next: last && { key: last.sortKey, id: last.id, ratesOn },
    total: isAll ? shown.length : (sums?.total ?? 0),
    ...parts,
    holdings: isAll ? shown.filter(isHolding).map(figuresOf) : readHoldings(sums),
  };
};

/** Id, symbol and name of all stocks that pass a filter, in the order of the sort. */
export const listNames = async (
  db: Db,
  owner: OwnerEmail,
  query: Pick<StockListQuery, "filter" | "sort" | "order">,
): Promise<Pick<ListedStock, "id" | "symbol" | "name">[]> => {
  const whole = { ...query, after: undefined, limit: MAX_LIVE_STOCKS };
  const select = prepare(db, selectPage(matchesFilter(owner, query.filter), whole, sql`id, symbol, name`));
  return (await select.all<ListedStock>()).results;
};

/** What a sort compares. Amounts are compared as floats; equal ones are ordered by id. */
const sortKeyOf = (sort: SortField, after: PagePosition | undefined): SQL => {
  if (sort === "name") return sql`name_key`;
  if (sort === "marketValue") return valueInEuros(after);
  const column = sql.raw(stocks[sortedField(sort)].name);
  return STOCK_SORTS[sort][2] === "amount" ? sql`CAST(${column} AS REAL)` : column;
};

const MAJOR_CODE = sql.raw(
  `CASE currency ${[...MAJOR_OF_HUNDREDTH].map(([part, whole]) => `WHEN '${part}' THEN '${whole}'`).join(" ")} ELSE currency END`,
);

const HUNDREDTHS = sql.raw([...MAJOR_OF_HUNDREDTH.keys()].map((code) => `'${code}'`).join(", "));

/** Later than any day of rates. */
const ANY_DAY = "9999-12-31";

/**
 * A value in euros, so that values in several currencies can be compared: unknown where its currency has no rate. While no rates are
 * stored at all, amounts are compared as they are: most lists are in one currency.
 */
const valueInEuros = (after: PagePosition | undefined): SQL => {
  const rates = sql`(SELECT rates FROM fx WHERE day <= ${after === undefined ? ANY_DAY : (after.ratesOn ?? "")} ORDER BY day DESC LIMIT 1)`;
  return sql`(CAST(market_value AS REAL) / (CASE WHEN currency IN (${HUNDREDTHS}) THEN 100.0 ELSE 1.0 END)
    / (CASE WHEN ${MAJOR_CODE} = 'EUR' OR ${rates} IS NULL THEN 1.0 ELSE CAST(${rates}->>(${MAJOR_CODE}) AS REAL) END))`;
};

/** One row more than the page holds tells whether there is a next page. */
const selectPage = (matches: SQL, { sort, order, after, limit }: StockListQuery, columns = RECORD): SQL => {
  const key = sortKeyOf(sort, after);
  const direction = sql.raw(order === "asc" ? "ASC" : "DESC");
  const start = after === undefined ? sql`` : sql`AND ${isBehind(key, order, after)}`;
  return sql`SELECT ${columns}, ${key} AS "sortKey" FROM stocks WHERE ${matches} ${start}
    ORDER BY ${key} ${direction} NULLS LAST, id ${direction} LIMIT ${limit + 1}`;
};

/** Rows after a position. Nulls come last in both orders, so after any value the nulls follow as well. */
const isBehind = (sortKey: SQL, order: SortOrder, { key, id }: PagePosition): SQL => {
  const beyond = sql.raw(order === "asc" ? ">" : "<");
  if (key === null) return sql`(${sortKey} IS NULL AND id ${beyond} ${id})`;
  return sql`(${sortKey} ${beyond} ${key} OR (${sortKey} = ${key} AND id ${beyond} ${id}) OR ${sortKey} IS NULL)`;
};

const dialect = new SQLiteAsyncDialect();

const prepare = (db: Db, query: SQL): D1PreparedStatement => {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return db.$client.prepare(text).bind(...params);
};
