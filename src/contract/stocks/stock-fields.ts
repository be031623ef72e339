/**
 * The fields of a stock that can be written: what each is called, what kind of value it has, where the form and the details
 * show it, and how files spell it. The form, its patch, the permission card, the import and the export are derived from this
 * table; all fields are exported. Without zod, so that the app can use it.
 *
 * ARCHITECTURE.md, "Adding a stock field", lists what else a new one touches.
 */

import type { StockFieldSpec } from "./stock-field-spec.ts";

/** The choices of `assetType`, with their labels. */
export const ASSET_TYPES = { stock: "Stock", etf: "ETF", fund: "Fund", index: "Index", other: "Other" } as const;

/** In the order of the export. No field is spelled `price`: it can mean what was paid or the last price. */
export const STOCK_FIELDS = {
  symbol: {
    kind: "symbol",
    label: "Symbol",
    spellings: "ticker, ticker symbol, stock symbol, stock, instrument, wertpapier, kürzel, symbole, símbolo, simbolo",
    isSortable: true,
  },
  name: {
    kind: "text",
    label: "Name",
    spellings: `company, company name, description, security name, security, bezeichnung, titel, firma, unternehmen, nom,
      libellé, naam`,
    isSortable: true,
    hint: "Leave it empty to show the symbol.",
  },
  exchange: {
    kind: "text",
    label: "Exchange",
    spellings: "mic, market, exchange code, exchange operating mic, börse",
    isNullable: true,
    isUpperCase: true,
    hint: "Market code, such as XNAS.",
  },
  isin: {
    kind: "text",
    label: "ISIN",
    inSentence: "ISIN",
    spellings: "isin code",
    isNullable: true,
    isUpperCase: true,
  },
  assetType: {
    kind: "choice",
    label: "Type",
    card: "Asset type",
    spellings: "asset type, asset class, security type, instrument type, typ",
  },
  currency: {
    kind: "currency",
    label: "Currency",
    spellings: `ccy, currency code, quote currency, trading currency, price currency, currencyprimary, währung, devise,
      divisa, moneda, valuta`,
  },
  quantity: {
    kind: "decimal",
    label: "Quantity",
    spellings: `qty, shares, units, share count, number of shares, position, anzahl, stück, stückzahl, menge, bestand,
      quantité, cantidad, quantità, quantidade, aantal`,
    isNullable: true,
    isSortable: true,
    unit: "shares",
    range: "zero_or_more",
  },
  avgCost: {
    kind: "decimal",
    label: "Average cost per share",
    column: "Average cost",
    card: "Avg. cost",
    inSentence: "average cost",
    spellings: `avg cost, average price, avg price, purchase price, price paid, cost per share, cost basis per share,
      unit cost, cost price, buy price, average buy price, average purchase price, purchase price per share, einstandskurs,
      einstandspreis, kaufkurs, kaufpreis, kaufpreis pro stück, kaufpreis je stück, kaufpreis pro aktie, einkaufspreis,
      einkaufskurs, ø kaufkurs, ø kaufpreis, ø einstandskurs, durchschnittskurs, durchschnittspreis,
      durchschnittlicher kaufpreis, prix d'achat, prix de revient, prix de revient unitaire, pru, prix moyen,
      precio de compra, precio medio, prezzo di acquisto, prezzo d'acquisto, prezzo medio, preço médio,
      preço de compra, aankoopprijs, aankoopkoers`,
    isNullable: true,
    isSortable: true,
    unit: "price",
    range: "zero_or_more",
  },
  watched: {
    kind: "flag",
    label: "On the watchlist",
    column: "Watched",
    spellings: "watchlist, watching, on watchlist",
  },
  targetLow: {
    kind: "decimal",
    label: "Buy at or below",
    column: "Low target",
    card: "Buy target",
    spellings: "low limit, target low, buy target, buy below",
    isNullable: true,
    unit: "price",
    range: "more_than_zero",
  },
  targetHigh: {
    kind: "decimal",
    label: "Sell at or above",
    column: "High target",
    card: "Sell target",
    spellings: "high limit, target high, sell target, sell above, target price",
    isNullable: true,
    unit: "price",
    range: "more_than_zero",
  },
  lastPrice: {
    kind: "decimal",
    label: "Last price",
    spellings: `current price, market price, latest price, close, closing price, kurs, aktueller kurs, letzter kurs,
      aktueller preis, cours, dernier cours, cours actuel`,
    isNullable: true,
    isSortable: true,
    unit: "price",
    range: "zero_or_more",
  },
  lastPriceAt: {
    kind: "time",
    label: "Price time",
    card: "Last price at",
    spellings: "last price at, price date, price as of, as of",
    isNullable: true,
    isStamped: true,
  },
  lastPriceSource: {
    kind: "text",
    label: "Price source",
    card: "Last price source",
    spellings: "last price source",
    isNullable: true,
    isStamped: true,
  },
  sector: { kind: "text", label: "Sector", spellings: "industry, branche", isNullable: true },
  tags: { kind: "tags", label: "Tags", spellings: "tag, labels, groups, categories" },
  notes: {
    kind: "text",
    label: "Notes",
    spellings: "note, comment, comments, memo, notiz, notizen, bemerkung, kommentar",
    isNullable: true,
  },
} as const satisfies Readonly<Record<string, StockFieldSpec>>;

/** The form, group by group. A group without a title is always open. */
export const FORM_GROUPS = [
  { title: undefined, about: undefined, fields: ["symbol", "name", "watched"] },
  { title: "Holding", about: "quantity, cost, price", fields: ["quantity", "avgCost", "currency", "lastPrice"] },
  { title: "Targets", about: "when to buy or sell", fields: ["targetLow", "targetHigh"] },
  {
    title: "More",
    about: "tags, notes, exchange",
    fields: ["tags", "notes", "assetType", "sector", "exchange", "isin"],
  },
] as const;

/** The group "About" of the details, in its order. What is unknown is left out. Other fields have places of their own there. */
export const ABOUT_FIELDS = ["assetType", "currency", "exchange", "isin", "sector", "tags"] as const;

export type StockFieldKey = keyof typeof STOCK_FIELDS;

/** What a decimal counts. `ui/format/amount-units.ts` says how amounts of each unit are written and read. */
export type AmountUnit = Extract<(typeof STOCK_FIELDS)[StockFieldKey], { readonly unit: string }>["unit"];

/** What the table says of a field. */
export const fieldSpec = (key: StockFieldKey): StockFieldSpec & { readonly unit?: AmountUnit } => STOCK_FIELDS[key];

/** A field's label on a permission card. */
export const cardLabel = (key: StockFieldKey): string => {
  const { card, column, label } = fieldSpec(key);
  return card ?? column ?? label;
};
