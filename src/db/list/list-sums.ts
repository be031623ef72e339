/** What a list says of all stocks that its filter matches: their count, the terms of the totals, and what else the totals need. */
import { type SQL, sql } from "drizzle-orm";
import type { OwnerEmail } from "../../contract/ids.ts";
import { parseJson } from "../../contract/parse-json.ts";
import { COMPOSITE, hoursMarketOf } from "../../contract/prices/hours-market.ts";
import { Instrument } from "../../contract/prices/price-fields.ts";
import { type MovedPrice, readMoved, selectMoved } from "../prices/copy-prices.ts";
import { EuroRates } from "../prices/fx.ts";
import type { StockResult } from "./listed-stock.ts";

/** Terms of the totals: one holding's currency, cost basis, market value and gain. */
export type HoldingFigures = readonly [
  currency: string,
  cost: string | null,
  value: string | null,
  gain: string | null,
];

/** The same, with what is known of the price. */
export type Holding = readonly [
  ...HoldingFigures,
  pricedAt: string | null,
  quantity: string | null,
  dayChange: string | null,
  exchange: string | null,
  /** JSON of a `QuoteMark`. */
  quoteMark: string | null,
];

/** Whether a row is a term of the totals. */
export const isHolding = ({ status }: StockResult): boolean => status === "holding";

/** A row as a term of the totals. */
export const figuresOf = (stock: StockResult): Holding => [
  ...([stock.currency, stock.costBasis, stock.marketValue, stock.gain, stock.lastPriceAt] as const),
  ...([stock.quantity, stock.dayChange, marketOfResult(stock), stock.quoteMark] as const),
];

/** The market whose clock the price follows: that of the listing it is linked to. */
const marketOfResult = ({ instrument, exchange }: StockResult): string | null =>
  hoursMarketOf(instrument === null ? null : Instrument.parse(parseJson(instrument)), exchange);

/** The same market, from a row in SQL. */
const HOURS_MARKET = `coalesce(instrument->>'exchange', exchange, CASE WHEN instrument->>'source' = '${COMPOSITE.source}'
  AND instrument->>'symbol' GLOB '*${COMPOSITE.end}' THEN '${COMPOSITE.market}' END)`;

/**
 * Columns that each hold a part of the holdings as JSON: thousands of small rows cost more than a few texts, and D1 makes no text of over
 * 2 MB. A holding takes 400 bytes at most, so the 15,000 of a full trash and the list deleted after it take 1.5 MB in each column.
 */
const HOLDINGS = ["holdings0", "holdings1", "holdings2", "holdings3"] as const;

/** The row of the sums. It counts no stocks when the first page holds everything. */
export type SumsResult = {
  readonly [part in (typeof HOLDINGS)[number]]: string;
} & {
  readonly total: number;
  readonly baseCurrency: string | null;
  /** JSON of `EuroRates`. */
  readonly rates: string | null;
  /** JSON of `MovedPrice`s. */
  readonly moved: string | null;
  readonly hasKey: 0 | 1;
};

/** What a list's totals need beside its holdings. */
export type ListParts = {
  /** The person's currency, if they chose one, and the newest rates. */
  readonly baseCurrency: string | undefined;
  readonly rates: EuroRates | undefined;
  /** With the first page only: prices that have moved since they were copied. */
  readonly moved: readonly MovedPrice[];
  /** Whether the owner has a key of their own. */
  readonly hasKey: boolean;
};

/** Reads these parts from the row of the sums. */
export const readParts = (sums: SumsResult | undefined): ListParts => ({
  baseCurrency: sums?.baseCurrency ?? undefined,
  rates: sums?.rates ? EuroRates.parse(parseJson(sums.rates)) : undefined,
  moved: sums?.moved ? readMoved(sums.moved) : [],
  hasKey: sums?.hasKey === 1,
});

const HOLDING = `json_array(currency, cost_basis, market_value, gain, last_price_at, quantity, day_change, ${HOURS_MARKET}, quote_mark)`;

const SELECT_HOLDINGS = sql.raw(
  HOLDINGS.map((part, nth) => {
    // The part is tested first, so that the status is looked at only once for each row.
    const isInPart = `stocks.rowid % ${HOLDINGS.length} = ${nth} AND status = 'holding'`;
    return `json_group_array(${HOLDING}) FILTER (WHERE ${isInPart}) AS ${part}`;
  }).join(),
);

/** Selects the sums, and with them what a total in the person's currency needs, so that a list sends no further statement for it. */
export const selectSums = (
  owner: OwnerEmail,
  matches: SQL,
  { after, limit }: { readonly after: unknown; readonly limit: number },
): SQL => sql`
  SELECT count(*) AS "total", ${SELECT_HOLDINGS},
    (SELECT base_currency FROM settings WHERE owner_email = ${owner}) AS "baseCurrency",
    (SELECT json_object('day', day, 'rates', json(rates)) FROM fx ORDER BY day DESC LIMIT 1) AS "rates",
    ${after === undefined ? sql`(${selectMoved(owner)})` : sql`NULL`} AS "moved",
    EXISTS (SELECT 1 FROM settings WHERE owner_email = ${owner} AND quotes_key IS NOT NULL) AS "hasKey"
  FROM ${after === undefined ? sql`${behindPage(matches, limit)} CROSS JOIN` : sql``} stocks WHERE ${matches}`;

/** One row if the first page leaves any stock out, otherwise none: then the join is empty, and nothing is read for the sums. */
const behindPage = (matches: SQL, limit: number): SQL =>
  sql`(SELECT 1 FROM stocks WHERE ${matches} LIMIT 1 OFFSET ${limit})`;

/** The terms of the totals, from their JSON. */
export const readHoldings = (sums: SumsResult | undefined): Holding[] =>
  HOLDINGS.flatMap((part) => {
    const holdings = parseJson(sums?.[part] ?? "[]");
    if (Array.isArray(holdings) && holdings.every(isHoldingTuple)) return holdings;
    throw new Error("The figures of the holdings are not a list.");
  });

const isHoldingTuple = (value: unknown): value is Holding =>
  Array.isArray(value) && value.length === 9 && value.every((part) => part === null || typeof part === "string");
