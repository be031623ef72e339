/** Rules between the fields of a stock. They hold for the merged record, whichever field a patch touched. */
import type { StockValues } from "../contract/stock.ts";
import { isHeld } from "./derive-figures.ts";
import { compare } from "./exact.ts";

/** What is wrong with a stock's values, as `<field>: <remedy>` joined by `; `; undefined when they can stand. */
export const findProblems = (values: StockValues): string | undefined => {
  const { avgCost, targetLow, targetHigh, lastPrice, lastPriceAt, lastPriceSource } = values;
  const problems = [
    avgCost !== null && !isHeld(values) && "avgCost: needs a quantity above 0, otherwise set it to null",
    targetLow !== null &&
      targetHigh !== null &&
      compare(targetLow, targetHigh) >= 0 &&
      "targetLow: use less than targetHigh",
    lastPrice === null && lastPriceAt !== null && "lastPriceAt: needs a lastPrice",
    lastPrice === null && lastPriceSource !== null && "lastPriceSource: needs a lastPrice",
  ].filter((problem) => problem !== false);
  return problems.length === 0 ? undefined : problems.join("; ");
};
