/**
 * Reads text that is not a table: symbols, one or more on a line, lines such as `AAPL 10 @ 180.5 USD`, and JSON: an account's export, or
 * any list of objects with a stock's fields.
 */
import { isRecord, tryParseJson } from "../../../../contract/parse-json.ts";
import { isStockField } from "../../../../contract/stocks/stock-field-keys.ts";
import { COMMA_SEPARATORS, localeSeparators, POINT_SEPARATORS } from "../../../format/read-digits.ts";
import { readQuickLine } from "../../form/quick-add.ts";
import { readListedSymbol } from "../../store/market-prefix.ts";
import { isIsin } from "./by-isin.ts";
import { CASH_REASON, guardCell, isCash, joinTags } from "./cells.ts";
import { draftOfCells } from "./draft-of-cells.ts";
import { currencyOfPair, guessFor, sayGuess, sayPair } from "./guess-market.ts";
import { type ImportChoices, MAX_IMPORT_ROWS, MAX_SOURCE_LENGTH } from "./import-choices.ts";
import type { ImportField } from "./import-field.ts";
import { EMPTY_LINE, HEADS, type ImportOutcome, type ImportRow } from "./import-row.ts";

/** Charting sites write sections as `###Name`. A section becomes a tag of the symbols below it. */
const SECTION = /^###\s*(.*)$/;
const MAX_TAG_LENGTH = 32;

type Entry = { readonly line: number; readonly text: string; readonly section: string };

/** One row for each entry and each empty line. Amounts are in the chosen style, otherwise in the locale's. */
export const readList = (text: string, choices: ImportChoices, locale: string): readonly ImportRow[] => {
  const styles = { point: POINT_SEPARATORS, comma: COMMA_SEPARATORS } as const;
  const separators = choices.decimals === undefined ? localeSeparators(locale) : styles[choices.decimals];
  const outcomeOf = ({ text: entry, section }: Entry): ImportOutcome => {
    const line = entry.trim();
    if (line === "") return { kind: "skipped", reason: EMPTY_LINE };
    if (SECTION.test(line)) return { kind: "skipped", reason: HEADS.section };
    if (isCash(line)) return { kind: "skipped", reason: CASH_REASON };
    const reading = readQuickLine(line, separators, locale);
    if (reading.kind === "empty") return { kind: "skipped", reason: EMPTY_LINE };
    if (reading.kind === "problem") return reading;
    const { draft, notes } = reading;
    const guess = guessFor(draft, draft.exchange ?? undefined, draft.currency ?? undefined, choices);
    const tags = [...(draft.tags ?? []), ...(section === "" ? [] : [section])];
    const said = draft.currency ?? guess?.currency;
    const pair = said === undefined ? currencyOfPair(draft.symbol) : undefined;
    const currency = said ?? pair ?? choices.currency;
    return {
      kind: "draft",
      draft: {
        ...draft,
        ...(isIsin(draft.symbol) ? { isin: draft.symbol } : {}),
        ...(guess === undefined ? {} : { exchange: guess.exchange }),
        ...(currency === undefined ? {} : { currency }),
        ...(tags.length === 0 ? {} : { tags }),
      },
      notes: [
        ...notes,
        ...(guess === undefined ? [] : [sayGuess(guess)]),
        ...(pair === undefined ? [] : [sayPair(draft.symbol, pair)]),
      ],
      ...(guess === undefined ? {} : { guess }),
    };
  };
  return splitEntries(text).map((entry) => ({
    line: entry.line,
    lastLine: entry.line,
    source: entry.text.slice(0, MAX_SOURCE_LENGTH),
    ...outcomeOf(entry),
  }));
};

/**
 * Whether a line consists of symbols and sections, separated by commas or semicolons. Here, neither a number nor a word
 * such as `Apple` is a symbol: `AAPL,10` and `AAPL,Apple` are rows of a table. Beside symbols with their markets, a part with a
 * colon counts as a symbol, such as the future `CME_MINI:ES1!`.
 */
