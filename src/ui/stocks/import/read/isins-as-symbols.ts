/** Whether the ISINs of a table stand for its symbols (decision 0233). */
import type { ImportField } from "./import-field.ts";
import type { ImportColumn } from "./table-columns.ts";

const DAY = /^\s*(?:\d{4}[-/.]\d{2}[-/.]\d{2}|\d{8}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})(?!\d)/;

const NUMBER = /^\s*[-+−(]?[\d.,'\s]*\d/;

type Rows = readonly (readonly string[])[];

/**
 * Whether the ISINs stand for symbols, which the file does not have. They do not in a list of transactions in unknown words, because
 * its lines would be taken for holdings, or for stocks to watch.
 */
export const areIsinsSymbols = (columns: readonly ImportColumn[], rows: Rows, hasTrades: boolean): boolean => {
  const place = (wanted: ImportField): number => columns.findIndex(({ field }) => field === wanted);
  if (place("symbol") >= 0 || place("isin") < 0) return false;
  const cellsAt = (index: number): readonly string[] =>
    rows.map((cells) => (cells[index] ?? "").trim()).filter(Boolean);
  const isins = cellsAt(place("isin"));
  const isRepeated = new Set(isins).size < isins.length;
  if (columns.some(({ name }) => UNTOLD.test(name) || (!hasTrades && SOLD.test(name)))) return false;
  if (place("quantity") >= 0) return hasTrades || place("avgCost") >= 0 || !isOfMoves(columns, rows, isRepeated);
  const unread = columns.filter(({ field }) => field === null);
  return !hasTrades && !isRepeated && !unread.some(({ index }) => cellsAt(index).some((cell) => NUMBER.test(cell)));
};

/** Headers of amounts at Nordic brokers: these name the account's currency, but not the share's currency, which the prices are in. */
const UNTOLD = /^(?:belopp|beløb|beløp)$/i;

/** Headers of positions that are closed. */
const SOLD = /verkauf|veräußer|\bsold\b|\bsale\b|proceeds|vendita/i;

/** Headers of days that holdings can have as well: when they were bought, when a bond ends, when the price was made. */
const HELD_DAY =
  /kauf|erwerb|bought|acquir|purchase|open|fällig|maturity|vencim|scadenza|kurs|price|bewegung|letzte|last|zeit/i;

/** Headers of columns that say what was done. */
const MOVE = /trans(?:act|akt|aks|acc|az)|umsatzart|movement|segno|\bsens\b|sentido/i;

/** Whether the lines are transactions: a column says so, or their days differ, or a stock occurs twice beside a day. */
const isOfMoves = (columns: readonly ImportColumn[], rows: Rows, isRepeated: boolean): boolean =>
  columns.some(({ name, index }) => {
    if (MOVE.test(name)) return true;
    const days = new Set(rows.flatMap((cells) => DAY.exec(cells[index] ?? "")?.[0].trim() ?? [])).size;
    return (isRepeated && days > 0) || (days > 1 && !HELD_DAY.test(name));
  });
