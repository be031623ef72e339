/** Titles of the agent's changes to a stock, as tool cards and permission requests show them. */
import { isStockField } from "./stock-field-keys.ts";
import { cardLabel, fieldSpec } from "./stock-fields.ts";

/** What a change can say beyond a stock's own fields. */
const PRICE_WORDS: ReadonlyMap<string, string> = new Map([
  ["notify", "target notices"],
  ["autoPrice", "automatic price"],
  ["instrument", "price listing"],
]);

/** A field as it is named within a sentence: `buy target` for `targetLow`, and `dry run` for `dryRun`, which no stock has. */
export const fieldWords = (field: string): string =>
  isStockField(field)
    ? (fieldSpec(field).inSentence ?? cardLabel(field).toLowerCase())
    : (PRICE_WORDS.get(field) ?? field.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase());

type StockUpdate = {
  readonly set?: Readonly<Record<string, unknown>> | undefined;
  readonly split?: unknown;
  readonly restore?: unknown;
};

/** The answer to a split; undefined if there is none. */
const splitAnswer = (split: unknown): unknown =>
  typeof split === "object" && split !== null && "answer" in split ? split.answer : undefined;

/** Fields that go back to a default when they are set to null (`actions/merge-values`), unless there is no price. */
const HAS_DEFAULT = /^(?:name|assetType|currency|watched|lastPrice.+)$/;

/** `Set AMZN's buy target`, `Clear AMZN's notes`, `Reset AMZN's name`, `Watch AMZN`, `Restore AMZN`; without a symbol `Set buy target`. */
export const updateTitle = ({ set = {}, split, restore }: StockUpdate, symbol?: string): string => {
  const stock = symbol ?? "a stock";
  const answer = splitAnswer(split);
  if (answer === "apply") return `Apply the split of ${stock}`;
  if (answer === "dismiss") return `Dismiss the split of ${stock}`;
  if (answer === "undo") return `Undo the answer to ${stock}'s split`;
  const fields = Object.keys(set);
  if (restore === true) return `Restore ${stock}`;
  if (fields.length === 0) return `Leave ${stock} unchanged`;
  if (fields.length === 1 && typeof set.watched === "boolean")
    return `${set.watched ? "Watch" : "Stop watching"} ${stock}`;
  if (fields.length === 1 && typeof set.notify === "boolean")
    return `Turn ${set.notify ? "on" : "off"} notices of ${stock}'s targets`;
  const isWatch = typeof set.watched === "boolean";
  const others = fields.filter((field) => !isWatch || field !== "watched");
  const clearing = others.some((field) => HAS_DEFAULT.test(field)) ? "Reset" : "Clear";
  const verb = others.every((field) => set[field] === null) ? clearing : "Set";
  const names = others.map(fieldWords);
  const last = names.pop();
  const list = names.length === 0 ? last : `${names.join(", ")} and ${last}`;
  if (isWatch) return `${set.watched ? "Watch" : "Stop watching"} ${stock} and ${verb.toLowerCase()} its ${list}`;
  return symbol === undefined ? `${verb} ${list}` : `${verb} ${symbol}'s ${list}`;
};

/** `Delete AMZN`, `Delete 3 stocks`. `ids` undefined is one stock. */
export const deleteTitle = (ids: readonly unknown[] | undefined, symbol?: string): string =>
  `Delete ${ids === undefined ? (symbol ?? "a stock") : stocksWords(ids)}`;

/** `1 stock`, `3 stocks`. */
export const stocksWords = ({ length }: readonly unknown[]): string => `${length} stock${length === 1 ? "" : "s"}`;