export const isSymbolLine = (line: string): boolean => {
  const parts = line.split(BETWEEN).map((part) => part.trim());
  const hasMarkets = parts.filter((part) => WITH_MARKET.test(part)).length > 1;
  return parts.every(
    (part) => part === "" || SECTION.test(part) || isSymbolAlone(part) || (hasMarkets && part.includes(":")),
  );
};

const BETWEEN = /[,;]/;

/** As charting sites write each symbol of a list. */
const WITH_MARKET = /^[A-Z][A-Z\d_]*:\S+$/;

const isSymbolAlone = (text: string): boolean => {
  const isWord = /\p{Lu}/u.test(text) && /\p{Ll}/u.test(text);
  return !isWord && !/^[\d.]+$/.test(text) && !("problem" in readListedSymbol(text));
};

const splitEntries = (text: string): readonly Entry[] => {
  let section = "";
  return text
    .split("\n")
    .flatMap((line, index) => splitLine(line).map((part) => ({ line: index + 1, text: part })))
    .map((entry) => {
      section = SECTION.exec(entry.text.trim())?.[1]?.trim().slice(0, MAX_TAG_LENGTH) ?? section;
      return { ...entry, section };
    });
};

const splitLine = (line: string): string[] => {
  const parts =
    BETWEEN.test(line) && isSymbolLine(line) ? line.split(BETWEEN).filter((part) => part.trim() !== "") : [];
  return parts.length === 0 ? [line] : parts;
};

/** `line` is the position of the item in the list, from 1. */
export type ReadJson = { readonly rows: readonly ImportRow[] } | { readonly problem: string };

/** Whether a text looks like JSON. */
export const isJson = (text: string): boolean => /^\s*[[{]/.test(text);

/** Takes `{stocks: […]}` or the list itself. Never throws. */
export const readJson = (text: string): ReadJson => {
  const value = tryParseJson(text);
  if (value === undefined) return { problem: BROKEN_JSON };
  const items = itemsOf(value);
  if (items === undefined) return { problem: "This JSON has no list of stocks. Use an export of this app, or CSV." };
  if (items.length > MAX_IMPORT_ROWS) return { problem: "There are more than 5,000 stocks. Import them in parts." };
  return {
    rows: items.map((item, index) => ({
      line: index + 1,
      lastLine: index + 1,
      source: JSON.stringify(item).slice(0, MAX_SOURCE_LENGTH),
      ...outcomeOf(item),
    })),
  };
};

const BROKEN_JSON = "This is not valid JSON: it breaks off or has a mistake in it. Use an export of this app, or CSV.";

const itemsOf = (value: unknown): readonly unknown[] | undefined => {
  const items: unknown = isRecord(value) ? value.stocks : value;
  return Array.isArray(items) ? items : undefined;
};

const outcomeOf = (item: unknown): ImportOutcome => {
  if (!isRecord(item)) return { kind: "problem", problem: "This is not a stock. Use an object with a symbol." };
  if (fieldOf(item, "deletedAt")) return { kind: "skipped", reason: "In the trash." };
  return draftOfCells({
    cell: (field) => cellOf(item, field),
    separators: () => POINT_SEPARATORS,
    isOwn: true,
    currency: undefined,
  });
};

/** An account's export has the names of the database's columns: `avg_cost`. */
const fieldOf = (item: Readonly<Record<string, unknown>>, name: string): unknown =>
  item[name] ?? item[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];

/** The cell that would be read as this value. */
const cellOf = (item: Readonly<Record<string, unknown>>, field: ImportField): string => {
  const value = isStockField(field) ? fieldOf(item, field) : undefined;
  if (Array.isArray(value)) return guardCell(joinTags(value.filter((tag) => typeof tag === "string")));
  if (typeof value === "string") return guardCell(value);
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
};
