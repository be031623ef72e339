/** Reads a table into rows with their outcomes. */
import type { DecimalField } from "../../../../contract/stocks/stock-field-keys.ts";
import {
  COMMA_SEPARATORS,
  POINT_SEPARATORS,
  type Separators,
  UNKNOWN_SEPARATORS,
} from "../../../format/read-digits.ts";
import { amountStyles } from "./amount-styles.ts";
import { isByAccount } from "./by-account.ts";
import { isRepetition, TOTALS_REASON } from "./cells.ts";
import { draftOfCells } from "./draft-of-cells.ts";
import { dropHistory } from "./drop-history.ts";
import { findHeader, otherLines } from "./find-header.ts";
import { type DecimalStyle, type ImportChoices, MAX_IMPORT_COLUMNS } from "./import-choices.ts";
import { currencyOfHeaders, type ImportField } from "./import-field.ts";
import { EMPTY_LINE, HEADS, type ImportOutcome, type ImportRow } from "./import-row.ts";
import { areIsinsSymbols } from "./isins-as-symbols.ts";
import { withoutParts } from "./join-stocks.ts";
import { tellsApart, whyApart } from "./not-stocks.ts";
import { CLOSED, findClosed } from "./positions.ts";
import {
  type ImportColumn,
  isBlank,
  readColumns,
  type TableOrigin,
  type TextRow,
  tableOrigin,
} from "./table-columns.ts";
import { findCancelling } from "./trades/cancelling-transfers.ts";
import { netTrades } from "./trades/net-trades.ts";
import { type TradeKind, tradeKind } from "./trades/read-trade.ts";
import { readTradeColumns } from "./trades/trade-columns.ts";
import { cellOfTrade, countedOutcome, isMoneyAlone, kindByAmounts, NO_TRADE } from "./trades/trade-line.ts";
import { joinMarkets } from "./trades/trade-markets.ts";

type ReadTable = {
  readonly origin: TableOrigin;
  readonly hasHeader: boolean;
  readonly linesAbove: number;
  readonly columns: readonly ImportColumn[];
  /** Null if the file does not show the style: amounts such as `1,234` are then problems until the person chooses. */
  readonly decimals: DecimalStyle | null;
  /** The currency that the headers of prices name. */
  readonly currency: string | undefined;
  /** Whether lines of one stock add up: they are purchases and sales, or what each of several accounts holds. */
  readonly lots: "merge" | "separate";
  /** Whether the table has no symbols, and ISINs stand for them. */
  readonly isByIsin: boolean;
  readonly rows: readonly ImportRow[];
};

