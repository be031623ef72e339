/** The form as values of the wire, or what is wrong with it. Rules between fields are left to the server, which has them. */
import { currencyCode } from "../../../contract/currency-codes.ts";
import type { AssetType, Stock } from "../../../contract/stock.ts";
import { isSymbol, SYMBOL_REMEDY, symbolText } from "../../../contract/symbol-shape.ts";
import { type NumberRange, parseNumber } from "../../format/parse-number.ts";
import type { FormValues } from "./form-values.ts";
import type { StockField } from "./stock-field.ts";

/** What is wrong, by field: a sentence with the remedy. */
export type FormProblems = Readonly<Partial<Record<StockField, string>>>;

/** A stock's values without the stamps of its price. `name` null follows the symbol; `watched` undefined the quantity. */
export type FormReading = {
  readonly symbol: string;
  readonly name: string | null;
  readonly exchange: string | null;
  readonly isin: string | null;
  readonly assetType: AssetType;
  readonly currency: string;
  readonly quantity: string | null;
  readonly avgCost: string | null;
  readonly lastPrice: string | null;
  readonly watched: boolean | undefined;
  readonly targetLow: string | null;
  readonly targetHigh: string | null;
  readonly sector: string | null;
  readonly tags: readonly string[];
  readonly notes: string | null;
};

/** Reads the form. `problems` is empty exactly when `values` can be sent. */
export const readForm = (
  form: FormValues,
  locale: string,
): { readonly values: FormReading; readonly problems: FormProblems } => {
  const problems: Partial<Record<StockField, string>> = {};
  const currency = currencyCode(form.currency);
  const amount = (field: AmountField, range: NumberRange): string | null => {
    const reading = parseNumber(form[field], locale, field === "quantity" ? { range } : { range, currency });
    if (reading.kind === "problem") problems[field] = reading.problem;
    return reading.kind === "number" ? reading.decimal : null;
  };
  const symbol = symbolText(form.symbol);
  if (!isSymbol(symbol)) {
    problems.symbol = symbol === "" ? "Type a symbol, such as AAPL." : sentence(SYMBOL_REMEDY);
  }
  const values = {
    symbol,
    name: textOf(form.name),
    exchange: textOf(form.exchange.toUpperCase()),
    isin: textOf(form.isin.toUpperCase()),
    assetType: form.assetType,
    currency,
    quantity: amount("quantity", "zero_or_more"),
    avgCost: amount("avgCost", "zero_or_more"),
    lastPrice: amount("lastPrice", "zero_or_more"),
    watched: form.watched,
    targetLow: amount("targetLow", "more_than_zero"),
    targetHigh: amount("targetHigh", "more_than_zero"),
    sector: textOf(form.sector),
    tags: form.tags,
    notes: textOf(form.notes),
  };
  return { values, problems };
};

type AmountField = "quantity" | "avgCost" | "lastPrice" | "targetLow" | "targetHigh";

/** A stock as its form would be read if nobody touched it. */
export const readingOf = ({ name, ...stock }: Stock): FormReading => ({
  symbol: stock.symbol,
  name: name === stock.symbol ? null : name,
  exchange: stock.exchange,
  isin: stock.isin,
  assetType: stock.assetType,
  currency: stock.currency,
  quantity: stock.quantity,
  avgCost: stock.avgCost,
  lastPrice: stock.lastPrice,
  watched: stock.watched,
  targetLow: stock.targetLow,
  targetHigh: stock.targetHigh,
  sector: stock.sector,
  tags: stock.tags,
  notes: stock.notes,
});

/** As the server keeps it, so that what looks unchanged is not sent as a change. */
const textOf = (text: string): string | null => text.normalize("NFC").replaceAll("\r\n", "\n").trim() || null;

/** A remedy of the contract as a sentence. */
export const sentence = (remedy: string): string => {
  const first = remedy.slice(0, 1).toUpperCase();
  return `${first}${remedy.slice(1)}${/[.!?]$/.test(remedy) ? "" : "."}`;
};
