/** A stock as answers show it. */
import type { Stock } from "../contract/stock.ts";
import type { StockRow } from "../db/stock-tables.ts";

/** The record of a row: without the owner, and without what only the database needs. */
export const toStock = ({ ownerEmail, searchText, nameKey, tagKeys, mutationId, ...stock }: StockRow): Stock => stock;
