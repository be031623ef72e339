/** One line that says a whole stock: `AAPL 10 @ 180.5 USD #tech`. Only the symbol is needed; it comes first. */
import { CURRENCY_CODES, currencyCode } from "../../contract/currency-codes.ts";
import type { StockDraft } from "../../contract/stock-draft.ts";
import { currencyMarks } from "../format/currency-marks.ts";
import { parseAmount } from "../format/parse-number.ts";
import { localeSeparators, type Separators } from "../format/separators.ts";
import { readListedSymbol } from "./listed-symbol.ts";

/** Longest line that is read, in UTF-16 units. */
const MAX_LENGTH = 1_000;
const MAX_TAGS = 20;
const MAX_TAG_LENGTH = 32;

const EXAMPLE = "Write a line such as AAPL 10 @ 180.5 USD #tech.";

/** `notes` tell what was left out of the draft. A `problem` is a sentence with its remedy. */
export type QuickAdd =
  | { readonly kind: "draft"; readonly draft: StockDraft; readonly notes: readonly string[] }
  | { readonly kind: "empty" }
  | { readonly kind: "problem"; readonly problem: string };

/** Reads a line. Amounts are in the locale's spelling, without spaces in them. Never throws. */
export const readQuickAdd = (line: string, locale: string): QuickAdd =>
  readQuickLine(line, localeSeparators(locale), locale);

/** `readQuickAdd` for files, which have separators of their own. */
export const readQuickLine = (line: string, separators: Separators, locale: string): QuickAdd => {
  if (line.trim() === "") return { kind: "empty" };
  if (line.length > MAX_LENGTH) return problem(EXAMPLE);
  const [first = "", ...words] = splitWords(line);
  const listed = readListedSymbol(first);
  if ("problem" in listed) return problem(listed.problem);
  const parts = sortWords(words);
  if (parts.unknown !== undefined) return problem(`“${parts.unknown.slice(0, 40)}” is not understood. ${EXAMPLE}`);
  const tagProblem = findTagProblem(parts.tags);
  if (tagProblem !== undefined) return problem(tagProblem);
  if (parts.price !== undefined && parts.quantity === undefined) {
    return problem("The price behind @ is what a share has cost you; write the quantity before it: AAPL 10 @ 180.5.");
  }
  const marks = parts.currency === undefined ? [] : currencyMarks(parts.currency, locale);
  const range = "zero_or_more";
  const quantity = parseAmount(parts.quantity ?? "", separators, [], { range });
  if (quantity.kind === "problem") return problem(`Quantity: ${quantity.problem}`);
  const avgCost = parseAmount(parts.price ?? "", separators, marks, { range, currency: parts.currency });
  if (avgCost.kind === "problem") return problem(`Price: ${avgCost.problem}`);
  if (avgCost.kind === "number" && quantity.kind === "number" && quantity.decimal === "0") {
    return problem("A price behind @ needs a quantity above 0.");
  }
  const draft: StockDraft = {
    symbol: listed.symbol,
    ...(listed.exchange === undefined ? {} : { exchange: listed.exchange }),
    ...(parts.currency === undefined ? {} : { currency: parts.currency }),
    ...(quantity.kind === "number" ? { quantity: quantity.decimal } : {}),
    ...(avgCost.kind === "number" ? { avgCost: avgCost.decimal } : {}),
    ...(parts.tags.length === 0 ? {} : { tags: [...parts.tags] }),
  };
  return { kind: "draft", draft, notes: listed.note === undefined ? [] : [listed.note] };
};

const problem = (text: string): QuickAdd => ({ kind: "problem", problem: text });

/** An `@` is a word of its own, but not within a tag. */
const splitWords = (line: string): string[] =>
  line
    .trim()
    .split(/\s+/)
    .flatMap((word) => (word.startsWith("#") ? [word] : word.split(/(@)/)))
    .filter((word) => word !== "");

type Parts = {
  readonly quantity: string | undefined;
  readonly price: string | undefined;
  readonly currency: string | undefined;
  readonly tags: readonly string[];
  /** The first word that fits nowhere. */
  readonly unknown: string | undefined;
};

const sortWords = (words: readonly string[]): Parts => {
  const tags = words.filter((word) => word.startsWith("#")).map((word) => word.slice(1));
  const rest = words.filter((word) => !word.startsWith("#"));
  const codes = rest.filter(isCurrency);
  const [currency] = codes.map(currencyCode);
  const amounts = rest.filter((word) => !isCurrency(word));
  const at = amounts.indexOf("@");
  const before = at === -1 ? amounts : amounts.slice(0, at);
  const after = at === -1 ? [] : amounts.slice(at + 1);
  const [quantity, ...extra] = before;
  const [price, ...more] = after;
  const isPriceMissing = at !== -1 && price === undefined;
  const unknown =
    codes[1] ?? extra[0] ?? more[0] ?? (isPriceMissing ? "@" : undefined) ?? [quantity, price].find(isWord);
  return { quantity, price, currency, tags, unknown };
};

const isCurrency = (word: string): boolean => CURRENCY_CODES.has(currencyCode(word));

/** Text where a number belongs. */
const isWord = (word: string | undefined): word is string => word !== undefined && !/\p{N}/u.test(word);

const findTagProblem = (tags: readonly string[]): string | undefined => {
  if (tags.length > MAX_TAGS) return `Use at most ${MAX_TAGS} tags.`;
  return tags.some(({ length }) => length < 1 || length > MAX_TAG_LENGTH)
    ? `Write a tag of 1 to ${MAX_TAG_LENGTH} characters behind each #.`
    : undefined;
};
