/** What a column of a table can hold, and how its header may spell that. */
import { STOCK_FIELD_KEYS } from "../../../../contract/stocks/stock-field-keys.ts";
import { fieldSpec, type StockFieldKey } from "../../../../contract/stocks/stock-fields.ts";

/** Two more are read but not kept: what a row did, such as a sale, and its date. */
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

/** All headers that name a field. A date alone could be any date, so no header names `snapshotDate`. */
const headersOf = (field: ImportField): readonly string[] => {
  if (field === "snapshotDate") return [];
  const spellings = field === "transactionType" ? TRANSACTION_SPELLINGS : fieldSpec(field).spellings;
  return [field, columnLabel(field), ...spellings.split(",")].map(foldHeader);
};

/** Normalizes a header for comparison: letters and digits only, in lower case. */
export const foldHeader = (header: string): string =>
  header
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

const FIELD_BY_HEADER: ReadonlyMap<string, ImportField> = new Map(
  IMPORT_FIELDS.flatMap((field) => headersOf(field).map((header): [string, ImportField] => [header, field])),
);

/** A currency after the name: `Kaufpreis (EUR)`, `Price paid in USD`. */
const CURRENCY_BEHIND = /\s*(?:[([]\s*(?:[A-Z]{3}|GBp|\p{Sc})\s*[)\]]|\bin (?:[A-Z]{3}|GBp|\p{Sc}))\s*$/u;

/** The field that a header names in any spelling. */
export const fieldOfHeader = (header: string): ImportField | undefined =>
  FIELD_BY_HEADER.get(foldHeader(header)) ?? FIELD_BY_HEADER.get(foldHeader(header.replace(CURRENCY_BEHIND, "")));
