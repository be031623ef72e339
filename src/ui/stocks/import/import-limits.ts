/** How much can be imported at once. Beyond, the whole file is refused: half of a file would look like all of it. */
import type { MAX_LIVE_STOCKS } from "../../../contract/stock.ts";

/** Lines with something on them. As many as a person can have stocks; the type holds the two together. */
export const MAX_IMPORT_ROWS: typeof MAX_LIVE_STOCKS = 5_000;

/** Size of a file, and of a pasted text in UTF-16 units. 5,000 stocks with short notes are 1 MB. */
export const MAX_IMPORT_BYTES = 2_000_000;

/** Columns of a table. */
export const MAX_IMPORT_COLUMNS = 100;

/** Longest part of a line that is shown beside its outcome, in UTF-16 units. */
export const MAX_SOURCE_LENGTH = 500;

/** Items of one `add-stock` (CONTRACT §5). */
export const MAX_BATCH_ITEMS = 100;

/** Bytes of the items of one `add-stock`. A body may have 1 MB; the rest is for what is around them. */
export const MAX_BATCH_BYTES = 900_000;
