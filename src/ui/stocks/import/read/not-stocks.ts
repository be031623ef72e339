/** What brokers list besides stocks. A contract or a nominal value, counted like shares, would be a position that nobody holds. */
import { isIsin } from "./by-isin.ts";
import { CASH_REASON, isCash, isTotals, readAssetType, TOTALS_REASON } from "./cells.ts";
import type { ImportField } from "./import-field.ts";

/** `AAPL270115C00200000`, with blanks before the date at Interactive Brokers, and `-AAPL270115C200` at Fidelity. */
const OPTION_SYMBOL = /^(?:[A-Z]{1,6} *\d{6}[CP]\d{8}|-[A-Z]{1,6}\d{6}[CP]\d+(?:\.\d+)?)$/i;

/** `EUR.USD` */
const PAIR = /^[A-Z]{3}\.[A-Z]{3}$/;

/** A bond has its number (CUSIP, ISIN) in place of a symbol. So do some funds, but their names have no rate. */
const NUMBER = /^\d{2}[A-Z0-9]{6}\d$/;

const BOND_TYPE = /\bbonds?\b|fixed income|anleihe|renten|obligation|obbligaz/i;

/** `0.5% EIDGENOSSENSCHAFT 2030`, `GERMANY 0% 15AG31`, `US TREASURY 4 1/4%`, `BUNDANL.V.16/26` */
const BOND_NAME = /\d[.,]\d+ ?%|\b\d+ ?% .*\d|\d\/\d+ ?%|^(?:btp|bund|oat|obl)\b|^bund(?:anl|esrep|esobl|esschatz)/i;

/** Names of what holds bonds or has a rate in its name, but is counted in shares. */
const FUND_NAME = /\b(?:etf|etp|etc|ucits|funds?|fonds|pref|pfd)\b/i;

/** Matches whole cells: a fund of "Equity options strategy" is not an option, and a share of "Future mobility" is not a future. */
const OPTION_TYPE =
  /^(?:(?:equity|stock|index|etf|futures?|commodity|currency|call|put|and|&) )*options?$|^(?:opt|optn|fop)$/i;

const FUTURE_TYPE = /^(?:(?:equity|stock|index|commodity|currency) )*futures?(?: contracts?)?$|^fut$/i;

/** E*Trade's cash is a line with nothing but its value. `CASH` is also the symbol of a company. */
const isBareCash = (text: (field: ImportField) => string | undefined): boolean =>
  text("symbol") === "CASH" &&
  (["quantity", "avgCost", "lastPrice"] as const).every((field) => text(field) === undefined) &&
  /^cash\b/i.test(text("name") ?? "cash");

/** Why a line is left out. Undefined for what may be a stock. `hasCash` as in `CellReader`. */
export const whyNoStock = (text: (field: ImportField) => string | undefined, hasCash: boolean): string | undefined => {
  const [symbol = "", type = "", name = ""] = [text("symbol"), text("assetType"), text("name")];
  // Degiro's cash has only a name, and ING's total is in the column of currencies.
  if (isCash(symbol || name) || (hasCash && isBareCash(text))) return CASH_REASON;
  if (isTotals(symbol) || isTotals(text("currency") ?? "")) return TOTALS_REASON;
  if ([type, text("transactionType") ?? ""].some((cell) => /^short$/i.test(cell)))
    return "A short position is not held.";
  if (["etf", "fund"].includes(readAssetType(type) ?? "")) return undefined;
  if (OPTION_TYPE.test(type) || OPTION_SYMBOL.test(symbol)) return "An option is not a stock.";
  if (FUTURE_TYPE.test(type)) return "A future is not a stock.";
  if (/^forex$/i.test(type) || (/^cash$/i.test(type) && PAIR.test(symbol))) return CASH_REASON;
  const isNumber = NUMBER.test(symbol) || isIsin(symbol.toUpperCase());
  const isBond = BOND_TYPE.test(type) || BOND_NAME.test(name);
  return isNumber && isBond && !FUND_NAME.test(name) ? BOND_REASON : undefined;
};

const BOND_REASON = "A bond is not a stock: its quantity is a nominal value, and its price a percentage.";

/** The header of what became of an order. */
const STATE_NAME = /^(?:order ?)?(?:status|state)$/i;

const NOT_DONE =
  /^\s*(?:cancel|reject|expired|pending(?! settle)|failed|declined|storniert|abgelehnt|abgebrochen|gelöscht|gestrichen|offen|verfallen)/i;

/** ING's header of what it counts: `Stück`, or the currency of a bond's nominal value. */
const UNIT_NAME = /^einheitskennzeichen$/i;

/** Whether a column, of which nothing is kept, may say that a line does not count. */
export const tellsApart = (header: string, hasTrades: boolean): boolean =>
  UNIT_NAME.test(header) || (hasTrades && STATE_NAME.test(header));

/** Why a line does not count, by a cell of such a column. */
export const whyApart = (header: string, cell: string): string | undefined => {
  if (UNIT_NAME.test(header)) return /^(?:stück)?$/i.test(cell.trim()) ? undefined : "It is not counted in shares.";
  return NOT_DONE.test(cell) ? "Not executed." : undefined;
};
