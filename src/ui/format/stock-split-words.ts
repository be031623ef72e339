/** What a split makes of a holding and its targets, in words: for its person on the stock, and on the agent's request. */
import { writeOut } from "../../contract/stocks/canonical-decimal.ts";
import type { Stock } from "../../contract/stocks/stock.ts";
import { formatPrice } from "./format-money.ts";
import { formatQuantity, LOCALE } from "./format-number.ts";
import { DATES } from "./price-age.ts";

/** The values that a split scales, and the split. */
export type SplitFacts = Pick<
  Stock,
  "symbol" | "currency" | "quantity" | "avgCost" | "targetLow" | "targetHigh" | "pendingSplit"
>;

/** Shown where `splitWords` has no words. */
export const NOTHING_TO_SCALE = "there is no quantity, cost or target to change.";

/** Decimals of an amount after a split (api.md §5). */
const MAX_DECIMALS = 10;

/** For the words alone: the server scales exactly. */
const scale = (amount: string, up: number, down: number): string =>
  writeOut(Number(((Number(amount) * up) / down).toFixed(MAX_DECIMALS)));

/** `NVDA split 10:1 on 10 Jun`; empty when no split waits. */
export const splitTitle = ({ symbol, pendingSplit }: Pick<SplitFacts, "symbol" | "pendingSplit">): string =>
  pendingSplit === null
    ? ""
    : `${symbol} split ${pendingSplit.numerator}:${pendingSplit.denominator} on ${DATES.format(Date.parse(pendingSplit.day))}`;

/** `25 × $118.20 becomes 250 × $11.82, target $120.00 becomes $12.00.` */
export const splitWords = ({
  pendingSplit,
  quantity,
  avgCost,
  targetLow,
  targetHigh,
  currency,
}: SplitFacts): string => {
  if (pendingSplit === null) return "";
  const { numerator, denominator } = pendingSplit;
  const price = (amount: string) => formatPrice(amount, currency, LOCALE);
  const cheaper = (amount: string) => price(scale(amount, denominator, numerator));
  const more = (amount: string) => formatQuantity(scale(amount, numerator, denominator), LOCALE);
  const holding =
    quantity === null || quantity === "0"
      ? []
      : avgCost === null
        ? [`${formatQuantity(quantity, LOCALE)} becomes ${more(quantity)}`]
        : [`${formatQuantity(quantity, LOCALE)} × ${price(avgCost)} becomes ${more(quantity)} × ${cheaper(avgCost)}`];
  const targets = [targetLow, targetHigh].filter((target) => target !== null);
  const scaled = targets.map((target) => `target ${price(target)} becomes ${cheaper(target)}`);
  const all = [...holding, ...scaled].join(", ");
  return all === "" ? "" : `${all}.`;
};