/** Reads each row on its own. Rows of the same stock are joined later. */
export const readTable = (rows: readonly TextRow[], delimiter: string, choices: ImportChoices): ReadTable => {
  const filled = rows.filter(({ cells }) => !isBlank(cells));
  const found = findHeader(filled.map(({ cells }) => cells));
  const hasHeader = choices.hasHeader ?? found !== undefined;
  const place = found?.place ?? 0;
  const header = hasHeader ? filled[place] : undefined;
  const names = header?.cells;
  const above = new Set(hasHeader ? filled.slice(0, place) : []);
  const others = otherLines(rows, header);
  const body = filled.filter((row) => row !== header && !above.has(row) && !others.has(row));
  const cellsOfBody = body.map(({ cells }) => cells.slice(0, MAX_IMPORT_COLUMNS));
  const mapping = choices.mapping ?? {};
  const ofHeaders = names === undefined ? "table" : tableOrigin(names);
  const trades =
    ofHeaders === "own" || ofHeaders === "wealthfolio"
      ? { hasTrades: false, mapping, others: [], orders: [] }
      : readTradeColumns(names ?? [], cellsOfBody, mapping);
  const isTraded = trades.hasTrades;
  const origin = isTraded && ofHeaders === "table" ? "trades" : ofHeaders;
  const columns = readColumns(
    names?.slice(0, MAX_IMPORT_COLUMNS),
    cellsOfBody,
    { origin, hasTrades: isTraded },
    trades.mapping,
  );
  const places = new Map<ImportField, number>(
    columns.flatMap(({ field, index }) => (field === null ? [] : [[field, index]])),
  );
  const currency = currencyOfHeaders(columns);
  const isByIsin = areIsinsSymbols(columns, cellsOfBody, isTraded);
  const symbols = places.get(isByIsin ? "isin" : "symbol");
  const cellOf = (row: TextRow, field: ImportField): string =>
    row.cells[(field === "symbol" ? symbols : places.get(field)) ?? -1] ?? "";
  const symbolOf = (row: TextRow): string => cellOf(row, "symbol").trim().toUpperCase();
  const styles = amountStyles(body, cellOf, choices.decimals, delimiter);
  const separators = (field: DecimalField): Separators => SEPARATORS[styles.byField.get(field) ?? "unknown"];
  const moreWords = columns.filter(({ index, field }) => field === null && trades.others.includes(index));
  const isClosed = findClosed(origin === "own" ? [] : columns);
  const telling = columns.filter(({ field, name }) => field === null && tellsApart(name, isTraded));
  const wordsOf = (row: TextRow): string =>
    [cellOf(row, "transactionType"), ...moreWords.map(({ index }) => row.cells[index] ?? "")].find(
      (cell) => cell.trim() !== "",
    ) ?? "";
  const cancelling = findCancelling(
    (isTraded ? body : []).map((row) => ({
      row,
      words: wordsOf(row),
      symbol: cellOf(row, "symbol"),
      quantity: cellOf(row, "quantity"),
    })),
  );
  const kindOf = (row: TextRow): TradeKind | undefined => {
    if (!isTraded) return undefined;
    if (cancelling.has(row)) return "aside";
    return (
      tradeKind(wordsOf(row)) ?? kindByAmounts(row.cells, trades.money, cellOf(row, "quantity"), cellOf(row, "avgCost"))
    );
  };
  const hasOrder = (row: TextRow): boolean =>
    trades.orders.length === 0 || trades.orders.some((index) => (row.cells[index] ?? "").trim() !== "");
  const outcomeOf = (row: TextRow): ImportOutcome => {
    if (isBlank(row.cells)) return { kind: "skipped", reason: EMPTY_LINE };
    if (row === header || others.get(row) === "header") return { kind: "skipped", reason: HEADS.header };
    if (others.get(row) === "unread") return { kind: "problem", problem: UNREAD };
    if (others.has(row)) return { kind: "skipped", reason: HEADS.otherTable };
    if (above.has(row)) return { kind: "skipped", reason: "Above the header." };
    if (row.problem !== undefined) return { kind: "problem", problem: row.problem };
    if (names !== undefined && !isBlank(row.cells.slice(names.length))) return { kind: "problem", problem: TOO_WIDE };
    if (origin !== "own" && columns.some(({ field, index }) => field === null && isRepetition(row.cells[index] ?? "")))
      return { kind: "skipped", reason: TOTALS_REASON };
    const kind = kindOf(row);
    const isMoney = isMoneyAlone(kind, wordsOf(row), cellOf(row, "symbol"), cellOf(row, "quantity"));
    if (kind === "aside" || isMoney) return NO_TRADE;
    const reason = telling.map(({ name, index }) => whyApart(name, row.cells[index] ?? "")).find(Boolean);
    if (reason !== undefined) return { kind: "skipped", reason };
    const outcome = draftOfCells({
      cell: (field) => cellOfTrade(field, cellOf(row, field), kind),
      separators,
      isOwn: origin === "own",
      hasCosts: places.has("avgCost"),
      hasCash: origin === "table" && places.has("avgCost"),
      currency: choices.currency,
      currencyOfHeaders: choices.currency === undefined ? currency : undefined,
      london: choices.london,
    });
    if (outcome.kind === "draft" && isClosed(row.cells)) return CLOSED;
    // A line of Yahoo's may be of a stock that is only watched.
    if (origin !== "trades") return outcome;
    return countedOutcome(outcome, { kind, words: wordsOf(row), price: cellOf(row, "avgCost") }, places);
  };
  const read = rows.map((row) => ({ row, outcome: outcomeOf(row), symbol: symbolOf(row) }));
  const checked = isTraded
    ? netTrades(
        joinMarkets(
          read.map(({ row, symbol, outcome }) => ({
            line: row.line,
            symbol,
            outcome,
            kind: kindOf(row),
            words: wordsOf(row),
            date: cellOf(row, "snapshotDate"),
            isOrder: hasOrder(row),
          })),
        ),
      )
    : dropHistory(
        read.map(({ row, symbol, outcome }) => ({
          outcome,
          symbol,
          day: /^\d{4}-\d{2}-\d{2}/.exec(cellOf(row, "snapshotDate").trim())?.[0] ?? "",
        })),
      );
  const results = read.map(
    ({ row: { line, lastLine, source } }, index): ImportRow => ({
      line,
      lastLine,
      source,
      ...(checked[index] ?? LOST),
    }),
  );
  const isAdding = isTraded || origin === "yahoo" || isByAccount(columns, rows, results);
  const lots = choices.lots ?? (isAdding ? "merge" : "separate");
  const linesAbove = header === undefined || above.size === 0 ? 0 : header.line - 1;
  return {
    origin,
    hasHeader,
    linesAbove,
    columns,
    decimals: styles.ofFile,
    currency,
    lots,
    isByIsin,
    rows: lots === "merge" ? withoutParts(results, read) : results,
  };
};

const SEPARATORS = { point: POINT_SEPARATORS, comma: COMMA_SEPARATORS, unknown: UNKNOWN_SEPARATORS } as const;

const UNREAD = "This table has other columns than the one above it. Import it on its own.";

/** Such cells would end up in the wrong columns. */
const TOO_WIDE = "This line has more cells than the header. Put cells that contain the separator in quotation marks.";

const LOST: ImportOutcome = { kind: "problem", problem: "This line could not be read." };
