/** Choices with which a person overrules how a file was read, and the limits of an import. */
import type { MAX_LIVE_STOCKS } from "../../../../contract/stocks/stock.ts";
import type { ImportField } from "./import-field.ts";

/** The field of each column, by its index. Null leaves the column out; columns that are missing keep the guess. */
export type ColumnMapping = Readonly<Record<number, ImportField | null>>;

/** How amounts are written: `1,234.5` or `1.234,5`. */
export type DecimalStyle = "point" | "comma";

/** Missing choices keep the guess. */
export type ImportChoices = {
  /** A table has columns. A list has a symbol or a line such as `AAPL 10 @ 180.5` for each stock. */
  readonly shape?: "table" | "list";
  readonly delimiter?: "," | ";" | "\t" | "|";
  readonly hasHeader?: boolean;
  readonly decimals?: DecimalStyle;
  readonly mapping?: ColumnMapping;
  /** The currency of rows that do not name one. */
  readonly currency?: string;
  /** The currency of London's symbols, `VOD.L`, whose rows name none. */
  readonly london?: "GBX" | "GBP";
  /** Several rows of one stock: combined as purchases, or all but the first skipped as duplicates. */
  readonly lots?: "merge" | "separate";
};

/**
 * The most non-empty lines of an import: as many as a person can have stocks, which the type ensures. A larger file is
 * refused as a whole, because half of a file would look like all of it.
 */
export const MAX_IMPORT_ROWS: typeof MAX_LIVE_STOCKS = 5_000;

/**
 * The largest file in bytes, and pasted text in UTF-16 units. 5,000 stocks with short notes take 1 MB as CSV; as JSON,
 * with a target, tags and 500 characters of notes each, 5 MB.
 */
export const MAX_IMPORT_BYTES = 6_000_000;

/** The most columns of a table that are read. */
export const MAX_IMPORT_COLUMNS = 100;

/** The most text of a line that is shown next to its outcome, in UTF-16 units. */
export const MAX_SOURCE_LENGTH = 500;

/** The most items of one `add-stock` (api.md §5). */
export const MAX_BATCH_ITEMS = 100;

/** The most bytes of the items of one `add-stock`. A body may have 1 MB; the rest is for what surrounds them. */
export const MAX_BATCH_BYTES = 900_000;
