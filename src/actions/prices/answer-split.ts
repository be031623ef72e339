/** Answers a split that waits on a stock: scales what is counted in shares, or leaves it. Takes such an answer back. */
import * as z from "zod";
import { AppError } from "../../contract/app-error.ts";
import { hoursMarketOf } from "../../contract/prices/hours-market.ts";
import { Split } from "../../contract/prices/price-fields.ts";
import type { UpdateStockInput } from "../../contract/stocks/update-stock.ts";
import { findStockEvents } from "../../db/find-stocks.ts";
import type { StockRow } from "../../db/stock-tables.ts";
import { dayAt } from "../../quotes/rules/market-clock.ts";
import type { ActionContext } from "../define-action.ts";
import { formerStock } from "../former-stock.ts";
import { findProblems } from "../merge-values.ts";
import { divide, multiply } from "../stock-figures.ts";
import { nextVersion, type WriteMoment } from "../write-row.ts";

type Answer = NonNullable<UpdateStockInput["split"]>;

/**
 * The stock after the answer. @throws {AppError} 409 when this split does not wait on it, its answer was not the last change, or the answer
 * leaves values that no stock can have.
 */
export const answerSplit = async (
  { db }: Pick<ActionContext, "db">,
  moment: WriteMoment,
  before: StockRow,
  { day, answer }: Answer,
): Promise<StockRow> => {
  if (answer !== "undo") return answered(moment, before, { day, answer });
  const [last] = await findStockEvents(db, before.ownerEmail, before.id, { limit: 1 });
  // The answer is the stock's last change, so undoing that change restores the stock.
  const isAnswer = last?.version === before.version && Answered.safeParse(last).data?.before.pendingSplit.day === day;
  const former = isAnswer ? formerStock(moment, before, [last], undefined) : undefined;
  if (former === undefined) {
    throw new AppError(409, `${before.symbol} has no answer to a split of ${day} to take back. Read it again.`);
  }
  return former;
};

const Any = z.unknown().optional();

/** An event that answered a split: then none waits, and only what an answer scales has changed. A new listing ends a split as well. */
const Answered = z.object({
  before: z.strictObject({
    pendingSplit: Split,
    ...{ quantity: Any, avgCost: Any, targetLow: Any, targetHigh: Any },
    ...{ lastPrice: Any, lastPriceAt: Any, lastPriceSource: Any },
  }),
  after: z.object({ pendingSplit: z.null() }),
});

const answered = (moment: WriteMoment, before: StockRow, { day, answer }: Answer): StockRow => {
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
  const market = hoursMarketOf(before.instrument, before.exchange);
  // A price of the split's day or later, such as one typed in since, counts new shares already.
  const isOfNewShares = lastPriceAt !== null && dayAt(market, Date.parse(lastPriceAt)) >= day;
  const values = {
    ...before,
    ...{ quantity: shares(quantity), avgCost: price(avgCost), lastPrice: isOfNewShares ? lastPrice : price(lastPrice) },
    ...{ targetLow: price(targetLow), targetHigh: price(targetHigh) },
  };
  // A few shares, or a small target, may be rounded to 0.
  const problems = findProblems(values);
  if (problems !== undefined) throw new AppError(409, problems);
  const { autoPrice, quoteMark } = before;
  return nextVersion(moment, before, { values, link: { ...link, autoPrice, quoteMark }, deletedAt: null });
};
