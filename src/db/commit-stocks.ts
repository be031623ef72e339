/**
 * Commits a write to stocks: rows, events and the answer under its key, all or nothing. `batch()` is the only transaction D1 has,
 * and only an error rolls it back, not a statement that changes no row; so every way to lose a race must cause an error.
 */
import { getTableColumns, type Table } from "drizzle-orm";
import type { OwnerEmail } from "../contract/ids.ts";
import { MAX_LIVE_STOCKS } from "../contract/stocks/stock.ts";
import { bytesOf, countChanges } from "./day-changes.ts";
import type { Db } from "./db.ts";
import { answerStatements, type FiledAnswer, isFiledFirst } from "./idempotency.ts";
import { type StockEventRow, type StockRow, stockEvents, stocks } from "./stock-tables.ts";

/** Most rows in one parameter. */
const ROWS_A_PARAMETER = 50;

/** Most UTF-16 code units in one parameter with several rows: at most 1.8 MB in UTF-8. D1's limit for a value is 2 MB. */
const MAX_PARAMETER_LENGTH = 600_000;

/** Names of a table's columns, as its migration spells them. */
const columnNames = (table: Table): string[] => Object.values(getTableColumns(table)).map(({ name }) => name);

/** A row as the driver would bind it, by column name. */
const encodeRow = (table: Table, row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([property, column]) => {
      const value = row[property];
      return [column.name, value === null ? null : column.mapToDriverValue(value)];
    }),
  );

/** Encoded rows as JSON arrays for `json_each`, each small enough for one parameter: folding can make a text 18 times as long. */
const asParameters = (rows: readonly Readonly<Record<string, unknown>>[], most = ROWS_A_PARAMETER): string[] => {
  const starts = rows.map((_, place) => place).filter((place) => place % most === 0);
  return starts.flatMap((start) => {
    const some = rows.slice(start, start + most);
    const json = JSON.stringify(some);
    return json.length <= MAX_PARAMETER_LENGTH || most === 1 ? json : asParameters(some, Math.ceil(most / 2));
  });
};

/** A write, prepared from what was read a moment ago. */
export type StockMutation = {
  readonly ownerEmail: OwnerEmail;
  /** Stamped on every row below, and new for every attempt. */
  readonly mutationId: string;
  readonly nowMs: number;
  readonly inserts: readonly StockRow[];
  /** The new rows, each replacing the version that was read. */
  readonly updates: readonly { readonly row: StockRow; readonly fromVersion: number }[];
  /** At least one for each row above. */
  readonly events: readonly StockEventRow[];
  /** Whether the owner has more live stocks afterwards, so that the limit must be checked. */
  readonly addsLive: boolean;
  /** Whether it is refused when the owner's changes of the day have stored too much. It is counted in any case. */
  readonly isDayLimited: boolean;
  readonly answer: FiledAnswer | undefined;
};

/** What came of a write. `overtaken`: another write came first, so read again; nothing was changed. */
type CommitResult = "committed" | "overtaken";

/** Commits a write, or nothing of it. Rejects when the owner's changes of the day would store more than they may (`isOverDay`). */
export const commitStocks = async (db: Db, mutation: StockMutation): Promise<CommitResult> => {
  const { ownerEmail, mutationId, nowMs, answer } = mutation;
  const inserts = mutation.inserts.map((row) => encodeRow(stocks, row));
  const updates = mutation.updates.map(({ row, fromVersion }) => ({ ...encodeRow(stocks, row), fromVersion }));
  const events = mutation.events.map((row) => encodeRow(stockEvents, row));
  const isUndo = mutation.events.some(({ undoesRunId }) => undoesRunId !== null) ? 1 : 0;
  const bytes = bytesOf(mutation.events, answer);
  const liveLimit = mutation.addsLive ? MAX_LIVE_STOCKS : null;
  const statements = [
    ...(answer ? answerStatements(db, answer.key, answer.response, nowMs) : []),
    // Before the large statements, so that a refusal costs little: all people share the database.
    ...(bytes > 0 ? [countChanges(db, ownerEmail, nowMs, { bytes, isLimited: mutation.isDayLimited })] : []),
    ...asParameters(inserts).map((rows) => db.$client.prepare(INSERT_STOCKS).bind(rows)),
    ...asParameters(updates).map((rows) => db.$client.prepare(UPDATE_STOCKS).bind(rows, ownerEmail, isUndo)),
    ...asParameters(events).map((rows) =>
      db.$client.prepare(INSERT_EVENTS).bind(rows, ownerEmail, mutationId, liveLimit),
    ),
  ];
  if (statements.length === 0) return "committed";
  try {
    await db.$client.batch(statements);
    return "committed";
  } catch (error) {
    if (isLostRace(error)) return "overtaken";
    throw error;
  }
};

