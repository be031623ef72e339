/** What a person can decide where the reading of a file has guessed otherwise. Absent is the guess. */
import type { ImportField } from "./import-field.ts";

/** Which field a column holds, by its place from 0. Null leaves it out; absent places keep the guess. */
export type ColumnMapping = Readonly<Record<number, ImportField | null>>;

/** How amounts are written: `1,234.5` or `1.234,5`. */
export type DecimalStyle = "point" | "comma";

export type ImportChoices = {
  /** A table has columns; a list has a symbol or a line such as `AAPL 10 @ 180.5` for each stock. */
  readonly shape?: "table" | "list";
  readonly delimiter?: "," | ";" | "\t" | "|";
  readonly hasHeader?: boolean;
  readonly decimals?: DecimalStyle;
  readonly mapping?: ColumnMapping;
  /** Of rows that name none. */
  readonly currency?: string;
  /** Several rows of a stock: counted together as purchases, or all but the first said to be duplicates. */
  readonly lots?: "merge" | "separate";
};
