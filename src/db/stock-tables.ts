/**
 * Tables of stocks. A row is the record as answers show it, with a few more columns. Amounts are canonical decimal TEXT and times
 * ISO 8601 TEXT in UTC, so that reading converts nothing. The checks repeat the contract's rules, so that a bug in the code cannot
 * store a bad row.
 */
import { type SQL, sql } from "drizzle-orm";
import { type AnySQLiteColumn, check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { OwnerEmail, RunId, StockId } from "../contract/ids.ts";
import type { Instrument, LastAlert, Split } from "../contract/prices/price-fields.ts";
import type { StockEventAction } from "../contract/stocks/get-stock.ts";
import { StockStatus, TargetState, UpdatedVia } from "../contract/stocks/stock.ts";
import { AssetType } from "../contract/stocks/stock-values.ts";

/** Whether a column is one of these words, or null. */
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
    /** The figures. They depend on this row alone, so they are computed when it is written. */
    status: text("status").$type<StockStatus>().notNull(),
    marketValue: text("market_value"),
    costBasis: text("cost_basis"),
    gain: text("gain"),
    gainPct: text("gain_pct"),
    targetState: text("target_state").$type<TargetState>(),
    distanceToTargetPct: text("distance_to_target_pct"),
    /** The folded text that search looks in, with `instr` and never LIKE, whose patterns are limited to 50 bytes in D1. */
    searchText: text("search_text").notNull(),
    /** The name in the folded form used for sorting. */
    nameKey: text("name_key").notNull(),
    /** The tags in the form used for comparing: lower case. */
    tagKeys: text("tag_keys", { mode: "json" }).$type<string[]>().notNull(),
    version: integer("version").notNull(),
    updatedVia: text("updated_via").$type<UpdatedVia>().notNull(),
    /** New for every write, so that the rest of its batch can tell whether this write wrote the row. */
    mutationId: text("mutation_id").notNull(),
    createdAt: text("created_at").notNull(),
    updatedAt: text("updated_at").notNull(),
    /** Set while the stock is in the trash. */
    deletedAt: text("deleted_at"),
    /** Prices of a source. They change without a new version: nobody has changed the stock (decision 0103). */
    autoPrice: integer("auto_price", { mode: "boolean" }).notNull().default(true),
    instrumentId: text("instrument_id"),
    instrument: text("instrument", { mode: "json" }).$type<Instrument>(),
    dayChange: text("day_change"),
    dayChangePct: text("day_change_pct"),
    /** JSON of the `QuoteMark` that came with the last price; null for a price that was typed in. */
    quoteMark: text("quote_mark"),
    pendingSplit: text("pending_split", { mode: "json" }).$type<Split>(),
    /** The quantity includes the splits up to this day. */
    splitDay: text("split_day"),
    /** Whether the owner is told when a target is hit. */
    notify: integer("notify", { mode: "boolean" }).notNull().default(false),
    /**
     * The last target that was hit, and which ones were told, as JSON of `AlertMarks`. Telling a hit writes both (`notices/target-hits`);
     * what a change of the stock does to them is in `commit-stocks`.
     */
    lastAlert: text("last_alert", { mode: "json" }).$type<LastAlert>(),
    alertMarks: text("alert_marks"),
  },
  (table) => [
    uniqueIndex("stocks_live_symbol")
      // Null becomes '', because an index takes all nulls for distinct. CASE and not coalesce: drizzle-kit cuts an expression at a comma.
      .on(table.ownerEmail, table.symbol, sql`CASE WHEN "exchange" IS NULL THEN '' ELSE "exchange" END`)
      .where(sql`${table.deletedAt} IS NULL`),
    index("stocks_by_symbol").on(table.ownerEmail, table.symbol, table.id),
    index("stocks_linked").on(table.ownerEmail, table.instrumentId).where(sql`${table.instrumentId} IS NOT NULL`),
    index("stocks_notified").on(table.instrumentId).where(sql`${table.notify} = 1`),
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

/** The history of stocks: who changed which fields, when, and in which run. Deleted when its stock is purged. */
export const stockEvents = sqliteTable(
  "stock_events",
  {
    id: text("id").primaryKey(),
    ownerEmail: text("owner_email").$type<OwnerEmail>().notNull(),
    stockId: text("stock_id")
      .$type<StockId>()
      .notNull()
      .references(() => stocks.id, { onDelete: "cascade" }),
    /** The stock's version after the change. With it, the refusal of a stale version can say what has changed since. */
    version: integer("version").notNull(),
    action: text("action").$type<StockEventAction>().notNull(),
    via: text("via").$type<UpdatedVia>().notNull(),
    runId: text("run_id").$type<RunId>(),
    /** The run whose change this one undid; null for every other change. */
    undoesRunId: text("undoes_run_id").$type<RunId>(),
    /** The changed fields before the change; null for a new stock. */
    before: text("before", { mode: "json" }).$type<Record<string, unknown>>(),
    after: text("after", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    at: text("at").notNull(),
  },
  (table) => [
    uniqueIndex("stock_events_version").on(table.ownerEmail, table.stockId, table.version),
    // Used when a stock is deleted: without it, everybody's history would be read.
    index("stock_events_stock").on(table.stockId),
  ],
);

/** One change as it is stored. */
export type StockEventRow = typeof stockEvents.$inferSelect;

/** How much each owner's changes have stored on the last day (UTC) with any (`db/day-changes`). */
export const dayChanges = sqliteTable("day_changes", {
  ownerEmail: text("owner_email").$type<OwnerEmail>().primaryKey(),
  day: text("day").notNull(),
  bytes: integer("bytes").notNull(),
});

/** What each person's screen shows, as it last reported. */
export const navigation = sqliteTable("navigation", {
  ownerEmail: text("owner_email").$type<OwnerEmail>().primaryKey(),
  /** JSON of a `Navigation`. */
  state: text("state").notNull(),
  updatedAt: text("updated_at").notNull(),
});
