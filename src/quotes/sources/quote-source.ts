/**
 * The seam of a price source: requests and answers as pure functions. Who sends them, when, and what is believed is decided elsewhere.
 */
import type { Split } from "../../contract/prices/price-fields.ts";
import type { PriceSourceId } from "../../contract/settings/price-settings.ts";
import type { AssetType } from "../../contract/stocks/stock-values.ts";
import type { ServiceAnswer, ServiceRequest } from "../fetch-json.ts";

/** A listing as a source knows it. */
export type InstrumentRef = {
  /** In the source's own notation. */
  readonly symbol: string;
  /** The code of the market, not of a segment; null where nobody said. */
  readonly mic: string | null;
  /** The currency of its prices, which may be hundredths such as GBX. */
  readonly currency: string;
};

/**
 * Why there is no price: nobody knows it, the plan does not include it, the budget is used up, the key is refused, no answer, or nonsense.
 */
export type RefusalReason = "unknown" | "plan" | "budget" | "auth" | "down" | "bad";

export type Refused = { readonly refused: RefusalReason };

/** A price as a source states it; nothing is converted. */
export type Quote = {
  readonly price: string;
  readonly previousClose: string | null;
  /** What the source says of itself; null where it says nothing. */
  readonly mic: string | null;
  readonly currency: string | null;
  /** The time of the trade, or only its day in the market's own calendar. */
  readonly asOf: { readonly atMs: number } | { readonly day: string };
  readonly isMarketOpen: boolean | null;
};

/** That a listing has not traded today. The source knows its last close, but not of which day it is. */
type Untraded = { readonly untraded: { readonly lastClose: string } };

export type QuoteResult = Quote | Untraded | Refused;

/** Closes of a listing, oldest first. `day` is `YYYY-MM-DD` in the market's calendar. */
type Bars = { readonly bars: readonly { readonly day: string; readonly close: string }[] };

/** A listing that a search found. */
export type Match = {
  readonly symbol: string;
  readonly mic: string | null;
  readonly name: string;
  readonly assetType: AssetType;
  readonly currency: string;
  readonly isin: string | null;
  /** Whether the plan of the key includes its prices; null when the source does not say. */
  readonly inPlan: boolean | null;
};

/** A match, with the symbol that a stock of it has. */
export type ListedMatch = Match & { readonly listed: string };

/** Where requests go, and the key they carry. */
export type SourceAccess = { readonly key: string; readonly baseUrl: string | undefined };

/** What sources ask of us by default. */
export const USUAL_PACE = { tradingPauseMs: 15 * 60_000, historiesAtOnce: 2 } as const;

export type QuoteSource = {
  readonly id: PriceSourceId;
  /** What has to be shown where its prices are. */
  readonly attribution: { readonly text: string; readonly url: string | null };
  /** Most listings in one request for quotes, and whether they must be of one market. */
  readonly batch: number;
  readonly isBatchOfOneMarket: boolean;
  /** Whether its quotes name their currency. Otherwise its search does, which is asked before a listing's first price. */
  readonly namesCurrency: boolean;
  /** What a free key may ask; a quote of one listing costs one. */
  readonly creditsAMinute: number;
  readonly creditsADay: number;
  /** How often a price is asked for while its market trades, in ms. */
  readonly tradingPauseMs: number;
  /** Histories that are fetched for small lines in one go: a credit each, and each may be a megabyte. */
  readonly historiesAtOnce: number;
  /** What closes are adjusted for as the source gives them. */
  readonly adjustment: "splits" | "none";
  quotesRequest(refs: readonly InstrumentRef[], access: SourceAccess): ServiceRequest;
  /** One result for each listing, in their order. */
  readQuotes(refs: readonly InstrumentRef[], answer: ServiceAnswer): QuoteResult[];
  /** Closes from a day on. */
  historyRequest(ref: InstrumentRef, fromDay: string, access: SourceAccess): ServiceRequest;
  readHistory(ref: InstrumentRef, answer: ServiceAnswer): Bars | Refused;
  /** Splits from a day on; a source without them is asked for its closes instead. */
  readonly splits?: {
    request(ref: InstrumentRef, fromDay: string, access: SourceAccess): ServiceRequest;
    read(answer: ServiceAnswer): Split[] | Refused;
  };
  /** The words of a search as the source takes them. */
  searchWords(q: string): string;
  /** By symbol, name or ISIN. */
  searchRequest(q: string, access: SourceAccess): ServiceRequest;
  readMatches(answer: ServiceAnswer): Match[] | Refused;
  /** The source's own notation of a listing; undefined when the source has no such market. `mic` is null where no market is named. */
  symbolOf(symbol: string, mic: string | null): string | undefined;
  /** The other way: the symbol that a stock of this listing has. */
  listedSymbol(symbol: string): string;
};
