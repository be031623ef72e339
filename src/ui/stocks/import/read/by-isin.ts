/** Files that name stocks by their ISIN, as most brokers in Europe do, and what else is particular to Degiro's. */
import { CURRENCY_CODES } from "../../../../contract/stocks/currency-codes.ts";
import { isNoSymbol } from "./cells.ts";
import { fieldOfHeader, foldHeader, type ImportField, namesFor } from "./import-field.ts";

/** The shape of an ISIN. The server checks the check digit. */
const ISIN = /^[A-Z]{2}[A-Z0-9]{9}\d$/;

export const isIsin = (symbol: string): boolean => ISIN.test(symbol);

/** Degiro's symbols with their ISINs: `AEHR | US00760J1088`. */
const BOTH = /^(.*\S)\s*\|\s*([A-Z]{2}[A-Z0-9]{9}\d)$/;

/** What a cell of symbols holds: a symbol, an ISIN that stands for one, or both. Our own export is taken literally. */
export const readSymbolCell = (cell: string, isOwn: boolean): { readonly symbol: string; readonly isin?: string } => {
  if (isOwn) return { symbol: cell };
  if (isNoSymbol(cell)) return { symbol: "" };
  const [, symbol, isin] = BOTH.exec(cell) ?? [];
  if (symbol !== undefined && isin !== undefined) return { symbol, isin };
  const code = cell.toUpperCase();
  return ISIN.test(code) ? { symbol: code, isin: code } : { symbol: cell };
};

const isSymbolOrIsin = (name: string): boolean => /^symboo?lisin$/.test(foldHeader(name));

const isOfIsins = (name: string): boolean => /\bisin\b/i.test(name);

/** Degiro's word for a stock. In other files these are kinds of products. */
const NAMES_BESIDE_ISIN: Readonly<Record<string, ImportField>> = Object.fromEntries(
  namesFor("product, produkt, producto, prodotto, produit, produto", "name"),
);

/** Headers of a quantity in files that have Degiro's word for a stock. In other files these may count anything. */
const COUNTS_BESIDE_PRODUCT: Readonly<Record<string, ImportField>> = Object.fromEntries(
  namesFor("número, antal, antall, liczba, počet", "quantity"),
);

const isProduct = (name: string): boolean => NAMES_BESIDE_ISIN[foldHeader(name)] !== undefined;

/** In Degiro's list of holdings, an amount is a number of shares. */
const NAMES_BESIDE_BOTH: Readonly<Record<string, ImportField>> = Object.fromEntries([
  ...namesFor("amount, suma, množství", "quantity"),
  ...namesFor("closing, slotkoers, schlusskurs, schlußkurs, uzavírací", "lastPrice"),
]);

/** What headers mean only in a file with ISINs, unless another of its headers names the same field. */
export const namesByIsin = (names: readonly string[]): Readonly<Record<string, ImportField>> => {
  if (!names.some(isOfIsins)) return {};
  const hasBoth = names.some(isSymbolOrIsin);
  const named = new Set(names.map(fieldOfHeader));
  const known = {
    ...NAMES_BESIDE_ISIN,
    ...(names.some(isProduct) && !named.has("symbol") ? COUNTS_BESIDE_PRODUCT : {}),
    ...(hasBoth ? NAMES_BESIDE_BOTH : {}),
  };
  // Beside symbols, a product is a kind of order.
  const isFree = (field: ImportField): boolean =>
    !named.has(field) && (field !== "name" || hasBoth || !named.has("symbol"));
  return Object.fromEntries(Object.entries(known).filter(([, field]) => isFree(field)));
};

/**
 * The first column that has no name and holds only currency codes: Degiro's files have one after each price. In Degiro's list of
 * holdings, the codes are below "Local value". Undefined if there is no such column.
 */
export const findCurrencyColumn = (
  names: readonly string[],
  rows: readonly (readonly string[])[],
  isFree: (index: number) => boolean,
): number | undefined => {
  const mayHaveName = names.some(isSymbolOrIsin);
  const place = names.findIndex((name, index) => {
    if (!isFree(index) || (!mayHaveName && name.trim() !== "")) return false;
    const filled = rows.map((cells) => cells[index]?.trim() ?? "").filter((cell) => cell !== "");
    return filled.length > 0 && filled.every((cell) => CURRENCY_CODES.has(cell));
  });
  return place < 0 ? undefined : place;
};
