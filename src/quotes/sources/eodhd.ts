/** EODHD (https://eodhd.com/financial-apis): `VOD.LSE`; prices as numbers, closes as they were traded. */
import * as z from "zod";
import { ATTRIBUTIONS } from "../../contract/prices/attributions.ts";
import type { Split } from "../../contract/prices/price-fields.ts";
import { currencyCode } from "../../contract/stocks/currency-codes.ts";
import type { AssetType } from "../../contract/stocks/stock-values.ts";
import { readDecimal, type ServiceAnswer, serviceUrl } from "../fetch-json.ts";
import { MAX_SPLIT } from "../rules/split-of-closes.ts";
import {
  type Match,
  type QuoteResult,
  type QuoteSource,
  type RefusalReason,
  type Refused,
  type SourceAccess,
  USUAL_PACE,
} from "./quote-source.ts";

const URL_OF_API = "https://eodhd.com/api";

/** The source takes its key in the address alone, so no address of it may be logged. */
const request = (path: string, query: Readonly<Record<string, string>>, { key, baseUrl }: SourceAccess) => ({
  url: `${serviceUrl(URL_OF_API, baseUrl)}${path}?${new URLSearchParams({ ...query, fmt: "json", api_token: key })}`,
  refusesInText: true,
});

/** A symbol with the class of its share. */
const WITH_CLASS = /^\s*[^\s.]+(\.[A-Z]{1,2})+\s*$/i;

/** It finds nothing for words with a dot (general-data-faq.md of EodHistoricalData/eodhd-claude-skills), and lists `BRK.B` as `BRK-B`. */
const searchWords = (q: string): string => q.replaceAll(".", WITH_CLASS.test(q) ? "-" : " ").trim() || "-";

/** All of the United States: a match there says nothing of the market. */
const US = "US";

/** Its names of other markets. */
const MIC_OF_MARKET: ReadonlyMap<string, string> = new Map(
  `LSE XLON XETRA XETR F XFRA STU XSTU MU XMUN DU XDUS HM XHAM BE XBER PA XPAR AS XAMS BR XBRU LS XLIS MI XMIL MC XMAD SW XSWX
   VI XWBO CO XCSE ST XSTO OL XOSL HE XHEL IR XDUB WAR XWAR PR XPRA BUD XBUD AT XATH TO XTSE V XTSX NEO NEOE MX XMEX SA BVMF
   AU XASX HK XHKG SHG XSHG SHE XSHE TW XTAI KO XKRX KQ XKOS JSE XJSE TA XTAE IS XIST`
    .split(/\s+/)
    .flatMap((word, place, words) => (place % 2 === 0 ? [[word, words[place + 1] ?? ""] as const] : [])),
);

const MARKET_OF_MIC: ReadonlyMap<string, string> = new Map([
  ...[...MIC_OF_MARKET].map(([market, mic]) => [mic, market] as const),
  ...["XNAS", "XNYS", "ARCX", "BATS", "XASE", "OTCM"].map((mic) => [mic, US] as const),
]);

/** How its plain-text refusals begin; it sends these whatever format was asked for. */
const SAID: readonly (readonly [start: RegExp, RefusalReason])[] = [
  [/^Unauthenticated\.?\s*$/, "auth"],
  [/^You exceeded your daily API requests limit\b/, "budget"],
  // Said with 403: the key is all right.
  [/^Only EOD data allowed for free users\b/, "plan"],
  [/^(?:Ticker|Symbol) not found\b/i, "unknown"],
];

/** What it calls the reason in JSON. */
const Failure = z
  .object({ error: z.string() })
  .or(z.object({ message: z.string() }).transform(({ message }) => ({ error: message })));

const refusalOf = ({ status, body, text = "" }: ServiceAnswer): Refused | undefined => {
  if (status === 200) return undefined;
  const words = Failure.safeParse(body).data?.error ?? text;
  const said = SAID.find(([start]) => start.test(words.trim()));
  if (said !== undefined) return { refused: said[1] };
  // For some markets it has no closes, and does not say so in words (https://pypi.org/project/eodhd-guard-mcp/0.1.0/).
  if (status === 404 && words === "") return { refused: "unknown" };
  // A page of something in between, such as a proxy: its status says nothing of the key.
  if (body === undefined) return { refused: "down" };
  if (status === 401 || status === 403) return { refused: "auth" };
  if (status === 402 || status === 429) return { refused: "budget" };
  return { refused: status === 404 ? "unknown" : status === 422 ? "plan" : "down" };
};

/** `NA` where nothing is known. A listing without a trade today still has its previous close; an unknown one does not. */
const QuoteBody = z.object({
  code: z.string(),
  timestamp: z.unknown().optional(),
  close: z.unknown().optional(),
  previousClose: z.unknown().optional(),
});

const readQuote = (body: z.infer<typeof QuoteBody> | undefined): QuoteResult => {
  const previousClose = readDecimal(body?.previousClose) ?? null;
  if (body === undefined || (body.close === "NA" && body.timestamp === "NA"))
    return previousClose === null ? { refused: "unknown" } : { untraded: { lastClose: previousClose } };
  const price = readDecimal(body.close);
  const at = z.int().positive().safeParse(body.timestamp).data;
  if (price === undefined || at === undefined) return { refused: "bad" };
  return {
    ...{ price, previousClose },
    ...{ mic: null, currency: null, asOf: { atMs: at * 1_000 }, isMarketOpen: null },
  };
};

