/** Parses a stock on one line: `AAPL 10 @ 180.5 USD #tech`. Only the symbol is required, and it comes first. */
import { CURRENCY_CODES, currencyCode } from "../../../contract/stocks/currency-codes.ts";
import type { StockDraft } from "../../../contract/stocks/stock-values.ts";
import { symbolText } from "../../../contract/stocks/symbol-shape.ts";
import { currencyMarks } from "../../format/currency-marks.ts";
import { editNumber, parseAmount } from "../../format/parse-number.ts";
import { localeSeparators, type Separators } from "../../format/read-digits.ts";
import { readListedSymbol } from "../store/market-prefix.ts";
import { type FormValues, withDraft } from "./form-values.ts";

/** The longest line that is parsed, in UTF-16 units. */
const MAX_LENGTH = 1_000;

const MAX_TAGS = 20;

const MAX_TAG_LENGTH = 32;

const EXAMPLE = "Write a line such as AAPL 10 @ 180.5 USD #tech.";

/** `notes` name what was left out of the draft. `problem` is a sentence that says how to fix the line. */
type QuickAdd =
  | { readonly kind: "draft"; readonly draft: StockDraft; readonly notes: readonly string[] }
  | { readonly kind: "empty" }
  | { readonly kind: "problem"; readonly problem: string };

/** Parses a line. Amounts are in the locale's spelling and contain no spaces. Never throws. */
export const readQuickAdd = (line: string, locale: string): QuickAdd =>
  readQuickLine(line, localeSeparators(locale), locale);

/** `readQuickAdd` with given separators, for files. */
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
    return problem("The price after @ is what you paid per share. Write the quantity before it: AAPL 10 @ 180.5.");
  }
  const marks = parts.currency === undefined ? [] : currencyMarks(parts.currency, locale);
  const range = "zero_or_more";
  const quantity = parseAmount(parts.quantity ?? "", separators, [], { range });
  if (quantity.kind === "problem") return problem(`Quantity: ${quantity.problem}`);
  // The currency code beside the price is a separate word.
  const ofPrice = (parts.currency && separators.ofMoney) || separators;
  const avgCost = parseAmount(parts.price ?? "", ofPrice, marks, { range, currency: parts.currency });
  if (avgCost.kind === "problem") return problem(`Price: ${avgCost.problem}`);
  if (avgCost.kind === "number" && quantity.kind === "number" && quantity.decimal === "0") {
    return problem("A price after @ needs a quantity above 0.");
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

/** An `@` is a separate word, except inside a tag. */
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
  /** The first word that could not be assigned. */
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

/** Whether a word has no digits where a number is expected. */
const isWord = (word: string | undefined): word is string => word !== undefined && !/\p{N}/u.test(word);

const findTagProblem = (tags: readonly string[]): string | undefined => {
  if (tags.length > MAX_TAGS) return `Use at most ${MAX_TAGS} tags.`;
  return tags.some(({ length }) => length < 1 || length > MAX_TAG_LENGTH)
    ? `Write a tag of 1 to ${MAX_TAG_LENGTH} characters after each #.`
    : undefined;
};

/** `note` says what was left out. `problem` is shown at the symbol field. */
type Expansion = { readonly values: FormValues; readonly problem: string | undefined; readonly note?: string };

/** Whether the text is more than a symbol. */
const isLine = (text: string): boolean => /[\s:@#]/.test(text.trim());

/**
 * Splits a line in the symbol field, such as `AAPL 10 @ 180.5 USD #tech`, into the fields it mentions. A line that
 * cannot be parsed stays as it is.
 */
export const expandLine = (values: FormValues, locale: string): Expansion => {
  if (!isLine(values.symbol)) return { values: { ...values, symbol: symbolText(values.symbol) }, problem: undefined };
  const reading = readQuickAdd(values.symbol, locale);
  if (reading.kind === "problem") return { values, problem: reading.problem.replace(/^Symbol: u/, "U") };
  if (reading.kind === "empty") return { values, problem: undefined };
  const [note] = reading.notes;
  return {
    values: withDraft(values, reading.draft, locale),
    problem: undefined,
    ...(note === undefined ? {} : { note }),
  };
};

/** An example line in the locale's spelling. */
export const lineExample = (locale: string): string => `AAPL 10 @ ${editNumber("180.5", locale)} USD #tech`;
