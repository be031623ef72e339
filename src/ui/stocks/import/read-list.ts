/** Lists without columns: symbols of a watchlist, several on a line or one, and lines such as `AAPL 10 @ 180.5 USD`. */
import { COMMA_SEPARATORS, localeSeparators, POINT_SEPARATORS } from "../../format/separators.ts";
import { readListedSymbol } from "../listed-symbol.ts";
import { readQuickLine } from "../quick-add.ts";
import type { ImportChoices } from "./import-choices.ts";
import { MAX_SOURCE_LENGTH } from "./import-limits.ts";
import { EMPTY_LINE, type ImportOutcome, type ImportRow } from "./import-row.ts";
import { CASH_REASON, isCash } from "./is-cash.ts";

/** Sections, which charting sites write as `###Name`, become a tag of the symbols below them. */
const SECTION = /^###\s*(.*)$/;
const MAX_TAG_LENGTH = 32;

type Entry = { readonly line: number; readonly text: string; readonly section: string };

/** A row for each entry and each line that has none. Amounts are in the chosen style, else in that of the locale. */
export const readList = (text: string, choices: ImportChoices, locale: string): readonly ImportRow[] => {
  const styles = { point: POINT_SEPARATORS, comma: COMMA_SEPARATORS } as const;
  const separators = choices.decimals === undefined ? localeSeparators(locale) : styles[choices.decimals];
  const outcomeOf = ({ text: entry, section }: Entry): ImportOutcome => {
    const line = entry.trim();
    if (line === "") return { kind: "skipped", reason: EMPTY_LINE };
    if (SECTION.test(line)) return { kind: "skipped", reason: "Section; a tag of the symbols below it." };
    if (isCash(line)) return { kind: "skipped", reason: CASH_REASON };
    const reading = readQuickLine(line, separators, locale);
    if (reading.kind === "empty") return { kind: "skipped", reason: EMPTY_LINE };
    if (reading.kind === "problem") return reading;
    const { draft, notes } = reading;
    const tags = [...(draft.tags ?? []), ...(section === "" ? [] : [section])];
    const currency = draft.currency ?? choices.currency;
    return {
      kind: "draft",
      draft: { ...draft, ...(currency === undefined ? {} : { currency }), ...(tags.length === 0 ? {} : { tags }) },
      notes,
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
 * Whether a line is symbols and sections between commas or semicolons. Neither a number alone nor a word such as `Apple`
 * is a symbol here: `AAPL,10` and `AAPL,Apple` are rows of a table.
 */
export const isSymbolLine = (line: string): boolean =>
  line.split(BETWEEN).every((part) => {
    const text = part.trim();
    return text === "" || SECTION.test(text) || isSymbolAlone(text);
  });

const BETWEEN = /[,;]/;

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
