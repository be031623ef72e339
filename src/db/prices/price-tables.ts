/** Tables of prices: what a person chose about them, the exchange rates of all, and what is known of listings. */
import { sql } from "drizzle-orm";
import { check, index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { OwnerEmail } from "../../contract/ids.ts";
import type { QuoteSourceId } from "../../contract/settings/price-settings.ts";

/** What a person has set; without a row everything has its default. */
export const settings = sqliteTable(
  "settings",
  {
    ownerEmail: text("owner_email").$type<OwnerEmail>().primaryKey(),
    baseCurrency: text("base_currency"),
    /** The source of the person's own key, and the key, encrypted (`quotes/keys/seal-key.ts`). */
    quotesSource: text("quotes_source").$type<QuoteSourceId>(),
    quotesKey: text("quotes_key"),
  },
  (table) => [check("settings_base_currency", sql`length(${table.baseCurrency}) BETWEEN 3 AND 3`)],
);

/** Reference rates, one row a day: about thirty currencies, any of which a list may need. */
export const fx = sqliteTable("fx", {
  day: text("day").primaryKey(),
  /** JSON: units of each currency for one euro, as decimal text. */
  rates: text("rates").notNull(),
  /** When the source was asked last and still had this day as its newest. */
  fetchedAtMs: integer("fetched_at_ms").notNull(),
});

/** Listings that prices are fetched for. A listing belongs to one scope: the owner of a key, or the deployment. */
export const instruments = sqliteTable(
  "instruments",
  {
    /** Computed from what identifies the listing, so that a scope has one row for it (`listingId`). */
    id: text("id").primaryKey(),
    /** Hash of the owner's e-mail, or `deployment`. */
    scope: text("scope").notNull(),
    source: text("source").notNull(),
    /** In the source's own notation. */
    symbol: text("symbol").notNull(),
    mic: text("mic"),
    currency: text("currency").notNull(),
    name: text("name").notNull(),
    /** Why the last request gave no price; null when it did. */
    refused: text("refused"),
    /** When its price was asked for last. */
    askedAtMs: integer("asked_at_ms").notNull(),
  },
  (table) => [index("instruments_scope").on(table.scope, table.askedAtMs)],
);

/** The last believed price of each listing. */
export const quotes = sqliteTable(
  "quotes",
  {
    instrumentId: text("instrument_id")
      .primaryKey()
      .references(() => instruments.id, { onDelete: "cascade" }),
    /** Null while the first price is held. */
    price: text("price"),
    previousClose: text("previous_close"),
    asOf: text("as_of"),
    /** JSON of a `QuoteMark`: what stocks show beside price and time. */
    mark: text("mark").notNull(),
    /** JSON of a `HeldPrice`. */
    pending: text("pending"),
    fetchedAtMs: integer("fetched_at_ms").notNull(),
  },
  (table) => [
    check("quotes_price", sql`(${table.price} IS NULL) = (${table.asOf} IS NULL)`),
    check("quotes_amounts", sql`coalesce(${table.price}, '0') NOT GLOB '*[^0-9.]*'`),
  ],
);

/** Daily closes, adjusted for splits, a row a year. */
export const closes = sqliteTable(
  "closes",
  {
    instrumentId: text("instrument_id")
      .notNull()
      .references(() => instruments.id, { onDelete: "cascade" }),
    year: integer("year").notNull(),
    /** JSON: `[day, close]`, oldest first. */
    closes: text("closes").notNull(),
  },
  (table) => [primaryKey({ columns: [table.instrumentId, table.year] })],
);

/** Splits of listings, as told by a source or shown by their closes. */
export const splits = sqliteTable(
  "splits",
  {
    instrumentId: text("instrument_id")
      .notNull()
      .references(() => instruments.id, { onDelete: "cascade" }),
    day: text("day").notNull(),
    numerator: integer("numerator").notNull(),
    denominator: integer("denominator").notNull(),
  },
  (table) => [primaryKey({ columns: [table.instrumentId, table.day] })],
);
