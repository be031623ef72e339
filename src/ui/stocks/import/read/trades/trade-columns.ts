/** Recognizes a file of purchases and sales, and what its columns mean there and nowhere else. */
import { namesByIsin } from "../by-isin.ts";
import type { ColumnMapping } from "../import-choices.ts";
import { fieldOfHeader, foldHeader, type ImportField, namesFor } from "../import-field.ts";
import { mayBeIds } from "../positions.ts";
import { isNegative, isTradeAlone, tradeKind } from "./read-trade.ts";

const TYPE_NAMES = ["type", "typ", "art", "tipo", "transcode"];

const DATE_NAMES = `date, date time, time, timestamp, trade date, transaction date, run date, activity date, execution date, executed at,
  datum, dato, buchungsdatum, buchungstag, buchtag, ausführung datum, date opération, handelstag, ausführungsdatum, fecha, data`;

const PRICE_NAMES = `price, price per share, price / share, share price, t. price, trade price, execution price, fill price,
  unit price, preis, stückpreis, kurs, ausführungskurs, ausführung kurs, cena, preço, preços, prix, cours, precio, prezzo, quotazione, prijs, koers`;

/** Headers that are too vague in other files. What was paid for a purchase is a cost. */
export const TRADE_NAMES: Readonly<Record<string, ImportField>> = Object.fromEntries([
  ...TYPE_NAMES.map((name) => [name, "transactionType"] as const),
  ...namesFor(DATE_NAMES, "snapshotDate"),
  ...namesFor(PRICE_NAMES, "avgCost"),
  ...namesFor("no. of shares, shares traded", "quantity"),
  ...namesFor("currency (price / share), instrument currency", "currency"),
]);

/** Degiro's headers of order ids. Nothing says what an order did: it is a sale if the quantity is below zero, otherwise a purchase. */
const ORDER_NAMES = new Set(
  "order id, ordernummer, id orden, id ordine, id ordre, id da ordem, identyfikator zlecenia, id objednávky"
    .split(",")
    .map(foldHeader),
);

/** Whether the headers are those of Degiro's orders, not of its movements of money, which have the same ids but no quantity. */
const isOfDegiro = (names: readonly string[], fields: readonly (ImportField | null | undefined)[]): boolean => {
  const known = namesByIsin(names);
  const hasQuantity = fields.includes("quantity") || names.some((name) => known[foldHeader(name)] === "quantity");
  const hasUnnamed = names.some((name) => name.trim() === "");
  return hasUnnamed && fields.includes("isin") && !fields.includes("symbol") && hasQuantity;
};

/** Headers of analysts' opinions, which are written in words for trades as well. */
const OPINION_NAME = /opinion|rating|recommend|analyst|consensus|signal|empfehlung|einstufung/i;

const isOpinion = (cell: string): boolean => /^\s*(?:hold|halten|neutral|strong (?:buy|sell))\s*$/i.test(cell);

/** Cells that say how a stock is held, not what was done. At Fidelity, they say which account holds it. */
const SIDE = /^\s*(?:long|short|cash|margin)?\s*$/i;

const isLongOrShort = (cell: string): boolean => /^\s*(?:long|short)\s*$/i.test(cell);

/** What was paid and what was received. */
const MONEY_NAMES = [/^debits?\b/i, /^credits?\b/i];

type TradeColumns = {
  /**
   * True if a column says that something was bought or sold. Beside a date, also true if lines are Degiro's orders, quantities have both
   * signs, or there are columns of `money`.
   */
  readonly hasTrades: boolean;
  /** The person's mapping, with the column that says what a line did, if the cells show which column that is. */
  readonly mapping: ColumnMapping;
  /** Columns that may say what a line did where that column is blank: Freetrade's `Type` is `DIVIDEND` where `Buy / Sell` is empty. */
  readonly others: readonly number[];
  /** Columns with the ids of orders. A line without an id is what a company did, such as a split. */
  readonly orders: readonly number[];
  /** The columns of what was paid and what was received, where nothing else tells, as at interactive investor. */
  readonly money?: readonly number[];
};

/** Whether the lines are trades, and where they say so: by the header, or in cells that have nothing but the word. */
export const readTradeColumns = (
  names: readonly string[],
  rows: readonly (readonly string[])[],
  mapping: ColumnMapping,
): TradeColumns => {
  const fields = names.map((name, index) => (mapping[index] === undefined ? fieldOfHeader(name) : mapping[index]));
  const folded = names.map(foldHeader);
  const has = (index: number, test: (cell: string) => boolean): boolean =>
    rows.some((cells) => test(cells[index] ?? ""));
  const isTrade = (cell: string): boolean => ["buy", "sell"].includes(tradeKind(cell) ?? "");
  // Read from the mapping, so that it works for a table without a header too.
  const chosen = Object.keys(mapping)
    .map(Number)
    .filter((index) => mapping[index] === "transactionType");
  const free = names.map((_, index) => index).filter((index) => mapping[index] === undefined);
  const named = free.filter((index) => fields[index] === "transactionType" || TYPE_NAMES.includes(folded[index] ?? ""));
  const hasDate = folded.some((name) => TRADE_NAMES[name] === "snapshotDate");
  // Without a date it is a list of holdings: "Sell" is then what somebody means to do.
  const unnamed = free.filter(
    (index) =>
      hasDate &&
      fields[index] === undefined &&
      TRADE_NAMES[folded[index] ?? ""] === undefined &&
      !OPINION_NAME.test(names[index] ?? "") &&
      has(index, isTradeAlone) &&
      !has(index, isOpinion),
  );
  const others = [...named, ...unnamed];
  // Beside a date, somebody may have bought "Long" and sold "Short".
  const isOfSides = (index: number): boolean =>
    !hasDate && has(index, isLongOrShort) && !has(index, (cell) => !SIDE.test(cell));
  const says = (index: number): boolean => has(index, isTrade) && !isOfSides(index);
  const told = others.find(says);
  const toldBy = (index: number | undefined): ColumnMapping =>
    index === undefined || chosen.length > 0 ? mapping : { ...mapping, [index]: "transactionType" };
  if (told !== undefined || chosen.some(says)) return { hasTrades: true, mapping: toldBy(told), others, orders: [] };
  const counts = names.flatMap((name, index) =>
    fields[index] === "quantity" ? [{ index, isVague: mayBeIds(name) }] : [],
  );
  const quantity = (counts.find(({ isVague }) => !isVague) ?? counts[0])?.index ?? -1;
  const isSigned = (sign: boolean) => has(quantity, (cell) => /\d/.test(cell) && isNegative(cell) === sign);
  const sides = toldBy(named.find(isOfSides));
  const ids = isOfDegiro(names, fields) ? folded.findIndex((name) => ORDER_NAMES.has(name)) : -1;
  // Some files have the ids in the next column, which then has no name.
  const orders = ids < 0 ? [] : folded[ids + 1] === "" ? [ids, ids + 1] : [ids];
  const isFilled = (index: number): boolean => has(index, (cell) => cell.trim() !== "");
  const money = MONEY_NAMES.map((wanted) => names.findIndex((name) => wanted.test(name.trim())));
  const hasSigns = isSigned(true) && isSigned(false);
  const hasMoney = quantity >= 0 && !hasSigns && !money.includes(-1);
  const hasTrades = hasDate && (ids >= 0 || hasMoney || hasSigns);
  return {
    hasTrades,
    mapping: sides,
    others,
    orders: orders.some(isFilled) && hasTrades ? orders : [],
    ...(hasMoney && hasTrades ? { money } : {}),
  };
};
