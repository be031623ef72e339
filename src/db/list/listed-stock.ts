/**
 * A stock as a list's statement returns it, and as the list uses it. Mapped here, because drizzle takes longer to map a hundred rows than
 * D1 takes to answer.
 */
import { sql } from "drizzle-orm";
import { parseJson } from "../../contract/parse-json.ts";
import { Instrument, LastAlert, Split } from "../../contract/prices/price-fields.ts";
import { Stock } from "../../contract/stocks/stock.ts";
import { stocks } from "../stock-tables.ts";

/** A stock without what only its market's clock can tell. */
export type ListedStock = Omit<Stock, "priceState" | "spark"> & {
  readonly quoteMark: string | null;
  readonly instrumentId: string | null;
};

type Mapped = "watched" | "autoPrice" | "notify" | "tags" | "instrument" | "pendingSplit" | "lastAlert";

/** A stock as the statement returns it: the record, except for types that SQLite does not have. */
export type StockResult = Omit<ListedStock, Mapped> & {
  readonly watched: 0 | 1;
  readonly autoPrice: 0 | 1;
  readonly notify: 0 | 1;
  /** JSON. */
  readonly tags: string;
  readonly instrument: string | null;
  readonly pendingSplit: string | null;
  readonly lastAlert: string | null;
  readonly sortKey: string | number | null;
};

/** The record's fields, each column renamed to its field. */
export const RECORD = sql.raw(
  [...Stock.omit({ priceState: true, spark: true }).keyof().options, "quoteMark" as const, "instrumentId" as const]
    .map((field) => `${stocks[field].name} AS "${field}"`)
    .join(", "),
);

/** The stock of a row. */
export const readStock = ({ sortKey, ...row }: StockResult): ListedStock => ({
  ...row,
  watched: row.watched === 1,
  autoPrice: row.autoPrice === 1,
  notify: row.notify === 1,
  instrument: row.instrument === null ? null : Instrument.parse(parseJson(row.instrument)),
  pendingSplit: row.pendingSplit === null ? null : Split.parse(parseJson(row.pendingSplit)),
  lastAlert: row.lastAlert === null ? null : LastAlert.parse(parseJson(row.lastAlert)),
  tags: readTags(row.tags),
});

/** This app wrote the JSON, so anything else is corruption, and no list may hide that. */
const readTags = (json: string): string[] => {
  const tags = parseJson(json);
  if (Array.isArray(tags) && tags.every((tag) => typeof tag === "string")) return tags;
  throw new Error("The tags of a stock are not a list of texts.");
};
