/** What an action would change, field by field, for a person to judge before it happens. */

import { isRecord } from "../../../contract/parse-json.ts";
import { cronWords, timingWords } from "../../../contract/schedules/schedule-words.ts";
import { DEFAULT_CURRENCY } from "../../../contract/stocks/currency-codes.ts";
import { isStockField } from "../../../contract/stocks/stock-field-keys.ts";
import { cardLabel, fieldSpec } from "../../../contract/stocks/stock-fields.ts";
import { fieldWords } from "../../../contract/stocks/write-title.ts";
import { keyOf, priceEffects } from "./price-effects.ts";
import {
  amountWords,
  listingWords,
  splitAnswerWords,
  valueWords,
  waitingSplitWords,
  wordsOf,
  writtenValue,
} from "./value-words.ts";

/** `before` is undefined when there was no value, `after` when there will be none. */
export type FieldChange = {
  readonly label: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

/** The changes to one stock. `title` names it if the fields do not. `about` is its name, unless that is just its symbol. */
export type ChangeGroup = {
  readonly title: string | undefined;
  readonly about?: string | undefined;
  readonly changes: readonly FieldChange[];
};

/** `input` is the call's own, so that nothing in it is left out; `before` is the stock, or stocks, as they are now. */
export const describeAction = (name: string, input: unknown, before: unknown): readonly ChangeGroup[] => {
  if (!isRecord(input)) return [{ title: undefined, changes: [additionOf("input", input)] }];
  switch (name) {
    case "add-stock":
      return describeAdditions(input, Array.isArray(before) ? before.filter(isRecord) : []);
    case "update-stock":
      return describeUpdate(input, isRecord(before) ? before : {});
    case "delete-stock":
      return describeDeletion(input, before);
    case "create-schedule":
      return [{ title: undefined, changes: describeSchedule(input) }];
    case "delete-schedule":
      return [{ title: undefined, changes: describeScheduleDeletion(input, before) }];
    default:
      return [{ title: undefined, changes: additionsOf(input) }];
  }
};

/** With `onConflict: "update"`, `listed` are the stocks that items would change. */
const describeAdditions = (input: Fields, listed: readonly Fields[]): readonly ChangeGroup[] => {
  const { items, ...rest } = input;
  if (!Array.isArray(items)) return [{ title: undefined, changes: stockAdditionsOf(input) }];
  const settings = additionsOf(rest);
  const groups = items.map((item: unknown): ChangeGroup => {
    if (!isRecord(item)) return { title: undefined, changes: [additionOf("item", item)] };
    const { symbol, ...values } = item;
    const stock = listed.find((one) => keyOf(one) === keyOf(item));
    if (stock === undefined) return { title: wordsOf(symbol), changes: stockAdditionsOf(values, symbol) };
    const { exchange: _, ...set } = values;
    return { title: listingWords(stock), about: aboutOf(stock), changes: settingsOf(set, stock) };
  });
  return settings.length === 0 ? groups : [{ title: undefined, changes: settings }, ...groups];
};

/** A stock's name, unless that is just its symbol. */
const aboutOf = ({ name, symbol }: Fields): string | undefined => (name === symbol ? undefined : wordsOf(name));

/** Fields that are set, each with what it was, and those that change along with them. */
const settingsOf = (set: Fields, before: Fields): readonly FieldChange[] => {
  const stock = { ...before, ...set };
  const currency = writtenValue("currency", stock.currency, stock);
  return Object.entries({ ...set, ...priceEffects(set, before, currency) }).map(([field, value]) => ({
    label: labelOf(field),
    before:
      field === "pendingSplit"
        ? waitingSplitWords(before)
        : (listingWords(before[field]) ?? valueWords(field, before[field], before.currency)),
    after: listingWords(value) ?? valueWords(field, writtenValue(field, value, stock), currency) ?? "none",
  }));
};

const describeUpdate = ({ id, set, split, version: _, ...rest }: Fields, before: Fields): readonly ChangeGroup[] => {
  const changes = isRecord(set) ? settingsOf(set, before) : [];
  return [
    {
      title: wordsOf(before.symbol) ?? wordsOf(id),
      about: aboutOf(before),
      changes: [...changes, ...describeSplit(split, before), ...additionsOf(rest)],
    },
  ];
};

/**
 * What an answer to a split does, or what taking one back does: the server sent the values that are restored as `former`. An answer to a
 * split that is not pending on the stock is shown as it is.
 */
const describeSplit = (split: unknown, before: Fields): readonly FieldChange[] => {
  if (split === undefined) return [];
  const { former, currency } = before;
  if (isRecord(split) && split.answer === "undo" && isRecord(former)) {
    return Object.entries(former).map(([field, value]) => ({
      label: labelOf(field),
      before: valueWords(field, before[field], currency),
      after:
        field === "pendingSplit"
          ? `${waitingSplitWords({ ...before, ...former })}: asked about again`
          : (valueWords(field, value, currency) ?? "none"),
    }));
  }
  const after = splitAnswerWords(split, before);
  return [after === undefined ? additionOf("split", split) : { label: "Split", before: undefined, after }];
};

/** Fields that show what a deletion loses. */
const LOST_FIELDS = ["name", "quantity", "avgCost", "targetLow", "targetHigh"] as const;

const describeDeletion = ({ id, ids, ...rest }: Fields, before: unknown): readonly ChangeGroup[] => {
  const stocks = Array.isArray(before) ? before.filter(isRecord) : isRecord(before) ? [before] : [];
  const known = new Set(stocks.map((stock) => stock.id));
  const asked: readonly unknown[] = Array.isArray(ids) ? ids : [id];
  const unknown = asked.filter((one) => one !== undefined && !known.has(one));
  const groups = [
    ...stocks.map((stock) => ({
      title: wordsOf(stock.symbol),
      changes: LOST_FIELDS.flatMap((field) => {
        const words =
          field === "name" && stock.name === stock.symbol ? undefined : valueWords(field, stock[field], stock.currency);
        return words === undefined ? [] : [{ label: labelOf(field), before: words, after: undefined }];
      }),
    })),
    ...unknown.map((one) => ({ title: `${wordsOf(one)} (not in your list)`, changes: [] })),
  ];
  const settings = additionsOf(rest);
  return settings.length === 0 ? groups : [{ title: undefined, changes: settings }, ...groups];
};

/** When a schedule runs, in words, with the cron expression that they stand for. */
const whenOf = ({ cron, once }: Fields): string | undefined => {
  if (typeof cron === "string") return cronWords(cron) === undefined ? cron : `${cronWords(cron)} (${cron})`;
  return typeof once === "string" ? timingWords({ once }) : undefined;
};

const describeSchedule = (input: Fields): readonly FieldChange[] => {
  const when = whenOf(input);
  if (when === undefined) return additionsOf(input);
  const { prompt, cron: _, once: __, timeZone, threadId, ...rest } = input;
  const chat = threadId === undefined ? "a new one for this schedule" : threadId;
  return additionsOf({ prompt, when, timeZone, chat, ...rest });
};

/** What is lost, where the server knew it. */
const describeScheduleDeletion = (input: Fields, before: unknown): readonly FieldChange[] => {
  if (!isRecord(before) || before.id !== input.id) return additionsOf(input);
  const { id: _, ...rest } = input;
  const lost = { prompt: before.prompt, when: whenOf(before), timeZone: before.timeZone };
  return [
    ...Object.entries(lost).map(([field, value]) => ({
      ...{ label: labelOf(field), before: wordsOf(value), after: undefined },
    })),
    ...additionsOf(rest),
  ];
};

type Fields = Readonly<Record<string, unknown>>;

const additionsOf = (values: Fields): readonly FieldChange[] =>
  Object.entries(values).map(([field, value]) => additionOf(field, value));

/** The same for the values of a stock. */
const stockAdditionsOf = (values: Fields, symbol = values.symbol): readonly FieldChange[] => {
  const stock = { quantity: null, ...values, symbol };
  const currency = writtenValue("currency", values.currency, stock);
  const changes = Object.entries(values).map(([field, value]) =>
    additionOf(field, amountWords(field, value, currency) ?? writtenValue(field, value, stock)),
  );
  // An amount says nothing without a currency. A stock that comes back from the trash keeps its own.
  const isPriced = Object.keys(values).some((field) => isStockField(field) && fieldSpec(field).unit === "price");
  return isPriced && values.currency === undefined
    ? [...changes, additionOf("currency", `${DEFAULT_CURRENCY} by default`)]
    : changes;
};

const additionOf = (field: string, value: unknown): FieldChange => ({
  label: labelOf(field),
  before: undefined,
  after: wordsOf(value) ?? "none",
});

/** `dryRun` becomes `Dry run`. */
const labelOf = (field: string): string => {
  if (field === "onConflict") return "If it exists";
  if (field === "pendingSplit") return "Split";
  if (isStockField(field)) return cardLabel(field);
  const words = fieldWords(field);
  return words.charAt(0).toUpperCase() + words.slice(1);
};
