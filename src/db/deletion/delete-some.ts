/** Deletes in pieces: D1 gives a statement 30 s, and is reset for everybody when one takes longer. */
import type { Db } from "../db.ts";

/** Most rows that one statement deletes, and how many bytes of them: beyond that it deletes no further row. */
const ROWS_AT_ONCE = 5_000;
const BYTES_AT_ONCE = 20_000_000;

/** Size of a row in bytes, as SQL: of what may be long in it. None of these reads the texts themselves. */
const SIZES = {
  idempotency_keys: "octet_length(response)",
  stock_events: "coalesce(octet_length(before), 0) + octet_length(after)",
  // Without its notes a stock has some 2,000 bytes.
  stocks: "coalesce(octet_length(notes), 0) + 2000",
  closes: "octet_length(closes.closes)",
  schedules: "octet_length(prompt)",
  notices: "500",
  // With its quote and its splits, which are deleted by the same statement.
  instruments: "10000",
} as const;

/**
 * Deletes some rows of a table. `which`: a condition in SQL with these values as its parameters, and perhaps an order. `from`: where the
 * rows are found, if that takes more than their own table.
 */
export const deleteSome = (
  { $client: d1 }: Db,
  table: keyof typeof SIZES,
  which: string,
  values: readonly (string | number)[],
  from: string = table,
): D1PreparedStatement =>
  d1
    .prepare(
      `DELETE FROM ${table} WHERE rowid IN (SELECT id FROM (
         SELECT id, sum(bytes) OVER (ROWS UNBOUNDED PRECEDING) - bytes AS earlier FROM (
           SELECT ${table}.rowid AS id, ${SIZES[table]} AS bytes FROM ${from} WHERE ${which} LIMIT ${ROWS_AT_ONCE}))
         WHERE earlier < ${BYTES_AT_ONCE})`,
    )
    .bind(...values);
