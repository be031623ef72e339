/** Quotes, closes, splits and search in the shape of https://eodhd.com/financial-apis. */
import type { Listing, Mood, PriceWorld } from "./price-world.ts";
import type { Served } from "./serve-frankfurter.ts";

/** It refuses in plain text, whatever format was asked for. Only what it answers counts as a request. */
const REFUSALS: Readonly<Partial<Record<Mood, Served>>> = {
  budget: [402, "You exceeded your daily API requests limit.  Please contact support@eodhistoricaldata.com"],
  auth: [401, "Unauthenticated"],
};

const NOT_FOUND: Served = [404, "Ticker Not Found."];

/** A bare one, as measured in October 2026 for Tokyo: https://pypi.org/project/eodhd-guard-mcp/0.1.0/. */
const NO_CLOSES: Served = [404, ""];

/** Among the bars that a free key gets. */
const LIMITED = { warning: "Data is limited by one year as you have free subscription" };

const codeOf = ({ symbol, market }: Listing): string => `${symbol}.${market}`;

const NOTHING = "NA";

const quoteOf = (code: string, listing: Listing | undefined): unknown => {
  const before = listing?.previousClose === undefined ? NOTHING : Number(listing.previousClose);
  if (listing?.hasTraded !== true) return { code, timestamp: NOTHING, close: NOTHING, previousClose: before };
  const { at: timestamp, price } = listing;
  return { code, timestamp, gmtoffset: 0, close: Number(price), volume: 1_000, previousClose: before };
};

/** Answers one of its paths. */
export const serveEodhd = (
  { listings }: PriceWorld,
  path: string,
  query: URLSearchParams,
  mood: Mood | undefined,
): Served => {
  if (mood !== undefined) return REFUSALS[mood] ?? [500, { error: mood }];
  const [, name, code = ""] = path.split("/");
  const find = (wanted: string) => listings.find((listing) => codeOf(listing) === wanted);
  const from = query.get("from") ?? "";
  switch (name) {
    case "real-time": {
      const codes = [code, ...(query.get("s")?.split(",") ?? [])];
      const quotes = codes.map((one) => quoteOf(one, find(one)));
      return [200, quotes.length === 1 ? quotes[0] : quotes];
    }
    case "eod": {
      const { closes, hasCloses } = find(code) ?? {};
      if (closes === undefined) return NOT_FOUND;
      if (hasCloses === false) return NO_CLOSES;
      const bars = closes
        .filter(([date]) => date >= from)
        .map(([date, close]) => ({ date, close: Number(close), adjusted_close: Number(close), volume: 1 }));
      return [200, [...bars, LIMITED]];
    }
    case "splits":
      return [
        200,
        (find(code)?.splits ?? [])
          .filter(([date]) => date >= from)
          .map(([date, one, other]) => ({ date, split: `${one.toFixed(6)}/${other.toFixed(6)}` })),
      ];
    case "search": {
      const q = code.toLowerCase();
      // It finds nothing for words with a dot in them (general-data-faq.md of EodHistoricalData/eodhd-claude-skills).
      const found = listings.filter(
        (one) =>
          !q.includes(".") && [one.symbol, one.name, one.isin ?? ""].some((text) => text.toLowerCase().includes(q)),
      );
      const matches = found.map((one) => ({
        ...{ Code: one.symbol, Exchange: one.market, Name: one.name, Type: one.type, Country: "" },
        ...{ Currency: one.currency, ISIN: one.isin ?? null, previousClose: Number(one.price), isPrimary: true },
      }));
      return [200, matches];
    }
    default:
      return [404, { error: `${path} is not known.` }];
  }
};
