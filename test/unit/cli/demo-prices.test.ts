/** The demo's price server, read by the product's own adapter. */
import { once } from "node:events";
import { request } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { DEMO_LISTINGS } from "../../../src/cli/demo/demo-listings.ts";
import { answerDemo, startDemoPrices } from "../../../src/cli/demo/demo-server.ts";
import { EXAMPLE_LIST } from "../../../src/contract/prices/example-list.ts";
import { EXAMPLE_TAG } from "../../../src/contract/prices/example-tag.ts";
import { currencyCode } from "../../../src/contract/stocks/currency-codes.ts";
import { StockDraft } from "../../../src/contract/stocks/stock-values.ts";
import { fetchJson } from "../../../src/quotes/fetch-json.ts";
import { acceptQuote } from "../../../src/quotes/rules/accept-quote.ts";
import { findSource } from "../../../src/quotes/sources/find-source.ts";

const demo = findSource("demo");

const access = { key: "demo", baseUrl: "http://127.0.0.1:1" };

/** What the server answers at a time to a request of the adapter. */
const answerAt = (iso: string, { url }: { readonly url: string }) => {
  const { pathname, searchParams } = new URL(url);
  return { status: 200, body: answerDemo(pathname, searchParams, Date.parse(iso)) };
};

const refOf = (symbol: string, mic: string) => {
  const listing = DEMO_LISTINGS.find((one) => one.symbol === symbol && one.mic === mic);
  if (listing === undefined) throw new Error(`The demo has no ${symbol}.`);
  return { symbol, mic, currency: currencyCode(listing.currency) };
};

const VODAFONE = refOf("VOD", "XLON");
const SHELL = refOf("SHEL", "XLON");

const quotesAt = (iso: string, refs = [VODAFONE]) =>
  demo.readQuotes(refs, answerAt(iso, demo.quotesRequest(refs, access)));

const closesAt = (iso: string, from: string) =>
  demo.readHistory(VODAFONE, answerAt(iso, demo.historyRequest(VODAFONE, from, access)));

const price = (result: unknown): number =>
  Number(result instanceof Object && "price" in result ? result.price : "none");

/** Friday, while London trades, and Saturday. */
const FRIDAY = "2026-11-20T11:30:20Z";
const SATURDAY = "2026-11-21T11:30:20Z";

describe("the example list", () => {
  it("is a dozen stocks in three currencies that the product takes as they are, each with its tag and no price", () => {
    const drafts = EXAMPLE_LIST.map((draft) => StockDraft.parse(draft));
    expect(drafts).toHaveLength(12);
    expect(new Set(drafts.map(({ currency }) => currency))).toEqual(new Set(["USD", "EUR", "GBX"]));
    expect(drafts.filter(({ tags, lastPrice }) => tags?.includes(EXAMPLE_TAG) !== true || lastPrice)).toEqual([]);
  });

  it("has a believable price for each of its stocks, at its own market and in its own currency", () => {
    const refs = EXAMPLE_LIST.map(({ symbol, exchange }) => refOf(symbol, exchange));
    const verdicts = refs.map((ref, place) => {
      const [quote] = quotesAt(FRIDAY, [ref]);
      if (quote === undefined || !("price" in quote)) return quote;
      const known = { mic: ref.mic, currency: EXAMPLE_LIST[place]?.currency ?? "", price: null, asOfMs: null };
      return acceptQuote({ ...known, pending: null, splits: [], splitsOfDay: [] }, quote, Date.parse(FRIDAY)).verdict;
    });
    expect(verdicts).toEqual(refs.map(() => "accepted"));
  });
});

