/** A caller's stock: how it is found and shown, and the refusals that actions share. */
import { AppError } from "../contract/app-error.ts";
import { StockId } from "../contract/ids.ts";
import { groupDigits } from "../contract/plain-text.ts";
import { MAX_LIVE_STOCKS, MAX_TRASHED_STOCKS, type Stock } from "../contract/stocks/stock.ts";
import { findStock } from "../db/find-stocks.ts";
import type { StockRow } from "../db/stock-tables.ts";
import { clockAt } from "../quotes/rules/market-clock.ts";
import type { ActionContext } from "./define-action.ts";
import { statedStock } from "./prices/stated-stock.ts";

/** The caller's stock, live or in the trash. Undefined for anything else, including text that is not an id (api.md §1). */
export const findOwnStock = async ({ db, caller }: ActionContext, id: string): Promise<StockRow | undefined> => {
  const stockId = StockId.safeParse(id);
  return stockId.success ? findStock(db, caller.ownerEmail, stockId.data) : undefined;
};

/** The record of a row at a moment, without the owner and the columns that only the database needs. */
export const toStock = (row: StockRow, nowMs: number): Stock => {
  const { ownerEmail, searchText, nameKey, tagKeys, mutationId, splitDay, alertMarks, ...stock } = row;
  return statedStock(stock, clockAt(nowMs), nowMs);
};

/**
 * Refuses an agent's call if what it changes is no longer what the person was shown: `ctx.basis` is none of `bases` (decision 0205).
 */
export const requireBasis = (ctx: ActionContext, bases: readonly string[], symbol = "The selection"): void => {
  if (ctx.basis === undefined || bases.includes(ctx.basis)) return;
  throw new AppError(
    409,
    `${symbol} has changed since this change was shown, so nothing was changed. Read it again, then call the tool again.`,
  );
};

/** The same refusal for stocks that are unknown, deleted, or somebody else's. */
export const stockNotFound = (): AppError => new AppError(404, "Stock not found.");

/** Why a second live stock of the same symbol and exchange is refused. */
export const alreadyListed = (symbol: string): string => `${symbol} is already in your list.`;

/** Why a stock above the limit is refused. */
export const LIST_IS_FULL = `You have ${groupDigits(MAX_LIVE_STOCKS)} stocks, the limit. Delete some first.`;

/**
 * Why nothing new is added while the trash is full. Deleting is never refused, since nobody can empty the trash. Nothing leaves the trash
 * early, because what is in it was promised for 30 days.
 */
export const TRASH_IS_FULL = `Your trash has ${groupDigits(MAX_TRASHED_STOCKS)} stocks, the limit. Restore some, or try again later: each leaves 30 days after its deletion.`;