const Bar = z.object({ date: z.iso.date(), close: z.unknown().optional() });

const toBar = (item: unknown) => {
  const { data } = Bar.safeParse(item);
  const close = readDecimal(data?.close);
  return data === undefined || close === undefined ? [] : [{ day: data.date, close }];
};

/** The largest whole number of a split: 10,000 for 1, in thousandths. */
const MAX_PART = 10_000_000;

const SplitBody = z.object({ date: z.iso.date(), split: z.string().regex(/^\d+(\.\d+)?\/\d+(\.\d+)?$/) });

const toSplit = (item: unknown): Split[] => {
  const { data } = SplitBody.safeParse(item);
  if (data === undefined) return [];
  const [one = Number.NaN, other = Number.NaN] = data.split.split("/").map(Number);
  // Such as `1.5/1`: the smallest whole numbers that say the same.
  const isPart = (part: number) => Number.isInteger(part) && part > 0 && part <= MAX_PART;
  const scale = [1, 2, 4, 5, 10, 100, 1_000].find((by) => isPart(one * by) && isPart(other * by));
  const isSplit = one !== other && Math.max(one / other, other / one) <= MAX_SPLIT;
  if (scale === undefined || !isSplit) return [];
  return [{ day: data.date, numerator: one * scale, denominator: other * scale }];
};

const Found = z.object({
  Code: z.string().min(1).max(32),
  Exchange: z.string(),
  Name: z.string(),
  Type: z.string().catch(""),
  Currency: z.string(),
  ISIN: z.string().nullish().catch(null),
});

const typeOf = (text: string): AssetType => {
  if (/etf/i.test(text)) return "etf";
  if (/fund/i.test(text)) return "fund";
  if (/index/i.test(text)) return "index";
  return /stock/i.test(text) ? "stock" : "other";
};

const toMatch = (item: unknown): Match[] => {
  const { data } = Found.safeParse(item);
  // A listing of a market that is not in the table could only be asked for as a listing of another market.
  if (data === undefined || !(data.Exchange === US || MIC_OF_MARKET.has(data.Exchange))) return [];
  return [
    {
      ...{ symbol: `${data.Code}.${data.Exchange}`, mic: MIC_OF_MARKET.get(data.Exchange) ?? null, name: data.Name },
      ...{ assetType: typeOf(data.Type), currency: currencyCode(data.Currency), isin: data.ISIN || null, inPlan: null },
    },
  ];
};

const listOf = <Item>({ body }: ServiceAnswer, read: (item: unknown) => Item[]): Item[] | Refused =>
  Array.isArray(body) ? body.flatMap(read) : { refused: "bad" };

export const eodhd: QuoteSource = {
  id: "eodhd",
  attribution: ATTRIBUTIONS.eodhd,
  batch: 15,
  isBatchOfOneMarket: false,
  namesCurrency: false,
  creditsAMinute: 1_000,
  creditsADay: 20,
  ...USUAL_PACE,
  adjustment: "none",
  quotesRequest: (refs, access) => {
    const [first = "", ...others] = refs.map(({ symbol }) => symbol);
    const query = others.length === 0 ? {} : { s: others.join(",") };
    return request(`/real-time/${encodeURIComponent(first)}`, query, access);
  },
  readQuotes: (refs, answer) => {
    const { body } = answer;
    const refusal = refusalOf(answer);
    if (refusal !== undefined) return refs.map(() => refusal);
    const list = (Array.isArray(body) ? body : [body]).flatMap((item: unknown) => QuoteBody.safeParse(item).data ?? []);
    if (list.length === 0) return refs.map(() => ({ refused: "bad" }));
    // By code and never by place: a listing it does not know may be left out.
    const byCode = new Map(list.map((quote) => [quote.code.toUpperCase(), quote]));
    return refs.map(({ symbol }) => readQuote(byCode.get(symbol)));
  },
  historyRequest: ({ symbol }, fromDay, access) =>
    request(`/eod/${encodeURIComponent(symbol)}`, { from: fromDay, period: "d", order: "a" }, access),
  readHistory: (_, answer) => {
    const bars = refusalOf(answer) ?? listOf(answer, toBar);
    return "refused" in bars ? bars : { bars };
  },
  splits: {
    request: ({ symbol }, fromDay, access) =>
      request(`/splits/${encodeURIComponent(symbol)}`, { from: fromDay }, access),
    read: (answer) => refusalOf(answer) ?? listOf(answer, toSplit),
  },
  searchWords,
  searchRequest: (q, access) => request(`/search/${encodeURIComponent(searchWords(q))}`, { limit: "20" }, access),
  readMatches: (answer) => refusalOf(answer) ?? listOf(answer, toMatch),
  symbolOf: (symbol, mic) => {
    const market = mic === null ? US : MARKET_OF_MIC.get(mic);
    // One dot only: a share class is after a hyphen, and the dot that London fills short symbols up with is left out.
    return market === undefined ? undefined : `${symbol.replace(/\.$/, "").replaceAll(".", "-")}.${market}`;
  },
  listedSymbol: (symbol) => symbol.slice(0, symbol.lastIndexOf(".")),
};
