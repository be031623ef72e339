/** Whether a file lists what each of several accounts holds. */
import type { ImportRow } from "./import-row.ts";
import { stockKey } from "./join-stocks.ts";
import type { ImportColumn, TextRow } from "./table-columns.ts";
import { readMoments } from "./trades/read-trade.ts";

const ACCOUNT_NAME = /^(?:client ?)?account(?: ?(?:number|no\.?|id|#|name))?$|^(?:konto|depot)(?:nummer|name)?$/i;

/** Headers of times. A stock that moved to another account between two times is still held only once. */
const TIME_NAME =
  /\b(?:date|time|timestamp|as of|snapshot|period|week|month|quarter|year|datum|stand|stichtag|monat|quartal|jahr|fecha|data)\b/i;

/** `Oct`, `Oktober 26`, `Q3 2026`, `2026`, `2026-10`, `10/2026`. Whole names, since "Margin" and "Decker" begin like months. */
const PERIOD = new RegExp(
  `^(?:(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|` +
    `sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?|q[1-4])[ .'/-]*(?:\\d{2}|\\d{4})?|` +
    `(?:19|20)\\d{2}(?:[-/ ]?(?:q[1-4]|\\d{1,2}))?|\\d{1,2}[-/](?:19|20)\\d{2})$`,
  "i",
);

const hasTimes = (name: string, cells: readonly string[]): boolean => {
  if (TIME_NAME.test(name) || cells.every((cell) => cell === "" || PERIOD.test(cell))) return true;
  const readings = readMoments(cells);
  // There is no reading if some cells have the day first and others the month.
  return readings.length === 0 || readings.some((moments) => moments.some((moment) => moment !== ""));
};

/**
 * Whether a column names the account, no account has a stock twice, and no other column says that a stock's lines are from different
 * times. If so, what the accounts hold adds up, and no line repeats another.
 */
export const isByAccount = (
  columns: readonly ImportColumn[],
  rows: readonly TextRow[],
  results: readonly ImportRow[],
): boolean => {
  const isAccount = ({ field, name }: ImportColumn): boolean => field === null && ACCOUNT_NAME.test(name);
  const account = columns.find(isAccount)?.index;
  if (account === undefined) return false;
  const times = columns.filter(
    (column) => [null, "lastPriceAt", "snapshotDate"].includes(column.field) && !isAccount(column),
  );
  const lines = results.flatMap((row, index) =>
    row.kind === "draft" ? [{ key: stockKey(row.draft), cells: rows[index]?.cells ?? [] }] : [],
  );
  return [...Map.groupBy(lines, ({ key }) => key).values()].every((group) => {
    const cellsAt = (index: number) => [...new Set(group.map(({ cells }) => (cells[index] ?? "").trim()))];
    const isOfTimes = ({ index, name }: ImportColumn): boolean =>
      cellsAt(index).length > 1 && hasTimes(name, cellsAt(index));
    return cellsAt(account).length === group.length && !times.some(isOfTimes);
  });
};
