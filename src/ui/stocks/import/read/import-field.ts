/** What a column of a table can hold, and how its header may spell that. */
import { CURRENCY_CODES, currencyCode } from "../../../../contract/stocks/currency-codes.ts";
import { isStockField, STOCK_FIELD_KEYS } from "../../../../contract/stocks/stock-field-keys.ts";
import { fieldSpec, type StockFieldKey } from "../../../../contract/stocks/stock-fields.ts";

/** Two more fields are read but not kept: what a row did, such as a sale, and its date. */
export type ImportField = StockFieldKey | "transactionType" | "snapshotDate";

/** The fields of a stock, in the order of the export, then the others. */
export const IMPORT_FIELDS: readonly ImportField[] = [...STOCK_FIELD_KEYS, "transactionType", "snapshotDate"];

/** A label for people, and the header of the export. */
export const columnLabel = (field: ImportField): string => {
  if (field === "transactionType") return "Transaction type";
  if (field === "snapshotDate") return "Date";
  const { column, label } = fieldSpec(field);
  return column ?? label;
};

const TRANSACTION_SPELLINGS =
  "transaction, action, side, buy/sell, activity, activity type, trade type, order side, vorgang, transaktion, transaktionstyp, buchungstyp, opération, operación, operazione, transactie";

/** Spellings in brokers' files, which no other part of the app needs: Degiro's, ING's and ZKB's, a share's cost at Fidelity and Schwab. */
const BROKER_SPELLINGS: { readonly [Field in ImportField]?: string } = {
  symbol: "symbol/isin, symbool/isin",
  isin: "code isin, codice isin, código isin",
  name: "wertpapiername, wertpapierbezeichnung, stock name, asset name",
  quantity: "stück/nominale, stück/nominal, stück/nom., anz. nom.",
  avgCost: "average cost basis, cost/share, average cost/share, costbasisprice, einstiegskurs, buying price",
  lastPrice: "markprice, bewertungskurs, marktkurs",
  assetType: "asset category",
};

/** All headers that name a field. A date alone could be any date, so no header names `snapshotDate`. */
const headersOf = (field: ImportField): readonly string[] => {
  if (field === "snapshotDate") return [];
  const spellings = field === "transactionType" ? TRANSACTION_SPELLINGS : fieldSpec(field).spellings;
  const all = [spellings, BROKER_SPELLINGS[field] ?? ""].join().split(",");
  return [field, columnLabel(field), ...all].map(foldHeader).filter((header) => header !== "");
};

/** Normalizes a header for comparison: letters and digits only, in lower case. */
export const foldHeader = (header: string): string =>
  header
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

/** Turns comma-separated headers into entries that map each to `field`, for headers that only some files use. */
export const namesFor = (names: string, field: ImportField): readonly (readonly [string, ImportField])[] =>
  names.split(",").map((name) => [foldHeader(name), field]);

const FIELD_BY_HEADER: ReadonlyMap<string, ImportField> = new Map(
  IMPORT_FIELDS.flatMap((field) => headersOf(field).map((header): [string, ImportField] => [header, field])),
);

/** A currency after the name: `Kaufpreis (EUR)`, `Price paid in USD`. Starts where blanks start: a long run of them is read only once. */
const CURRENCY_BEHIND = /(?<!\s)\s*(?:[([]\s*([A-Z]{3}|GBp|\p{Sc})\s*[)\]]|\bin ([A-Z]{3}|GBp|\p{Sc}))\s*$/u;

/** The currencies that signs mean if nothing else is said. */
const CURRENCY_OF_SIGN: Readonly<Record<string, string>> = { "€": "EUR", "£": "GBP", $: "USD" };

/** The currency that the headers of prices name. Undefined where they name none, or several. */
export const currencyOfHeaders = (
  columns: readonly { readonly name: string; readonly field: ImportField | null }[],
): string | undefined => {
  const named = columns.flatMap(({ name, field }) => {
    const isPrice = field !== null && isStockField(field) && fieldSpec(field).unit === "price";
    const [, inBrackets, afterIn] = (isPrice && CURRENCY_BEHIND.exec(name)) || [];
    const mark = inBrackets ?? afterIn;
    return mark === undefined ? [] : [CURRENCY_OF_SIGN[mark] ?? currencyCode(mark)];
  });
  const [only, ...others] = new Set(named);
  return only !== undefined && others.length === 0 && CURRENCY_CODES.has(only) ? only : undefined;
};

/** The field that a header names in any spelling, or in two: Schwab's `Qty (Quantity)`. */
export const fieldOfHeader = (header: string): ImportField | undefined =>
  fieldNamed(header) ?? fieldNamed(header.replace(CURRENCY_BEHIND, "")) ?? fieldNamedTwice(header.split("("));

const fieldNamed = (header: string): ImportField | undefined => FIELD_BY_HEADER.get(foldHeader(header));

const fieldNamedTwice = ([short = "", long = ""]: readonly string[]): ImportField | undefined =>
  fieldNamed(short) === fieldNamed(long) ? fieldNamed(long) : undefined;
