/** What one entry of a stock's history changed, field by field. */
import type { StockEventView } from "../../../contract/get-stock.ts";
import { fieldText } from "./field-text.ts";
import { FIELD_LABELS, STOCK_FIELDS, type StockField } from "./stock-field.ts";

/** One changed field; `before` is undefined where there was nothing before. */
export type HistoryLine = {
  readonly field: StockField;
  readonly label: string;
  readonly before: string | undefined;
  readonly after: string;
};

const TITLES = { add: "Added", update: "Changed", delete: "Deleted", restore: "Restored" } as const;

/** `Added`, `Changed` … */
export const historyTitle = ({ action }: StockEventView): string => TITLES[action];

/** Lines in the order of the form. Those of a new stock are what it started with, without what everything has. */
export const historyLines = (event: StockEventView, currency: string, locale: string): readonly HistoryLine[] => {
  const { before, after } = event;
  const isSaid = (field: StockField): boolean =>
    Object.hasOwn(after, field) && (before !== null || (!OBVIOUS.has(field) && !isEmpty(after[field])));
  const text = (values: Readonly<Record<string, unknown>>, field: StockField): string =>
    // Amounts of that time were in the currency of that time.
    fieldText(field, values[field], typeof values.currency === "string" ? values.currency : currency, locale);
  return STOCK_FIELDS.filter(isSaid).map((field) => ({
    field,
    label: FIELD_LABELS[field],
    before: before === null ? undefined : text(before, field),
    after: text(after, field),
  }));
};

/** Said of a new stock by its heading. */
const OBVIOUS: ReadonlySet<StockField> = new Set(["symbol", "name", "currency", "assetType", "watched"]);

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);