const list = (table: typeof stocks | typeof stockEvents, write: (column: string) => string): string =>
  columnNames(table).map(write).join(", ");

const INSERT_STOCKS = `
  INSERT INTO stocks (${list(stocks, (column) => `"${column}"`)})
  SELECT ${list(stocks, (column) => `value->>'${column}'`)} FROM json_each(?1)`;

/** Columns that a change does not take from its row: the id (see below), and what was told of targets, which has rules of its own. */
const KEPT_COLUMNS = new Set([stocks.id.name, stocks.alertMarks.name, stocks.lastAlert.name]);

/** Whether a stock comes back from the trash because it was added again: then it counts as a new one, without its marks. */
const IS_ANEW = `stocks.deleted_at IS NOT NULL AND next.value->>'deleted_at' IS NULL
    AND next.value->>'alert_marks' IS NULL AND next.value->>'last_alert' IS NULL`;

/**
 * Whether a change is the answer to the split that waits, or takes such an answer back: an answer makes the split's day the stock's
 * `split_day`. The undo of a run is neither: the run may also have set targets.
 */
const IS_SPLIT_ANSWER = `NOT ?3 AND (next.value->>'split_day' = stocks.pending_split->>'day'
    OR stocks.split_day = next.value->>'pending_split'->>'day')`;

/** Whether a change scales a target that was told. */
const scalesTold = (side: "low" | "high"): string =>
  `${IS_SPLIT_ANSWER} AND stocks.alert_marks->>'$.${side}.target' = stocks.target_${side} AND next.value->>'target_${side}' IS NOT NULL`;

/** What becomes of a side's mark, as paths and values of `json_replace`, which skips a path that does not exist. */
const markAfter = (side: "low" | "high"): string =>
  `iif(${scalesTold(side)}, '$.${side}.target', '$.none'), next.value->>'target_${side}',
   iif(stocks.target_${side} IS next.value->>'target_${side}' OR (${scalesTold(side)}), '$.none', '$.${side}.isArmed'), json('true')`;

/**
 * The marks of what was told of targets, after a change. If the stock was added again, or has another listing or currency, its targets are
 * new ones even with the same amounts, so both sides are armed and what was told is of no target; the counts of notices go on. A target that a split scales, or scales back,
 * stays the same one. Setting or removing a target arms its side, so a former target that is set again is a new one (decision 0121).
 */
const ALERT_MARKS = `CASE
    WHEN (${IS_ANEW}) OR (stocks.symbol, stocks.exchange, stocks.currency) IS NOT
      (next.value->>'symbol', next.value->>'exchange', next.value->>'currency')
    THEN json_replace(stocks.alert_marks, '$.low.isArmed', json('true'), '$.high.isArmed', json('true'), '$.low.target', '', '$.high.target', '')
    ELSE json_replace(stocks.alert_marks, ${markAfter("low")}, ${markAfter("high")}) END`;

/**
 * The `+` makes SQLite find each stock by its id; with the owner's index it would read their whole list again for every stock.
 * The id is not set: if it were, SQLite would search the whole events table for it, twice for each row.
 */
const UPDATE_STOCKS = `
  UPDATE stocks SET ${columnNames(stocks)
    .filter((column) => !KEPT_COLUMNS.has(column))
    .map((column) => `"${column}" = next.value->>'${column}'`)
    .join(", ")}, alert_marks = ${ALERT_MARKS}, last_alert = CASE WHEN ${IS_ANEW} THEN NULL ELSE stocks.last_alert END
  FROM json_each(?1) AS next
  WHERE stocks.id = next.value->>'id' AND +stocks.owner_email = ?2 AND stocks.version = next.value->>'fromVersion'`;

/**
 * The guard: an event finds its stock only if this write has just stamped it and the limit is kept. Otherwise its stock id is
 * NULL, which the column refuses, and the whole batch fails.
 */
const INSERT_EVENTS = `
  INSERT INTO stock_events (${list(stockEvents, (column) => `"${column}"`)})
  SELECT ${list(stockEvents, (column) => (column === "stock_id" ? "stamped.id" : `event.value->>'${column}'`))}
  FROM json_each(?1) AS event
  LEFT JOIN stocks AS stamped
    ON stamped.id = event.value->>'stock_id' AND stamped.owner_email = ?2 AND stamped.mutation_id = ?3
    AND (?4 IS NULL OR (SELECT count(*) FROM stocks WHERE owner_email = ?2 AND deleted_at IS NULL) <= ?4)`;

/**
 * Whether another write came first: it took the symbol or the key (UNIQUE) or the last room for answers, or it changed a row or reached the
 * limit (the guard).
 */
const isLostRace = (error: unknown): boolean =>
  isFiledFirst(error) ||
  (error instanceof Error &&
    /UNIQUE constraint failed|NOT NULL constraint failed: stock_events\.stock_id/.test(error.message));
