/**
 * Tables of stocks. A row is the record as answers show it, and a few columns more: amounts are canonical decimal TEXT,
 * times ISO 8601 TEXT in UTC, so that reading converts nothing. The checks mirror the contract, so that a bug in a rule
 * above them cannot leave a bad row.
 */
import { type SQL, sql } from "drizzle-orm";
import { type AnySQLiteColumn, check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { StockEventAction } from "../contract/get-stock.ts";
import type { OwnerEmail, RunId, StockId } from "../contract/ids.ts";
import { AssetType, StockStatus, TargetState, UpdatedVia } from "../contract/stock.ts";

/** Whether a column holds one of a few words, or null. */
const isOneOf = (column: AnySQLiteColumn, words: readonly string[]): SQL =>
  sql`${column} IN (${sql.raw(words.map((word) => `'${word}'`).join(", "))})`;

/** Whether a column's length in code points is within bounds, or null. */
const hasLength = (column: AnySQLiteColumn, min: number, max: number): SQL =>
  sql`length(${column}) BETWEEN ${sql.raw(`${min} AND ${max}`)}`;

/** Whether columns hold amounts of 0 or more, or null. */
const areAmounts = (...columns: AnySQLiteColumn[]): SQL =>
  sql.join(
    columns.map((column) => sql`coalesce(${column}, '0') NOT GLOB '*[^0-9.]*'`),
    sql` AND `,
  );

/** Whether columns hold ISO 8601 times in UTC with milliseconds, or null. */
const areTimes = (...columns: AnySQLiteColumn[]): SQL =>
  sql.join(
    columns.map((column) => sql`(${column} IS NULL OR ${column} GLOB '[0-9][0-9][0-9][0-9]-??-??T??:??:??.???Z')`),
    sql` AND `,
  );

/** One row per stock, live or in the trash. */
export const stocks = sqliteTable(
  "stocks",
  {
    id: text("id").$type<StockId>().primaryKey(),
    ownerEmail: text("owner_email").$type<OwnerEmail>().notNull(),
    symbol: text("symbol").notNull(),
    name: text("name").notNull(),
    exchange: text("exchange"),
    isin: text("isin"),
    assetType: text("asset_type").$type<AssetType>().notNull(),
    currency: text("currency").notNull(),
    quantity: text("quantity"),
    avgCost: text("avg_cost"),
    watched: integer("watched", { mode: "boolean" }).notNull(),
    targetLow: text("target_low"),
    targetHigh: text("target_high"),
    lastPrice: text("last_price"),
    lastPriceAt: text("last_price_at"),
    lastPriceSource: text("last_price_source"),
    sector: text("sector"),
    tags: text("tags", { mode: "json" }).$type<string[]>().notNull(),
    notes: text("notes"),
    /** The figures: they depend on this row alone, so they are computed when it is written. */
    status: text("status").$type<StockStatus>().notNull(),
    marketValue: text("market_value"),
    costBasis: text("cost_basis"),
    gain: text("gain"),
    gainPct: text("gain_pct"),
    targetState: text("target_state").$type<TargetState>(),
    distanceToTargetPct: text("distance_to_target_pct"),
    /** What search looks in, folded; `instr` and never LIKE, whose patterns end at 50 bytes in D1. */
    searchText: text("search_text").notNull(),
    /** The name as it is sorted: folded. */
    nameKey: text("name_key").notNull(),
    /** The tags as they are compared: lower case. */
    tagKeys: text("tag_keys", { mode: "json" }).$type<string[]>().notNull(),
    version: integer("version").notNull(),
    updatedVia: text("updated_via").$type<UpdatedVia>().notNull(),
    /** Fresh for every write, so that the rest of its batch can tell whether this row was written by it. */
    mutationId: text("mutation_id").notNull(),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    /** Set while the stock is in the trash. */
    deletedAt: text("deleted_at"),
  },
  (table) => [
    uniqueIndex("stocks_live_symbol")
      // Without an exchange rows would all be distinct, as nulls are. CASE: drizzle-kit cuts an expression at a comma.
      .on(table.ownerEmail, table.symbol, sql`CASE WHEN "exchange" IS NULL THEN '' ELSE "exchange" END`)
      .where(sql`${table.deletedAt} IS NULL`),
    index("stocks_by_symbol").on(table.ownerEmail, table.symbol, table.id),
    index("stocks_trash").on(table.deletedAt).where(sql`${table.deletedAt} IS NOT NULL`),
    index("stocks_by_change").on(table.ownerEmail, table.deletedAt, table.updatedAt, table.id),
    check("stocks_symbol", hasLength(table.symbol, 1, 32)),
    check("stocks_name", hasLength(table.name, 1, 120)),
    check("stocks_exchange", hasLength(table.exchange, 4, 4)),
    check("stocks_isin", hasLength(table.isin, 12, 12)),
    check("stocks_asset_type", isOneOf(table.assetType, AssetType.options)),
    check("stocks_currency", hasLength(table.currency, 3, 3)),
    check(
      "stocks_amounts",
      areAmounts(table.quantity, table.avgCost, table.targetLow, table.targetHigh, table.lastPrice),
    ),
    check("stocks_avg_cost", sql`${table.avgCost} IS NULL OR coalesce(CAST(${table.quantity} AS REAL), 0) > 0`),
    check(
      "stocks_targets",
      sql`coalesce(CAST(${table.targetLow} AS REAL) > 0, 1) AND coalesce(CAST(${table.targetHigh} AS REAL) > 0, 1) AND coalesce(CAST(${table.targetLow} AS REAL) <= CAST(${table.targetHigh} AS REAL), 1)`,
    ),
    check(
      "stocks_last_price",
      sql`(${table.lastPrice} IS NULL) = (${table.lastPriceAt} IS NULL) AND (${table.lastPrice} IS NULL) = (${table.lastPriceSource} IS NULL)`,
    ),
    check("stocks_times", areTimes(table.lastPriceAt, table.createdAt, table.updatedAt, table.deletedAt)),
    check("stocks_sector", hasLength(table.sector, 1, 60)),
    check(
      "stocks_tags",
      sql`json_valid(${table.tags}) AND json_valid(${table.tagKeys}) AND json_array_length(${table.tags}) <= 20`,
    ),
    check("stocks_notes", hasLength(table.notes, 1, 4_000)),
    check("stocks_watched", sql`${table.watched} IN (0, 1)`),
    check("stocks_status", isOneOf(table.status, StockStatus.options)),
    check("stocks_target_state", isOneOf(table.targetState, TargetState.options)),
    check("stocks_version", sql`${table.version} >= 1`),
    check("stocks_updated_via", isOneOf(table.updatedVia, UpdatedVia.options)),
  ],
);

/** A stock as it is stored. */
export type StockRow = typeof stocks.$inferSelect;

/** The history of stocks: who changed which fields, when, and in which run. Goes when its stock is purged. */
export const stockEvents = sqliteTable(
  "stock_events",
  {
    id: text("id").primaryKey(),
    ownerEmail: text("owner_email").$type<OwnerEmail>().notNull(),
    stockId: text("stock_id")
      .$type<StockId>()
      .notNull()
      .references(() => stocks.id, { onDelete: "cascade" }),
    /** The stock's version after the change; the guard against a stale one reads the history by it. */
    version: integer("version").notNull(),
    action: text("action").$type<StockEventAction>().notNull(),
    via: text("via").$type<UpdatedVia>().notNull(),
    runId: text("run_id").$type<RunId>(),
    /** The changed fields as they were; null for a new stock. */
    before: text("before", { mode: "json" }).$type<Record<string, unknown>>(),
    after: text("after", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    at: text("at").notNull(),
  },
  (table) => [
    uniqueIndex("stock_events_version").on(table.ownerEmail, table.stockId, table.version),
    // What is looked for when a stock goes: without it, everybody's history would be read.
    index("stock_events_stock").on(table.stockId),
  ],
);

/** One change as it is stored. */
export type StockEventRow = typeof stockEvents.$inferSelect;

/** What each person's screen shows, as it said last. */
export const navigation = sqliteTable("navigation", {
  ownerEmail: text("owner_email").$type<OwnerEmail>().primaryKey(),
  /** JSON of a `Navigation`. */
  state: text("state").notNull(),
  updatedAt: text("updated_at").notNull(),
});
