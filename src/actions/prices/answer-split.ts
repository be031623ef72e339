/** Answers a split that waits on a stock: scales what is counted in shares, or leaves it. */
import { AppError } from "../../contract/app-error.ts";
import type { UpdateStockInput } from "../../contract/stocks/update-stock.ts";
import type { StockRow } from "../../db/stock-tables.ts";
import { divide, multiply } from "../stock-figures.ts";
import { nextVersion, type WriteMoment } from "../write-row.ts";

/** The stock after the answer. @throws {AppError} 409 when this split does not wait on it. */
export const answerSplit = (
  moment: WriteMoment,
  before: StockRow,
  { day, answer }: NonNullable<UpdateStockInput["split"]>,
): StockRow => {
  const { pendingSplit } = before;
  if (pendingSplit?.day !== day) {
    throw new AppError(409, `${before.symbol} has no split of ${day} to answer. Read it again.`);
  }
  const link = { pendingSplit: null, splitDay: day };
  if (answer === "dismiss") return nextVersion(moment, before, { link, deletedAt: null });
  const [up, down] = [String(pendingSplit.numerator), String(pendingSplit.denominator)];
  const shares = (amount: string | null) => amount && divide(multiply(amount, up), down);
  const price = (amount: string | null) => amount && divide(multiply(amount, down), up);
  const { quantity, avgCost, targetLow, targetHigh, lastPrice, lastPriceAt } = before;
  // A price of the split's day or later, such as one typed in since, counts new shares already. Both texts begin with their day.
  const isOfNewShares = lastPriceAt !== null && lastPriceAt >= day;
  const values = {
    ...before,
    ...{ quantity: shares(quantity), avgCost: price(avgCost), lastPrice: isOfNewShares ? lastPrice : price(lastPrice) },
    ...{ targetLow: price(targetLow), targetHigh: price(targetHigh) },
  };
  const { autoPrice, quoteMark } = before;
  return nextVersion(moment, before, { values, link: { ...link, autoPrice, quoteMark }, deletedAt: null });
};
