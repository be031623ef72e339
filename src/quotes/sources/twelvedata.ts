/** Twelve Data (https://twelvedata.com/docs): tickers with a market's code; prices as text. */
import * as z from "zod";
import { ATTRIBUTIONS } from "../../contract/prices/attributions.ts";
import { currencyCode } from "../../contract/stocks/currency-codes.ts";
import type { AssetType } from "../../contract/stocks/stock-values.ts";
import { readDecimal, type ServiceAnswer, serviceUrl } from "../fetch-json.ts";
import { marketOf } from "../rules/markets.ts";
import {
  type InstrumentRef,
  type Match,
  type QuoteResult,
  type QuoteSource,
  type Refused,
  type SourceAccess,
  USUAL_PACE,
} from "./quote-source.ts";

const URL_OF_API = "https://api.twelvedata.com";

const request = (path: string, query: Readonly<Record<string, string>>, { key, baseUrl }: SourceAccess) => ({
  url: `${serviceUrl(URL_OF_API, baseUrl)}${path}?${new URLSearchParams(query)}`,
  headers: { authorization: `apikey ${key}` },
});

/** For Tokyo it knows the exchange (XJPX), and not the market (XTKS). */
const ofMarket = (mic: string | null): Readonly<Record<string, string>> =>
  mic === null ? {} : { mic_code: mic === "XTKS" ? "XJPX" : mic };

/** Refusals come with status 200 as well. */
const Failure = z.object({ code: z.int(), message: z.string().catch(""), status: z.literal("error") });

/** Undefined for an answer that is no refusal. */
const refusalOf = (status: number, body: unknown): Refused | undefined => {
  const failure = Failure.safeParse(body).data;
  const code = failure?.code ?? status;
  if (failure === undefined && status === 200) return undefined;
  // A listing outside the plan is refused with the words that sell the plan it is in.
  if (/available starting with|upgrad/i.test(failure?.message ?? "")) return { refused: "plan" };
  if (code === 401 || code === 403) return { refused: "auth" };
  if (code === 429) return { refused: "budget" };
  if (code === 404 || code === 400) return { refused: "unknown" };
  return { refused: "down" };
};

/**
 * `timestamp` is left out: it is the opening of the day's bar. Without `last_quote_at` only the day is known
 * (decision 0101).
 */
const QuoteBody = z.object({
  symbol: z.string(),
  mic_code: z.string(),
  currency: z.string(),
  datetime: z.string().catch(""),
  last_quote_at: z.int().positive().optional().catch(undefined),
  close: z.unknown().optional(),
  previous_close: z.unknown().optional(),
  is_market_open: z.boolean().nullable().catch(null),
});

/** No price is of an earlier year. Market clocks write a year before 1000 with fewer digits than a day has. */
const FIRST_YEAR = "1970";

const readQuote = ({ symbol }: InstrumentRef, status: number, body: unknown): QuoteResult => {
  const refusal = refusalOf(status, body);
  if (refusal !== undefined) return refusal;
  const { data } = QuoteBody.safeParse(body);
  const price = readDecimal(data?.close);
  const day = z.iso.date().safeParse(data?.datetime.slice(0, 10)).data;
  const atMs = data?.last_quote_at === undefined ? undefined : data.last_quote_at * 1_000;
  const asOf = atMs !== undefined ? { atMs } : day !== undefined && day > FIRST_YEAR ? { day } : undefined;
  const isBad = data?.symbol !== symbol || price === undefined || asOf === undefined;
  if (data === undefined || isBad) return { refused: "bad" };
  return {
    price,
    previousClose: readDecimal(data.previous_close) ?? null,
    mic: marketOf(data.mic_code),
    currency: currencyCode(data.currency),
    asOf,
    isMarketOpen: data.is_market_open,
  };
};

const BySymbol = z.record(z.string(), z.unknown());

const Series = z.object({
  meta: z.object({ symbol: z.string(), currency: z.string(), mic_code: z.string() }),
  values: z.array(z.object({ datetime: z.string(), close: z.unknown().optional() })),
});

