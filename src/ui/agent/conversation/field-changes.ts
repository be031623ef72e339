/** What an action would change, field by field, for a person to judge before it happens. */
import { isRecord } from "./is-record.ts";

/** Undefined on one side: nothing stands, or will stand, there. */
export type FieldChange = {
  readonly label: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

/** The changes of one stock. `title` names it where there are several, or where the fields do not. */
export type ChangeGroup = { readonly title: string | undefined; readonly changes: readonly FieldChange[] };

/** `input` is the call's own, so that nothing it holds is left out; `before` is what it is about, as it stands. */
export const describeAction = (name: string, input: unknown, before: unknown): readonly ChangeGroup[] => {
  if (!isRecord(input)) return [{ title: undefined, changes: [additionOf("input", input)] }];
  switch (name) {
    case "add-stock":
      return describeAdditions(input);
    case "update-stock":
      return describeUpdate(input, isRecord(before) ? before : {});
    case "delete-stock":
      return describeDeletion(input, before);
    default:
      return [{ title: undefined, changes: additionsOf(input) }];
  }
};

const describeAdditions = (input: Fields): readonly ChangeGroup[] => {
  const { items, ...rest } = input;
  if (!Array.isArray(items)) return [{ title: undefined, changes: additionsOf(input) }];
  const settings = additionsOf(rest);
  const groups = items.map((item: unknown): ChangeGroup => {
    if (!isRecord(item)) return { title: undefined, changes: [additionOf("item", item)] };
    const { symbol, ...values } = item;
    return { title: wordsOf(symbol), changes: additionsOf(values) };
  });
  return settings.length === 0 ? groups : [{ title: undefined, changes: settings }, ...groups];
};

const describeUpdate = ({ id, set, version: _, ...rest }: Fields, before: Fields): readonly ChangeGroup[] => {
  const changes = isRecord(set)
    ? Object.entries(set).map(([field, value]) => ({
        label: labelOf(field),
        before: wordsOf(before[field]),
        after: wordsOf(value) ?? "none",
      }))
    : [];
  return [{ title: wordsOf(before.symbol) ?? wordsOf(id), changes: [...changes, ...additionsOf(rest)] }];
};

/** Fields that tell what is lost. */
const TELLING = ["name", "quantity", "avgCost", "targetLow", "targetHigh"] as const;

const describeDeletion = ({ id, ids, ...rest }: Fields, before: unknown): readonly ChangeGroup[] => {
  const stocks = Array.isArray(before) ? before.filter(isRecord) : isRecord(before) ? [before] : [];
  const known = new Set(stocks.map((stock) => stock.id));
  const asked: readonly unknown[] = Array.isArray(ids) ? ids : [id];
  const unknown = asked.filter((one) => one !== undefined && !known.has(one));
  const groups = [
    ...stocks.map((stock) => ({
      title: wordsOf(stock.symbol),
      changes: TELLING.flatMap((field) => {
        const words = wordsOf(stock[field]);
        return words === undefined ? [] : [{ label: labelOf(field), before: words, after: undefined }];
      }),
    })),
    ...unknown.map((one) => ({ title: `${wordsOf(one)} (not in your list)`, changes: [] })),
  ];
  const settings = additionsOf(rest);
  return settings.length === 0 ? groups : [{ title: undefined, changes: settings }, ...groups];
};

type Fields = Readonly<Record<string, unknown>>;

const additionsOf = (values: Fields): readonly FieldChange[] =>
  Object.entries(values).map(([field, value]) => additionOf(field, value));

const additionOf = (field: string, value: unknown): FieldChange => ({
  label: labelOf(field),
  before: undefined,
  after: wordsOf(value) ?? "none",
});

/** Undefined for what is not there. */
const wordsOf = (value: unknown): string | undefined => {
  if (value === null || value === undefined || value === "") return undefined;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value) && value.every((part) => typeof part !== "object")) return value.join(", ") || undefined;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

const LABELS: Readonly<Record<string, string>> = {
  avgCost: "Avg. cost",
  isin: "ISIN",
  targetLow: "Buy target",
  targetHigh: "Sell target",
  onConflict: "If it exists",
};

/** `lastPriceAt` is `Last price at`. */
const labelOf = (field: string): string => {
  const known = Object.hasOwn(LABELS, field) ? LABELS[field] : undefined;
  if (known !== undefined) return known;
  const words = field.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
};