describe("a demo price", () => {
  it("is the same at the same time, and moves while the market is open", () => {
    expect(quotesAt(FRIDAY)).toEqual(quotesAt(FRIDAY));
    expect(quotesAt(FRIDAY)).toMatchObject([
      { mic: "XLON", currency: "GBX", asOf: { atMs: Date.parse("2026-11-20T11:30:00Z") }, isMarketOpen: true },
    ]);
    const minutes = Array.from({ length: 60 }, (_, minute) => `2026-11-20T12:${String(minute).padStart(2, "0")}:00Z`);
    const prices = minutes.map((minute) => price(quotesAt(minute)[0]));
    expect(new Set(prices).size).toBeGreaterThan(5);
    expect(Math.max(...prices) / Math.min(...prices)).toBeLessThan(1.05);
  });

  it("is Friday's close on Saturday, and the close before is Thursday's", () => {
    const closes = closesAt(SATURDAY, "2026-11-19");
    const [quote] = quotesAt(SATURDAY);
    expect(closes).toEqual({
      bars: [
        { day: "2026-11-19", close: quote && "price" in quote ? quote.previousClose : "none" },
        { day: "2026-11-20", close: quote && "price" in quote ? quote.price : "none" },
      ],
    });
    expect(quote).toMatchObject({ asOf: { atMs: Date.parse("2026-11-20T16:30:00Z") }, isMarketOpen: false });
  });

  it("has ten years of closes without a jump, none of a weekend and none of a day that has not ended", () => {
    const closes = closesAt(FRIDAY, "2016-01-01");
    const bars = "bars" in closes ? closes.bars : [];
    expect(bars.length).toBeGreaterThan(2_500);
    expect(bars.at(-1)?.day).toBe("2026-11-19");
    expect(bars.filter(({ day }) => [0, 6].includes(new Date(day).getUTCDay()))).toEqual([]);
    const ratios = bars.slice(1).map(({ close }, place) => Number(close) / Number(bars[place]?.close));
    expect(ratios.filter((ratio) => ratio < 0.8 || ratio > 1.25)).toEqual([]);
  });

  it("has at most 5,000 closes for one request, the latest, from whatever day on it is asked", () => {
    const closes = closesAt(FRIDAY, "0001-01-01");
    const bars = "bars" in closes ? closes.bars : [];
    expect([bars.length, bars.at(-1)?.day]).toEqual([5_000, "2026-11-19"]);
  });

  it("comes for several listings of a market at once, and not for what nobody knows or the plan lacks", () => {
    const nobody = { symbol: "NOPE", mic: "XLON", currency: "GBX" };
    expect(quotesAt(FRIDAY, [VODAFONE, SHELL, nobody])).toMatchObject([
      { currency: "GBX" },
      { currency: "GBX" },
      { refused: "unknown" },
    ]);
    expect(quotesAt(FRIDAY, [refOf("NESN", "XSWX")])).toEqual([{ refused: "plan" }]);
  });
});

it.each([
  ["vodaf", ["VOD XLON GBX", "VOD XNAS USD", "VODI XETR EUR"]],
  ["aapl", ["AAPL XNAS USD"]],
  ["US0378331005", ["AAPL XNAS USD", "APC XETR EUR"]],
  ["nest", ["NESN XSWX CHF, not in the plan"]],
  ["zzz", []],
])("a search for %s finds listings as the source names them", (q, expected) => {
  const matches = demo.readMatches(answerAt(FRIDAY, demo.searchRequest(q, access)));
  const found = "refused" in matches ? [] : matches;
  const text = ({ symbol, mic, currency, inPlan }: (typeof found)[number]) =>
    `${symbol} ${mic} ${currency}${inPlan ? "" : ", not in the plan"}`;
  expect(found.map(text)).toEqual(expected);
});

it("the server stays when it is asked for what is no path", async () => {
  const server = await startDemoPrices();
  onTestFinished(server.close);
  const asked = request(server.url, { path: "//" }).end();
  const [answer] = await once(asked, "response");
  answer.resume();
  expect(answer.statusCode).toBe(404);
});

it("the server answers as JSON on loopback, also to what it does not know", async () => {
  const server = await startDemoPrices();
  onTestFinished(server.close);
  expect(new URL(server.url).hostname).toBe("127.0.0.1");
  const request = demo.searchRequest("voda", { key: "demo", baseUrl: server.url });
  const { signal } = new AbortController();
  expect(await fetchJson(request, signal)).toMatchObject({ status: 200, body: { status: "ok" } });
  const unknown = await fetchJson({ url: `${server.url}/elsewhere` }, signal);
  expect(unknown).toMatchObject({ status: 404, body: { status: "error" } });
});
