/** How cells of an import are read: amounts, types and tags. */
import type { AssetType } from "../../../../contract/stocks/stock-values.ts";
import { currencyMarks } from "../../../format/currency-marks.ts";
import { parseAmount } from "../../../format/parse-number.ts";
import type { Separators } from "../../../format/read-digits.ts";

/** Both are missing for an empty cell. */
export type AmountCell = { readonly decimal?: string; readonly problem?: string };

/** How programs write a missing number. */
const NOTHING = /^(-|–|—|--|n\/?a|#n\/a|null|none|nan)$/i;

/** A quantity that is missing in words. Without it the stock would only be watched, which the file does not say. */
const isUnsaid = (text: string): boolean => NOTHING.test(text) && /[a-z]/i.test(text);

/** A holding's quantity, without a currency. Only an empty cell or a dash means that there is none. */
export const readQuantityCell = (cell: string, separators: Separators): AmountCell =>
  isUnsaid(cell.trim())
    ? {
        problem: `“${cell.trim()}” is not a number. Write how many you hold, or leave the cell empty to watch the stock.`,
      }
    : readAmountCell(cell, separators, undefined);

/** The cell may contain the sign of `currency`, as it is written in English, the language of most exports. */
export const readAmountCell = (cell: string, separators: Separators, currency: string | undefined): AmountCell => {
  const text = cell.trim();
  if (NOTHING.test(text)) return {};
  const marks = currency === undefined ? [] : currencyMarks(currency, "en");
  const reading = parseAmount(text, separators, marks, { range: "zero_or_more", currency });
  if (reading.kind === "problem") return { problem: reading.problem };
  return reading.kind === "number" ? { decimal: reading.decimal } : {};
};

const WORDS: readonly (readonly [AssetType, RegExp])[] = [
  ["etf", /\betf\b|exchange.traded/i],
  ["fund", /fund|fonds|\boeic\b|sicav/i],
  ["index", /\bindex\b/i],
  ["stock", /stock|equit|share|aktie|\badr\b/i],
  ["other", /^other$/i],
];

/** The first type that matches, or undefined. An index fund is a fund. */
export const readAssetType = (cell: string): AssetType | undefined => WORDS.find(([, words]) => words.test(cell))?.[0];

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

/** `$$CASH` (Yahoo), `$CASH-USD` (Wealthfolio). */
export const isCash = (symbol: string): boolean => /^\$+CASH/i.test(symbol.trim());

/** Why such a row is left out. */
export const CASH_REASON = "Cash is not a stock.";
