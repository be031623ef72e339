/** What brokers list beside stocks. A contract or a nominal value, counted like shares, would be a position that nobody holds. */
import { CASH_REASON, isCash, isTotals, readAssetType, TOTALS_REASON } from "./cells.ts";
import type { ImportField } from "./import-field.ts";

/** `AAPL270115C00200000`, with blanks before the date at Interactive Brokers, and `-AAPL270115C200` at Fidelity. */
const OPTION_SYMBOL = /^(?:[A-Z]{1,6} *\d{6}[CP]\d{8}|-[A-Z]{1,6}\d{6}[CP]\d+(?:\.\d+)?)$/i;

/** `EUR.USD` */
const PAIR = /^[A-Z]{3}\.[A-Z]{3}$/;

/** A bond has no symbol: its number (CUSIP) stands there. So it does for some funds, which have no rate in their name. */
const NUMBER = /^\d{2}[A-Z0-9]{6}\d$/;

/** Why a line is left out. Undefined for what may be a stock. `hasCosts` as in `CellReader`. */
export const whyNoStock = (text: (field: ImportField) => string | undefined, hasCosts: boolean): string | undefined => {
  const [symbol = "", type = "", name = ""] = [text("symbol"), text("assetType"), text("name")];
  // E*Trade's cash is a line with nothing but its value. It is also the symbol of a company.
  const isBare = hasCosts && text("quantity") === undefined && text("avgCost") === undefined;
  if (isCash(symbol) || (isBare && symbol === "CASH")) return CASH_REASON;
  if (isTotals(symbol)) return TOTALS_REASON;
  if ([type, text("transactionType") ?? ""].some((cell) => /^short$/i.test(cell)))
    return "A short position is not held.";
  if (["etf", "fund"].includes(readAssetType(type) ?? "")) return undefined;
  if (/\boptions?\b|^(?:opt|optn|fop)$/i.test(type) || OPTION_SYMBOL.test(symbol)) return "An option is not a stock.";
  if (/\bfutures?\b|^fut$/i.test(type)) return "A future is not a stock.";
  if (/\bforex\b/i.test(type) || (/^cash$/i.test(type) && PAIR.test(symbol))) return CASH_REASON;
  return NUMBER.test(symbol) && (/bond|fixed income/i.test(type) || /\d\.\d+%/.test(name)) ? BOND_REASON : undefined;
};

const BOND_REASON = "A bond is not a stock: its quantity is a nominal value, and its price a percentage.";
