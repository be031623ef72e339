/** The values of the form: text as it was typed, so that nothing is lost while it is not valid yet. */
import { DEFAULT_CURRENCY } from "../../../contract/stocks/currency-codes.ts";
import type { Stock } from "../../../contract/stocks/stock.ts";
import {
  DECIMAL_FIELDS,
  FORM_FIELDS,
  FORM_TEXTS,
  type FormField,
  type KindOf,
  pickFields,
  recordOf,
} from "../../../contract/stocks/stock-field-keys.ts";
import type { AssetType, StockDraft, StockPatch } from "../../../contract/stocks/stock-values.ts";
import { editNumber } from "../../format/parse-number.ts";

/** The value of each kind of field. */
type ReadingKinds = {
  readonly symbol: string;
  readonly text: string | null;
  readonly currency: string;
  readonly choice: AssetType;
  readonly decimal: string | null;
  readonly flag: boolean | undefined;
  readonly tags: readonly string[];
};

/** The values a person fills in. `name` null means the symbol; `watched` undefined leaves it to the quantity. */
export type FormReading = { readonly [Field in FormField]: ReadingKinds[KindOf<Field>] };

/** What each kind of field holds. A flag is undefined until it is set, and takes its default. */
type FormKinds = {
  readonly symbol: string;
  readonly text: string;
  readonly currency: string;
  readonly choice: AssetType;
  /** In the locale's spelling. */
  readonly decimal: string;
  readonly flag: boolean | undefined;
  readonly tags: readonly string[];
};

/** `openTag` is the text of a tag that is not complete yet. */
export type FormValues = { readonly [Field in FormField]: FormKinds[KindOf<Field>] } & {
  readonly openTag?: string | undefined;
};

/** The form for a new stock. `watched` undefined means the default: watched while there is no quantity. */
export const EMPTY_FORM: FormValues = {
  ...recordOf(FORM_TEXTS, () => ""),
  ...recordOf(DECIMAL_FIELDS, () => ""),
  symbol: "",
  assetType: "stock",
  currency: DEFAULT_CURRENCY,
  watched: undefined,
  tags: [],
};

/** The form for editing a stock. A name that only repeats the symbol is left empty: it follows the symbol. */
export const formOf = (stock: Stock, locale: string): FormValues => ({
  ...recordOf(FORM_TEXTS, (field) => stock[field] ?? ""),
  ...recordOf(DECIMAL_FIELDS, (field) => editNumber(stock[field], locale)),
  symbol: stock.symbol,
  name: stock.name === stock.symbol ? "" : stock.name,
  assetType: stock.assetType,
  currency: stock.currency,
  watched: stock.watched,
  tags: stock.tags,
});

/** The form after a quick-add line. Fields that the line does not mention keep their values. */
export const withDraft = (values: FormValues, draft: StockDraft, locale: string): FormValues => ({
  ...values,
  symbol: draft.symbol,
  exchange: draft.exchange ?? values.exchange,
  currency: draft.currency ?? values.currency,
  quantity: draft.quantity ? editNumber(draft.quantity, locale) : values.quantity,
  avgCost: draft.avgCost ? editNumber(draft.avgCost, locale) : values.avgCost,
  tags: mergeTags(values.tags, draft.tags ?? []),
});

/** Compares tags without case, as the server does. */
export const hasTag = (tags: readonly string[], tag: string): boolean =>
  tags.some((other) => other.toLowerCase() === tag.toLowerCase());

/** `tags` plus the new ones of `added`, each in its first spelling. */
export const mergeTags = (tags: readonly string[], added: readonly string[]): readonly string[] =>
  [...tags, ...added].filter((tag, place, all) => !hasTag(all.slice(0, place), tag));

/** The tags, including the open one. Commas split the open text into several tags; a `#` before a tag is dropped. */
export const allTags = ({ tags, openTag = "" }: Pick<FormValues, "tags" | "openTag">): readonly string[] => {
  const added = openTag.split(",").map((tag) => tag.trim().replace(/^#/, ""));
  return mergeTags(
    tags,
    added.filter((tag) => tag !== ""),
  );
};

/** A new stock: what is empty is left to the server's defaults. */
export const draftOf = (values: FormReading): StockDraft => ({
  ...recordOf(FORM_TEXTS, (field) => values[field] ?? undefined),
  ...recordOf(DECIMAL_FIELDS, (field) => values[field] ?? undefined),
  symbol: values.symbol,
  assetType: values.assetType,
  currency: values.currency,
  watched: values.watched,
  tags: values.tags.length === 0 ? undefined : [...values.tags],
});

/** What has to be sent so that `base` becomes `now`: only the changed fields; undefined when there are none. */
export const patchOf = (base: FormReading, now: FormReading): StockPatch | undefined => {
  const changed = FORM_FIELDS.filter((field) => JSON.stringify(base[field]) !== JSON.stringify(now[field]));
  if (changed.length === 0) return undefined;
  const { tags, ...values } = pickFields(now, changed);
  return {
    ...values,
    // A stock keeps a name that follows the symbol: when the symbol changes, the name has to be told to follow again.
    ...(values.symbol !== undefined && now.name === null && { name: null }),
    ...(tags && { tags: [...tags] }),
  };
};
