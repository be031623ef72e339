/** Many rows as one bound JSON parameter: D1 takes at most 100 parameters in a statement. */
import { getTableColumns, type Table } from "drizzle-orm";

/** Rows in one parameter. 50 with full notes stay under the 2 MB that D1 takes in a value. */
const ROWS_A_PARAMETER = 50;

/** Names of a table's columns, as its migration spells them. */
export const columnNames = (table: Table): string[] => Object.values(getTableColumns(table)).map(({ name }) => name);

/** A row as the driver would bind it, by column name. */
export const encodeRow = (table: Table, row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table)).map(([property, column]) => {
      const value = row[property];
      return [column.name, value === null ? null : column.mapToDriverValue(value)];
    }),
  );

/** Encoded rows as JSON arrays for `json_each`, each small enough for one parameter. */
export const asParameters = (rows: readonly Readonly<Record<string, unknown>>[]): string[] => {
  const starts = rows.map((_, place) => place).filter((place) => place % ROWS_A_PARAMETER === 0);
  return starts.map((start) => JSON.stringify(rows.slice(start, start + ROWS_A_PARAMETER)));
};
