/** Refusals that several stock actions share, with the texts of CONTRACT §1 and §5. */
import { AppError } from "../contract/app-error.ts";
import { MAX_LIVE_STOCKS } from "../contract/stock.ts";

/** Unknown, deleted, and somebody else's alike. */
export const stockNotFound = (): AppError => new AppError(404, "Stock not found.");

/** Text of the refusal of a second live stock of one symbol and exchange. */
export const alreadyListed = (symbol: string): string => `${symbol} is already in your list.`;

/** Text of the refusal of one stock too many. */
export const LIST_IS_FULL = `You have ${MAX_LIVE_STOCKS.toLocaleString("en-US")} stocks, the limit. Delete some first.`;
