/** What the agent's answer to a split would do, in the words that its person reads on the stock. */

import { isRecord } from "../../../contract/parse-json.ts";
import { NOTHING_TO_SCALE, type SplitFacts, splitTitle, splitWords } from "../../format/split-words.ts";

type Fields = Readonly<Record<string, unknown>>;

const NOT_THEIRS = "not yours. Quantity, cost and targets stay as they are.";

/** Undefined for what is not an answer to the split that waits on `stock`, or says more than that. */
export const splitAnswerWords = (split: unknown, stock: Fields): string | undefined => {
  if (!isRecord(split) || !isSplitFacts(stock) || stock.pendingSplit?.day !== split.day) return undefined;
  const { day: _, answer, ...rest } = split;
  if (Object.keys(rest).length > 0) return undefined;
  if (answer === "apply") return `${splitTitle(stock)}: ${splitWords(stock) || NOTHING_TO_SCALE}`;
  return answer === "dismiss" ? `${splitTitle(stock)}: ${NOT_THEIRS}` : undefined;
};

const isAmount = (value: unknown): value is string | null => value === null || typeof value === "string";

/** Whether the stock that the server sent with the request has what the words are made of. */
const isSplitFacts = (stock: Fields): stock is Fields & SplitFacts => {
  const { symbol, currency, quantity, avgCost, targetLow, targetHigh, pendingSplit } = stock;
  return (
    typeof symbol === "string" &&
    typeof currency === "string" &&
    [quantity, avgCost, targetLow, targetHigh].every(isAmount) &&
    isRecord(pendingSplit) &&
    typeof pendingSplit.day === "string" &&
    typeof pendingSplit.numerator === "number" &&
    typeof pendingSplit.denominator === "number"
  );
};
