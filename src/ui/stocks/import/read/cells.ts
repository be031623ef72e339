/** How cells of an import are read: amounts, types and tags. Also how an export keeps a spreadsheet from running a cell. */
import { DEFAULT_CURRENCY } from "../../../../contract/stocks/currency-codes.ts";
import type { AmountUnit } from "../../../../contract/stocks/stock-fields.ts";
import type { AssetType } from "../../../../contract/stocks/stock-values.ts";
import { parseStockAmount } from "../../../format/parse-number.ts";
import type { Separators } from "../../../format/read-digits.ts";

/** Both are missing for an empty cell. */
export type AmountCell = { readonly decimal?: string; readonly problem?: string };

/** How programs write a missing number. */
const NOTHING = /^(-|–|—|--|n\/?a|#n\/a|null|none|nan)$/i;

/** Whether the quantity is a word such as `n/a`. If that meant none, the stock would only be watched, which the file does not say. */
const isUnsaid = (text: string): boolean => NOTHING.test(text) && /[a-z]/i.test(text);

/** Whether a cell of symbols has none: `n/a`, `-`. Letters alone may be a symbol, such as NA or NAN. */
export const isNoSymbol = (cell: string): boolean => NOTHING.test(cell) && !/^[a-z]+$/i.test(cell);

const unread = (text: string): string => `“${text.slice(0, 40)}” is not a number.`;

/** A holding's quantity. Only an empty cell or a dash means that there is none. */
export const readQuantityCell = (cell: string, separators: Separators): AmountCell =>
  isUnsaid(cell.trim())
    ? {
        problem: `“${cell.trim()}” is not a number. Write how many you hold, or leave the cell empty to watch the stock.`,
      }
    : readAmountCell(cell, "shares", separators, undefined);

/**
 * An amount in the row's currency, if it names one. The currency's sign may be beside a price, as it is written in English, the
 * language of most exports.
 */
export const readAmountCell = (
  cell: string,
  unit: AmountUnit,
  separators: Separators,
  currency: string = DEFAULT_CURRENCY,
): AmountCell => {
  const text = cell.trim();
  if (NOTHING.test(text)) return {};
  const reading = parseStockAmount(text, unit, separators, { range: "zero_or_more", currency, locale: "en" });
  if (reading.kind === "problem")
    return { problem: /\d/.test(text) ? reading.problem : `${unread(text)} ${reading.problem}` };
  return reading.kind === "number" ? { decimal: reading.decimal } : {};
};

const WORDS: readonly (readonly [AssetType, RegExp])[] = [
  ["etf", /\betfs?\b|exchange.traded/i],
  ["fund", /fund|fonds|\boeic\b|sicav/i],
  ["index", /\bindex\b/i],
  ["stock", /stock|equit|share|aktie|\badr\b/i],
  ["other", /^other$/i],
];

/** The first type that matches, or undefined. An index fund is a fund. */
export const readAssetType = (cell: string): AssetType | undefined => WORDS.find(([, words]) => words.test(cell))?.[0];

/** Cells that tell no type: Fidelity's `Type` is the kind of account that holds the stock, and "stocks" or a "security" may be funds. */
export const isNoType = (cell: string): boolean => /^(?:cash|margin|stk|stocks|security)$/i.test(cell);

/** `a; b`, with a `\` before each `;` or `\` inside a tag. */
export const joinTags = (tags: readonly string[]): string =>
  tags.map((tag) => tag.replace(/[\\;]/g, "\\$&")).join("; ");

/** The inverse of `joinTags`. */
export const splitTags = (cell: string): string[] =>
  [...cell.matchAll(/((?:\\.|[^;\\])+|\\$)/gs)]
    .map(([part]) => part.replace(/\\([\\;])/g, "$1").trim())
    .filter((tag) => tag !== "");

/** Tags of other programs: separated by `;` if there is one, otherwise by `,` or `|`. Drops a leading `#`. */
export const splitForeignTags = (cell: string): string[] =>
  (cell.includes(";") ? cell.split(";") : cell.split(/[,|]/))
    .map((tag) => tag.trim().replace(/^#/, ""))
    .filter((tag) => tag !== "");

/** `$$CASH` (Yahoo), `$CASH-USD` (Wealthfolio), `Cash & Cash Investments` (Schwab). */
export const isCash = (symbol: string): boolean => /^(?:\$+CASH|cash (?:&|and) )/i.test(symbol.trim());

/** Why such a row is left out. */
export const CASH_REASON = "Cash is not a stock.";

/** The last row of many brokers' tables: `Total`, `Grand total:`, `Summe`. */
export const isTotals = (symbol: string): boolean =>
  /^(?:(?:grand |account |positions? |sub[- ]?)?totals?|summe|(?:depot-)?gesamt(?:wert)?):?$/i.test(symbol.trim());

/** Whether a row only repeats others: totals, or Interactive Brokers' `ClosedLot`, a purchase that a sale took from. */
export const isRepetition = (cell: string): boolean => isTotals(cell) || cell.trim() === "ClosedLot";

/** Why such a row is left out. */
export const TOTALS_REASON = "A totals line.";

/** Characters that start a formula, or move to a cell that does (OWASP, CSV injection), also in full width. */
const NEEDS_GUARD = /^(?='*[=+\-@\t\r\n＝＋－＠])/;
const HAS_GUARD = /^'(?='*[=+\-@\t\r\n＝＋－＠])/;

/**
 * The same within a cell. Where lists are separated by `;`, Excel splits a line there and at line ends, even in quotes: those are then in
 * the middle of a cell and mean nothing. A cell that begins with a quote ends at the next one, and what follows is added to it.
 */
const NEEDS_GUARD_INSIDE = /([;|\t\r\n])(?=[\p{Zs}'"]*[=+\-@＝＋－＠])/gu;
const HAS_GUARD_INSIDE = /([;|\t\r\n])'(?=[\p{Zs}'"]*[=+\-@＝＋－＠])/gu;

/** Adds one `'` where it is needed, even if the text already has one, so that exactly this one is removed again. */
export const guardCell = (text: string): string => text.replace(NEEDS_GUARD_INSIDE, "$1'").replace(NEEDS_GUARD, "'");

/** The inverse of `guardCell`. */
export const unguardCell = (cell: string): string => cell.replace(HAS_GUARD, "").replace(HAS_GUARD_INSIDE, "$1");
