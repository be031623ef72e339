/** Quotes, closes and search in the shape of https://twelvedata.com/docs. */
import type { Listing, Mood, PriceWorld } from "./price-world.ts";
import type { Served } from "./serve-frankfurter.ts";

const failure = (code: number, message: string): Served => [code, { code, message, status: "error" }];

/** A series without bars, such as one from a holiday on, is refused: it has no empty ones. */
const NO_BARS = failure(400, "No data is available on the specified dates. Try setting different start/end dates.");

/** With status 200, as it comes. */
const outOfCredits = (used: number, limit: number): Served => {
  const message = [
    `You have run out of API credits for the current minute. ${used} API credits were used, with the current limit being ${limit}.`,
    "Wait for the next minute or consider switching to a higher tier plan at https://twelvedata.com/pricing",
  ].join(" ");
  return [200, { code: 429, message, status: "error" }];
};

const refusal = (mood: Mood): Served => {
  if (mood === "budget") return outOfCredits(12, 8);
  if (mood === "auth") return failure(401, "**apikey** parameter is incorrect or not specified.");
  return failure(500, "Internal error.");
};

/** Its segments, by which answers name it; requests name the market. */
const NASDAQ = ["XNGS", "XNMS", "XNCM"];

const dayOf = (at: number): string => new Date(at * 1_000).toISOString().slice(0, 10);

const quoteOf = (listing: Listing | undefined): unknown => {
  if (listing === undefined)
    return { code: 404, message: "**symbol** or **figi** parameter is missing or invalid.", status: "error" };
  if (!listing.inPlan) return { code: 404, message: "This symbol is available starting with Grow.", status: "error" };
  return {
    ...{ symbol: listing.symbol, name: listing.name, exchange: listing.market, mic_code: listing.mic },
    ...{ currency: listing.currency, datetime: listing.day ?? dayOf(listing.at) },
    ...(listing.day === undefined && { last_quote_at: listing.at }),
    // The opening of the day's bar: no time of a trade.
    timestamp: Math.floor(listing.at / 86_400) * 86_400,
    ...{
      open: listing.price,
      high: listing.price,
      low: listing.price,
      close: Number(listing.price).toFixed(5),
      volume: "1000",
    },
    previous_close: listing.previousClose,
    is_market_open: listing.isOpen,
  };
};

/** What a key has used of its minute. */
export type UsedCredits = { ofMinute: number };

/** Its daily bars. While the market trades, the last one is today's, which is no close yet. */
const barsOf = ({ closes, isOpen, at, price }: Listing): [string, string][] => {
  const isTrading = isOpen && dayOf(at) >= dayOf(Date.now() / 1_000);
  return isTrading ? [...closes.filter(([day]) => day !== dayOf(at)), [dayOf(at), price]] : closes;
};

/** Answers one of its paths. */
export const serveTwelveData = (
  { listings, creditsAMinute = Number.POSITIVE_INFINITY }: PriceWorld,
  path: string,
  query: URLSearchParams,
  mood: Mood | undefined,
  used: UsedCredits,
): Served => {
  if (mood !== undefined) return refusal(mood);
  const symbols = (query.get("symbol") ?? "").split(",");
  // A credit for each symbol. What is refused counts too.
  used.ofMinute += symbols.length;
  if (used.ofMinute > creditsAMinute) return outOfCredits(used.ofMinute, creditsAMinute);
  const mic = query.get("mic_code");
  const find = (symbol: string) =>
    listings.find(
      (listing) =>
        listing.symbol === symbol && (mic === null || (NASDAQ.includes(listing.mic) ? "XNAS" : listing.mic) === mic),
    );
  switch (path) {
    case "/quote": {
      if (symbols.length === 1) return [200, quoteOf(find(symbols[0] ?? ""))];
      return [200, Object.fromEntries(symbols.map((symbol) => [symbol, quoteOf(find(symbol))]))];
    }
    case "/time_series": {
      const listing = find(symbols[0] ?? "");
      if (listing === undefined) return failure(404, "**symbol** is missing or invalid.");
      const start = query.get("start_date") ?? "";
      const values = barsOf(listing)
        .filter(([day]) => day >= start)
        .map(([datetime, close]) => ({ datetime, close }));
      if (values.length === 0) return NO_BARS;
      const meta = { symbol: listing.symbol, interval: "1day", currency: listing.currency, mic_code: listing.mic };
      return [200, { meta, values, status: "ok" }];
    }
    case "/symbol_search": {
      const q = (symbols[0] ?? "").toLowerCase();
      const found = listings.filter((one) => one.symbol.toLowerCase() === q || one.name.toLowerCase().includes(q));
      const data = found.map((one) => ({
        ...{ symbol: one.symbol, instrument_name: one.name, exchange: one.market, mic_code: one.mic },
        ...{ instrument_type: one.type, country: "", currency: one.currency },
        access: { global: one.inPlan ? "Basic" : "Grow", plan: one.inPlan ? "Basic" : "Grow" },
      }));
      return [200, { data, status: "ok" }];
    }
    default:
      return failure(404, `${path} is not known.`);
  }
};
