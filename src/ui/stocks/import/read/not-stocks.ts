/** What brokers list beside stocks. A contract or a nominal value, counted like shares, would be a position that nobody holds. */
import { CASH_REASON, isCash, isTotals, readAssetType, TOTALS_REASON } from "./cells.ts";

type Line = {
  readonly symbol: string;
  readonly type: string | undefined;
  readonly name: string | undefined;
  /** Whether the file has costs, and this line neither a quantity nor a price, such as E*Trade's line `CASH`. */
  readonly isBare: boolean;
};

/** `AAPL270115C00200000`, with blanks before the date at Interactive Brokers, and `-AAPL270115C200` at Fidelity. */
const OPTION_SYMBOL = /^(?:[A-Z]{1,6} *\d{6}[CP]\d{8}|-[A-Z]{1,6}\d{6}[CP]\d+(?:\.\d+)?)$/i;

/** `EUR.USD` */
const PAIR = /^[A-Z]{3}\.[A-Z]{3}$/;

/** A bond has no symbol: its number (CUSIP) stands there. So it does for some funds, which have no rate in their name. */
const NUMBER = /^\d{2}[A-Z0-9]{6}\d$/;

/** Why a line is left out. Undefined for what may be a stock. */
export const whyNoStock = ({ symbol, type = "", name = "", isBare }: Line): string | undefined => {
  if (isCash(symbol) || (isBare && symbol === "CASH")) return CASH_REASON;
  if (isTotals(symbol)) return TOTALS_REASON;
  if (["etf", "fund"].includes(readAssetType(type) ?? "")) return undefined;
  if (/\boptions?\b|^(?:opt|optn|fop)$/i.test(type) || OPTION_SYMBOL.test(symbol)) return "An option is not a stock.";
  if (/\bfutures?\b|^fut$/i.test(type)) return "A future is not a stock.";
  if (/\bforex\b/i.test(type) || (/^cash$/i.test(type) && PAIR.test(symbol))) return CASH_REASON;
  return NUMBER.test(symbol) && (/bond|fixed income/i.test(type) || /\d\.\d+%/.test(name)) ? BOND_REASON : undefined;
};

const BOND_REASON = "A bond is not a stock: its quantity is a nominal value, and its price a percentage.";
