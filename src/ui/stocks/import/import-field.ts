/** What a column of a table can hold, and how its header may spell that. */

/** Fields of a stock, in the order of the export. */
export const STOCK_FIELDS = [
  "symbol",
  "name",
  "exchange",
  "isin",
  "assetType",
  "currency",
  "quantity",
  "avgCost",
  "watched",
  "targetLow",
  "targetHigh",
  "lastPrice",
  "lastPriceAt",
  "lastPriceSource",
  "sector",
  "tags",
  "notes",
] as const;
export type StockField = (typeof STOCK_FIELDS)[number];

/** Also what is read but not kept: whether a row is a purchase, and the day it speaks of. */
export type ImportField = StockField | "transactionType" | "snapshotDate";

/** Fields whose cells are numbers. */
export const AMOUNT_FIELDS = ["quantity", "avgCost", "targetLow", "targetHigh", "lastPrice"] as const;
export type AmountField = (typeof AMOUNT_FIELDS)[number];

/** A label for people, and the header of the export. */
export const FIELD_LABELS: Readonly<Record<ImportField, string>> = {
  symbol: "Symbol",
  name: "Name",
  exchange: "Exchange",
  isin: "ISIN",
  assetType: "Type",
  currency: "Currency",
  quantity: "Quantity",
  avgCost: "Average cost",
  watched: "Watched",
  targetLow: "Low target",
  targetHigh: "High target",
  lastPrice: "Last price",
  lastPriceAt: "Price time",
  lastPriceSource: "Price source",
  sector: "Sector",
  tags: "Tags",
  notes: "Notes",
  transactionType: "Transaction type",
  snapshotDate: "Date",
};

/** Spellings besides the field's own name and its label. `price` is in none: it can be what was paid or what is asked. */
const SPELLINGS: Readonly<Record<ImportField, string>> = {
  symbol: "ticker, ticker symbol, stock symbol, stock, instrument, wertpapier",
  name: "company, company name, description, security name, security, bezeichnung",
  exchange: "mic, market, exchange code, exchange operating mic, börse",
  isin: "isin code",
  assetType: "asset type, asset class, security type, instrument type, typ",
  currency: "ccy, currency code, quote currency, trading currency, währung",
  quantity: "qty, shares, units, share count, number of shares, position, anzahl, stück, quantité",
  avgCost: `avg cost, average price, avg price, purchase price, price paid, cost per share, cost basis per share, unit cost,
    buy price, average buy price, einstandskurs, kaufkurs`,
  watched: "watchlist, watching, on watchlist",
  targetLow: "low limit, target low, buy target, buy below",
  targetHigh: "high limit, target high, sell target, sell above, target price",
  lastPrice: "current price, market price, latest price, close, closing price, kurs",
  lastPriceAt: "last price at, price date, price as of, as of",
  lastPriceSource: "last price source",
  sector: "industry, branche",
  tags: "tag, labels, groups, categories",
  notes: "note, comment, comments, memo, notiz",
  transactionType: "transaction, action, side",
  snapshotDate: "",
};

/** A header as it is compared: letters and digits only, in lower case. */
export const foldHeader = (header: string): string =>
  header
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");

const FIELDS = [...STOCK_FIELDS, "transactionType", "snapshotDate"] as const;

const FIELD_BY_HEADER: ReadonlyMap<string, ImportField> = new Map(
  FIELDS.filter((field) => field !== "snapshotDate").flatMap((field) =>
    [field, FIELD_LABELS[field], ...SPELLINGS[field].split(",")]
      .map(foldHeader)
      .filter((header) => header !== "")
      .map((header): [string, ImportField] => [header, field]),
  ),
);

/** The field that a header names, in any of its spellings. */
export const fieldOfHeader = (header: string): ImportField | undefined => FIELD_BY_HEADER.get(foldHeader(header));
