/** Recognizes a file of purchases and sales, and what its columns mean there and nowhere else. */
import type { ColumnMapping } from "./import-choices.ts";
import { fieldOfHeader, foldHeader, type ImportField } from "./import-field.ts";
import { isNegative, tradeKind } from "./read-trade.ts";

const TYPE_NAMES = ["type", "typ", "art", "tipo"];

const DATE_NAMES = `date, date time, time, timestamp, trade date, transaction date, run date, execution date, executed at,
  datum, handelstag, ausführungsdatum, fecha, data`;

const PRICE_NAMES = `price, price per share, price / share, share price, t. price, trade price, execution price, fill price,
  unit price, preis, kurs, ausführungskurs, prix, cours, precio, prezzo, prijs, koers`;

const namesFor = (names: string, field: ImportField) =>
  names.split(",").map((name) => [foldHeader(name), field] as const);

/** Headers that are too vague in other files. What was paid for a purchase is a cost. */
export const TRADE_NAMES: Readonly<Record<string, ImportField>> = Object.fromEntries([
  ...TYPE_NAMES.map((name) => [name, "transactionType"] as const),
  ...namesFor(DATE_NAMES, "snapshotDate"),
  ...namesFor(PRICE_NAMES, "avgCost"),
  ...namesFor("no. of shares, shares traded", "quantity"),
  ...namesFor("currency (price / share)", "currency"),
]);

/** A column says of some line that something was bought or sold; or, beside a date, some quantities are below zero. */
export const hasTrades = (
  names: readonly string[],
  rows: readonly (readonly string[])[],
  mapping: ColumnMapping,
): boolean => {
  const fields = names.map((name, index) => (mapping[index] === undefined ? fieldOfHeader(name) : mapping[index]));
  const folded = names.map(foldHeader);
  const isType = (index: number): boolean =>
    fields[index] === "transactionType" || (mapping[index] === undefined && TYPE_NAMES.includes(folded[index] ?? ""));
  const isTrade = (cell = ""): boolean => ["buy", "sell"].includes(tradeKind(cell) ?? "");
  if (names.some((_, index) => isType(index) && rows.some((cells) => isTrade(cells[index])))) return true;
  const quantity = fields.indexOf("quantity");
  const hasDate = folded.some((name) => TRADE_NAMES[name] === "snapshotDate");
  const isSigned = (cell = "", sign: boolean): boolean => /\d/.test(cell) && isNegative(cell) === sign;
  return hasDate && [true, false].every((sign) => rows.some((cells) => isSigned(cells[quantity], sign)));
};
