/** Parses the form into values for the API, or says what is wrong. The server checks the rules between fields. */
import { currencyCode } from "../../../contract/stocks/currency-codes.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import { DECIMAL_FIELDS, FORM_TEXTS, type FormField, recordOf } from "../../../contract/stocks/stock-field-keys.ts";
import { fieldSpec, STOCK_FIELDS } from "../../../contract/stocks/stock-fields.ts";
import { isSymbol, SYMBOL_REMEDY, symbolText } from "../../../contract/stocks/symbol-shape.ts";
import { parseStockAmount } from "../../format/parse-number.ts";
import { localeSeparators } from "../../format/read-digits.ts";
import { allTags, type FormReading, type FormValues } from "./form-values.ts";

/** By field: a sentence that says what to do. */
export type FormProblems = Readonly<Partial<Record<FormField, string>>>;

/** Parses the form. `values` can be sent if and only if `problems` is empty. */
export const readForm = (
  form: FormValues,
  locale: string,
): { readonly values: FormReading; readonly problems: FormProblems } => {
  const problems: Partial<Record<FormField, string>> = {};
  const currency = currencyCode(form.currency);
  const symbol = symbolText(form.symbol);
  if (!isSymbol(symbol)) {
    problems.symbol = symbol === "" ? "Type a symbol, such as AAPL." : sentence(SYMBOL_REMEDY);
  }
  const values = {
    ...recordOf(FORM_TEXTS, (field) => textOf(fieldSpec(field).isUpperCase ? form[field].toUpperCase() : form[field])),
    ...recordOf(DECIMAL_FIELDS, (field) => {
      const { unit, range } = STOCK_FIELDS[field];
      const reading = parseStockAmount(form[field], unit, localeSeparators(locale), { range, currency, locale });
      if (reading.kind === "problem") problems[field] = reading.problem;
      return reading.kind === "number" ? reading.decimal : null;
    }),
    symbol,
    assetType: form.assetType,
    currency,
    watched: form.watched,
    tags: allTags(form),
  };
  return { values, problems };
};

/** What an untouched form of this stock would be parsed to. */
export const readingOf = (stock: Stock): FormReading => ({
  // Notes stored before the server normalized them would differ from what the form reads.
  ...recordOf(FORM_TEXTS, (field) => textOf(stock[field] ?? "")),
  ...recordOf(DECIMAL_FIELDS, (field) => stock[field]),
  symbol: stock.symbol,
  name: stock.name === stock.symbol ? null : stock.name,
  assetType: stock.assetType,
  currency: stock.currency,
  watched: stock.watched,
  tags: stock.tags,
});

/** Normalizes text as the server does, so that unchanged text is not sent as a change. */
const textOf = (text: string): string | null => text.normalize("NFC").replaceAll("\r\n", "\n").trim() || null;

/** Turns a remedy from the contract into a sentence. */
export const sentence = (remedy: string): string => {
  const first = remedy.slice(0, 1).toUpperCase();
  return `${first}${remedy.slice(1)}${/[.!?]$/.test(remedy) ? "" : "."}`;
};