const Found = z.object({
  symbol: z.string().min(1).max(32),
  instrument_name: z.string(),
  mic_code: z.string(),
  instrument_type: z.string().catch(""),
  currency: z.string(),
  access: z.object({ global: z.string(), plan: z.string() }).optional().catch(undefined),
});

const typeOf = (text: string): AssetType => {
  if (/etf/i.test(text)) return "etf";
  if (/fund|trust/i.test(text)) return "fund";
  if (/index/i.test(text)) return "index";
  return /stock|depositary|reit|preferred/i.test(text) ? "stock" : "other";
};

const toMatch = (item: unknown): Match[] => {
  const { data } = Found.safeParse(item);
  if (data === undefined) return [];
  return [
    {
      ...{ symbol: data.symbol, mic: marketOf(data.mic_code), name: data.instrument_name, isin: null },
      ...{ assetType: typeOf(data.instrument_type), currency: currencyCode(data.currency) },
      // The source names the plan that a listing needs, but not the plan of the key. A free key has the listings of Basic.
      inPlan: data.access === undefined ? null : data.access.plan === "Basic",
    },
  ];
};

export const twelveData: QuoteSource = {
  id: "twelvedata",
  attribution: ATTRIBUTIONS.twelvedata,
  batch: 8,
  isBatchOfOneMarket: true,
  namesCurrency: true,
  creditsAMinute: 8,
  creditsADay: 800,
  ...USUAL_PACE,
  adjustment: "splits",
  quotesRequest: (refs, access) =>
    request("/quote", { symbol: symbolsOf(refs).join(","), ...ofMarket(refs[0]?.mic ?? null) }, access),
  readQuotes: (refs, { status, body }) => {
    const refusal = refusalOf(status, body);
    if (refusal !== undefined) return refs.map(() => refusal);
    // The answer for a single listing is flat.
    if (symbolsOf(refs).length === 1) return refs.map((ref) => readQuote(ref, status, body));
    const bySymbol = BySymbol.safeParse(body).data ?? {};
    return refs.map((ref) => readQuote(ref, 200, bySymbol[ref.symbol]));
  },
  historyRequest: ({ symbol, mic }, fromDay, access) =>
    request(
      "/time_series",
      {
        ...{ symbol, ...ofMarket(mic), interval: "1day", start_date: fromDay },
        ...{ adjust: "splits", order: "ASC", outputsize: "5000" },
      },
      access,
    ),
  readHistory: (ref, { status, body }) => {
    const refusal = refusalOf(status, body);
    if (refusal !== undefined) return refusal;
    const { data } = Series.safeParse(body);
    if (data === undefined || !isOf(ref, data.meta)) return { refused: "bad" };
    return {
      bars: data.values.flatMap(({ datetime, close }) => {
        const price = readDecimal(close);
        const day = z.iso.date().safeParse(datetime.slice(0, 10)).data;
        return price === undefined || day === undefined ? [] : [{ day, close: price }];
      }),
    };
  },
  searchWords: (q) => q,
  searchRequest: (q, access) => request("/symbol_search", { symbol: q, outputsize: "20", show_plan: "true" }, access),
  readMatches: ({ status, body }: ServiceAnswer) => {
    const list = z.object({ data: z.array(z.unknown()) }).safeParse(body).data;
    return refusalOf(status, body) ?? (list === undefined ? { refused: "bad" } : list.data.flatMap(toMatch));
  },
  // Without a market, the source would choose one itself.
  symbolOf: (symbol, mic) => (mic === null ? undefined : symbol),
  listedSymbol: (symbol) => symbol,
};

/** Each symbol once: it may be stored under two currencies, one of them wrong. */
const symbolsOf = (refs: readonly InstrumentRef[]): string[] => [...new Set(refs.map(({ symbol }) => symbol))];

/** Whether a series belongs to the listing that was asked for. */
const isOf = (ref: InstrumentRef, { symbol, currency, mic_code }: z.infer<typeof Series>["meta"]): boolean =>
  symbol === ref.symbol &&
  currencyCode(currency) === ref.currency &&
  (ref.mic === null || marketOf(mic_code) === marketOf(ref.mic));
