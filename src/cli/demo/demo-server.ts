/**
 * The demo's price server on loopback. It answers in the shape of Twelve Data, and for exchange rates of Frankfurter. It runs within the
 * dev command's own process, so it ends with that, however that ends. What it says is not real, and all its prices are stored as `demo`.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import * as z from "zod";
import { DEMO_LISTINGS, type DemoListing } from "./demo-listings.ts";
import { closesSince, quoteAt } from "./demo-market.ts";
import { demoRates } from "./demo-rates.ts";

/** Most matches of a search, as with the source. */
const MAX_MATCHES = 20;

const NOT_FOUND = { code: 404, message: "**symbol** is missing or invalid.", status: "error" } as const;

const NOT_IN_PLAN = { code: 404, message: "This symbol is available starting with Pro.", status: "error" } as const;

const SECOND_MS = 1_000;

const find = (symbol: string, mic: string | null): DemoListing | undefined =>
  DEMO_LISTINGS.find((one) => one.symbol === symbol && (mic === null || one.mic === mic));

const quoteOf = (listing: DemoListing | undefined, nowMs: number): unknown => {
  if (listing === undefined) return NOT_FOUND;
  if (!listing.isInPlan) return NOT_IN_PLAN;
  const { atMs, day, isOpen, price, previousClose } = quoteAt(listing, nowMs);
  return {
    ...{ symbol: listing.symbol, name: listing.name, mic_code: listing.mic, currency: listing.currency, datetime: day },
    ...{ last_quote_at: atMs / SECOND_MS, close: price, previous_close: previousClose, is_market_open: isOpen },
  };
};

const matchOf = ({ symbol, name, mic, type, currency, isInPlan }: DemoListing): unknown => {
  const plan = isInPlan ? "Basic" : "Pro";
  return {
    ...{ symbol, instrument_name: name, mic_code: mic, instrument_type: type, currency },
    access: { global: plan, plan },
  };
};

const search = (text: string): DemoListing[] => {
  const q = text.trim().toLowerCase();
  const fits = ({ symbol, name, isin }: DemoListing): boolean =>
    symbol.toLowerCase().startsWith(q) || name.toLowerCase().includes(q) || isin.toLowerCase() === q;
  return q === "" ? [] : DEMO_LISTINGS.filter(fits).slice(0, MAX_MATCHES);
};

/** The answer to a path and its query, always JSON; undefined for a path that the source does not have either. */
export const answerDemo = (path: string, query: URLSearchParams, nowMs: number): unknown => {
  const symbols = (query.get("symbol") ?? "").split(",");
  const [symbol = ""] = symbols;
  const mic = query.get("mic_code");
  switch (path) {
    case "/quote":
      if (symbols.length === 1) return quoteOf(find(symbol, mic), nowMs);
      return Object.fromEntries(symbols.map((one) => [one, quoteOf(find(one, mic), nowMs)]));
    case "/time_series": {
      const listing = find(symbol, mic);
      const from = z.iso.date().safeParse(query.get("start_date")).data;
      if (listing === undefined || from === undefined) return NOT_FOUND;
      if (!listing.isInPlan) return NOT_IN_PLAN;
      const values = closesSince(listing, from, nowMs).map(([datetime, close]) => ({ datetime, close }));
      return { meta: { symbol, currency: listing.currency, mic_code: listing.mic }, values, status: "ok" };
    }
    case "/symbol_search":
      return { data: search(symbols.join(",")).map(matchOf), status: "ok" };
    case "/v2/rates":
      return demoRates;
    default:
      return undefined;
  }
};

/** A server that runs. `url` has no slash at its end. */
export type DemoServer = { readonly url: string; close(): Promise<void> };

/** Starts it on a free port. */
export const startDemoPrices = async (): Promise<DemoServer> => {
  // The runtime ends its idle connections. If the server closed one, it could already be in use again.
  const server = createServer({ keepAliveTimeout: 0 }, ({ url = "/" }, response) => {
    // Any page can send something that is not a URL, such as `//`.
    const asked = URL.parse(url, "http://demo");
    const answer = asked === null ? undefined : answerDemo(asked.pathname, asked.searchParams, Date.now());
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? NOT_FOUND));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.int() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
};
