/** What stands in the form: text as it was typed, so that nothing is lost while it makes no sense yet. */
import { DEFAULT_CURRENCY } from "../../../contract/currency-codes.ts";
import type { AssetType, Stock } from "../../../contract/stock.ts";
import type { StockDraft } from "../../../contract/stock-draft.ts";
import { editNumber } from "../../format/edit-number.ts";

/** Amounts are in the locale's spelling. `watched` undefined is the default: watched while there is no quantity. */
export type FormValues = {
  readonly symbol: string;
  readonly name: string;
  readonly exchange: string;
  readonly isin: string;
  readonly assetType: AssetType;
  readonly currency: string;
  readonly quantity: string;
  readonly avgCost: string;
  readonly lastPrice: string;
  readonly watched: boolean | undefined;
  readonly targetLow: string;
  readonly targetHigh: string;
  readonly sector: string;
  readonly tags: readonly string[];
  readonly notes: string;
};

/** A form to add with. */
export const EMPTY_FORM: FormValues = {
  symbol: "",
  name: "",
  exchange: "",
  isin: "",
  assetType: "stock",
  currency: DEFAULT_CURRENCY,
  quantity: "",
  avgCost: "",
  lastPrice: "",
  watched: undefined,
  targetLow: "",
  targetHigh: "",
  sector: "",
  tags: [],
  notes: "",
};

/** A form to edit with. A name that only repeats the symbol is left empty: it follows the symbol. */
export const formOf = (stock: Stock, locale: string): FormValues => ({
  symbol: stock.symbol,
  name: stock.name === stock.symbol ? "" : stock.name,
  exchange: stock.exchange ?? "",
  isin: stock.isin ?? "",
  assetType: stock.assetType,
  currency: stock.currency,
  quantity: editNumber(stock.quantity, locale),
  avgCost: editNumber(stock.avgCost, locale),
  lastPrice: editNumber(stock.lastPrice, locale),
  watched: stock.watched,
  targetLow: editNumber(stock.targetLow, locale),
  targetHigh: editNumber(stock.targetHigh, locale),
  sector: stock.sector ?? "",
  tags: stock.tags,
  notes: stock.notes ?? "",
});

/** A form with what a quick-add line says; what it does not say stays. */
export const withDraft = (values: FormValues, draft: StockDraft, locale: string): FormValues => ({
  ...values,
  symbol: draft.symbol,
  exchange: draft.exchange ?? values.exchange,
  currency: draft.currency ?? values.currency,
  quantity: draft.quantity ? editNumber(draft.quantity, locale) : values.quantity,
  avgCost: draft.avgCost ? editNumber(draft.avgCost, locale) : values.avgCost,
  tags: mergeTags(values.tags, draft.tags ?? []),
});

/** Tags are compared without regard to case, as the server does. */
export const hasTag = (tags: readonly string[], tag: string): boolean =>
  tags.some((other) => other.toLowerCase() === tag.toLowerCase());

/** `tags` and those of `added` that are new, each in its first spelling. */
export const mergeTags = (tags: readonly string[], added: readonly string[]): readonly string[] =>
  [...tags, ...added].filter((tag, place, all) => !hasTag(all.slice(0, place), tag));
