/** Rows that portfolio programs write for cash. */

/** `$$CASH` (Yahoo), `$CASH-USD` (Wealthfolio). */
export const isCash = (symbol: string): boolean => /^\$+CASH/i.test(symbol.trim());

/** Why such a row is left out. */
export const CASH_REASON = "Cash is not a stock.";
