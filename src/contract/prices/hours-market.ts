/** The market whose hours a listing keeps: its own, or a substitute where its source does not tell several markets apart. */

/** What is known of a listing. */
type Traded = { readonly source: string; readonly symbol: string; readonly mic: string | null };

/** EODHD does not tell markets of the United States apart: their symbols all end like this. All of them keep New York's hours. */
export const COMPOSITE = { source: "eodhd", end: ".US", market: "XNYS" } as const;

/** The market; null where nothing is known of it. */
export const hoursMarket = ({ source, symbol, mic }: Traded): string | null =>
  mic ?? (source === COMPOSITE.source && symbol.endsWith(COMPOSITE.end) ? COMPOSITE.market : null);

/** The same for a stock: the market of the listing that its prices come from, or the stock's own market if it has no listing. */
export const hoursMarketOf = (
  instrument: { readonly source: string; readonly symbol: string; readonly exchange: string | null } | null,
  exchange: string | null,
): string | null =>
  instrument === null ? exchange : hoursMarket({ ...instrument, mic: instrument.exchange ?? exchange });
