/** Both sources against the server that speaks as they do: what is asked, and how answers are read. */
import { describe, expect, inject, it } from "vitest";
import { fetchJson, type ServiceRequest } from "../../../src/quotes/fetch-json.ts";
import { eodhd } from "../../../src/quotes/sources/eodhd.ts";
import type { InstrumentRef, QuoteSource } from "../../../src/quotes/sources/quote-source.ts";
import { twelveData } from "../../../src/quotes/sources/twelvedata.ts";
import { priceRoom, type WorldSetting } from "../../support/price-server/price-room.ts";

const AT = 1_795_190_340;

const LISTINGS = [
  {
    symbol: "SAP",
    mic: "XETR",
    market: "XETRA",
    name: "SAP SE",
    currency: "EUR",
    isin: "DE0007164600",
    price: "201.3",
    previousClose: "199.9",
    at: AT,
  },
  {
    symbol: "VOD",
    mic: "XLON",
    market: "LSE",
    name: "Vodafone Group",
    currency: "GBp",
    price: "80.14",
    at: AT,
    isOpen: false,
  },
  {
    symbol: "AAPL",
    mic: "XNGS",
    market: "US",
    name: "Apple Inc",
    currency: "USD",
    price: "190.5",
    previousClose: "188",
    at: AT,
  },
  { symbol: "AIR", mic: "XPAR", market: "PA", name: "Airbus", currency: "EUR", price: "150", at: AT, inPlan: false },
];

const { splits } = eodhd;
if (splits === undefined) throw new Error("EODHD lists splits.");
const readSplits = splits.read;

/** As long as it takes: what an answer is read as does not depend on how busy the machine is. */
const answerTo = (request: ServiceRequest) => fetchJson(request, new AbortController().signal);

/** A room with these listings, and a way to ask it as the object does. */
const open = async (world: Partial<WorldSetting> = {}) => {
  const room = priceRoom(inject("priceUrl"));
  await room.set({ listings: LISTINGS, key: "k-1", ...world });
  const access = { key: "k-1", baseUrl: room.url };
  const eodAccess = { key: "k-1", baseUrl: `${room.url}/api` };
  const accessOf = (source: QuoteSource) => (source.id === "eodhd" ? eodAccess : access);
  return {
    ...room,
    quotes: async (source: QuoteSource, refs: readonly InstrumentRef[]) =>
      source.readQuotes(refs, await answerTo(source.quotesRequest(refs, accessOf(source)))),
    search: async (source: QuoteSource, q: string) =>
      source.readMatches(await answerTo(source.searchRequest(q, accessOf(source)))),
    history: async (source: QuoteSource, ref: InstrumentRef, from: string) =>
      source.readHistory(ref, await answerTo(source.historyRequest(ref, from, accessOf(source)))),
    splits: async (ref: InstrumentRef) => readSplits(await answerTo(splits.request(ref, "2026-01-01", eodAccess))),
  };
};

const SAP = { symbol: "SAP", mic: "XETR", currency: "EUR" };
const NOPE = { symbol: "NOPE", mic: "XETR", currency: "EUR" };

describe("Twelve Data", () => {
  it.each(["XTKS", "XJPX"])("is asked for Tokyo by the code of its exchange, for a listing of %s", async (mic) => {
    const toyota = { symbol: "7203", mic, currency: "JPY" };
    const closes: [string, string][] = [["2026-11-19", "2690"]];
    const room = await open({ listings: [{ ...toyota, mic: "XJPX", name: "Toyota", price: "2700", at: AT, closes }] });
    expect(await room.quotes(twelveData, [toyota])).toMatchObject([{ price: "2700", mic: "XTKS" }]);
    expect(await room.history(twelveData, toyota, "2026-11-01")).toMatchObject({ bars: [{ close: "2690" }] });
  });

  it("gives several quotes of one market, and says which it does not know", async () => {
    const room = await open();
    expect(await room.quotes(twelveData, [SAP, NOPE])).toEqual([
      {
        ...{ price: "201.3", previousClose: "199.9", mic: "XETR", currency: "EUR" },
        ...{ asOf: { atMs: AT * 1_000 }, isMarketOpen: true },
      },
      { refused: "unknown" },
    ]);
    expect(await room.seen()).toEqual([{ path: "/quote", query: "?symbol=SAP%2CNOPE&mic_code=XETR", key: "k-1" }]);
  });

  it("names a segment and pence; both are read as what stocks have", async () => {
    const room = await open();
    const [apple] = await room.quotes(twelveData, [{ symbol: "AAPL", mic: null, currency: "USD" }]);
    expect(apple).toMatchObject({ mic: "XNAS" });
    const [vodafone] = await room.quotes(twelveData, [{ symbol: "VOD", mic: "XLON", currency: "GBX" }]);
    expect(vodafone).toMatchObject({ price: "80.14", currency: "GBX", previousClose: null, isMarketOpen: false });
  });

  it("takes no opening of a bar for the time of a trade", () => {
    const body = {
      symbol: "SAP",
      mic_code: "XETR",
      currency: "EUR",
      close: "1.0",
      timestamp: AT,
      datetime: "2026-11-20",
    };
    expect(twelveData.readQuotes([SAP], { status: 200, body })).toEqual([
      {
        price: "1",
        previousClose: null,
        mic: "XETR",
        currency: "EUR",
        asOf: { day: "2026-11-20" },
        isMarketOpen: null,
      },
    ]);
  });

  it.each([
    [{ symbol: "AIR", mic: "XPAR", currency: "EUR" }, {}, "plan"],
    [SAP, { mood: "budget" as const }, "budget"],
    [SAP, { mood: "down" as const }, "down"],
    [SAP, { key: "another" }, "auth"],
  ])("refuses %j: %j", async (ref, world, refused) => {
    expect(await (await open(world)).quotes(twelveData, [ref, SAP].slice(0, 1))).toEqual([{ refused }]);
  });

  it.each([{}, { close: "0" }, { close: "NA" }, { close: "1e3" }, { close: "-1" }, { mic_code: null }])(
    "with %j gives nonsense",
    (more) => {
      const body = { symbol: "SAP", mic_code: "XETR", currency: "EUR", close: "1", last_quote_at: AT, ...more };
      const read = twelveData.readQuotes([SAP], { status: 200, body: Object.keys(more).length === 0 ? {} : body });
      expect(read).toEqual([{ refused: "bad" }]);
    },
  );

  it("gives closes of the listing that was asked for, and of no other", async () => {
    const closes: [string, string][] = [
      ["2026-11-18", "199.10"],
      ["2026-11-19", "199.9"],
    ];
    const room = await open({ listings: LISTINGS.map((listing) => ({ ...listing, closes })) });
    expect(await room.history(twelveData, SAP, "2026-11-19")).toEqual({
      bars: [{ day: "2026-11-19", close: "199.9" }],
    });
    expect(await room.history(twelveData, { ...SAP, currency: "USD" }, "")).toEqual({ refused: "bad" });
  });

  it("searches, with market, currency and plan", async () => {
    expect(await (await open()).search(twelveData, "a")).toMatchObject([
      { symbol: "SAP", mic: "XETR", name: "SAP SE", currency: "EUR", assetType: "stock", inPlan: true },
      { symbol: "VOD", mic: "XLON", currency: "GBX" },
      { symbol: "AAPL", mic: "XNAS", currency: "USD" },
      { symbol: "AIR", inPlan: false },
    ]);
  });
});

describe("EODHD", () => {
  const SAP_XETRA = { symbol: "SAP.XETRA", mic: "XETR", currency: "EUR" };
  const VOD_LSE = { symbol: "VOD.LSE", mic: "XLON", currency: "GBX" };

  it("gives quotes by their codes, whatever the market, as their shortest text", async () => {
    const room = await open();
    const quotes = await room.quotes(eodhd, [SAP_XETRA, { ...NOPE, symbol: "NOPE.US" }, VOD_LSE]);
    expect(quotes).toEqual([
      {
        ...{ price: "201.3", previousClose: "199.9", mic: null, currency: null },
        ...{ asOf: { atMs: AT * 1_000 }, isMarketOpen: null },
      },
      { refused: "unknown" },
      expect.objectContaining({ price: "80.14", previousClose: null }),
    ]);
    const [request] = await room.seen();
    expect(request).toMatchObject({ path: "/api/real-time/SAP.XETRA", key: "k-1" });
  });

  it("gives a single quote flat", async () => {
    expect(await (await open()).quotes(eodhd, [SAP_XETRA])).toMatchObject([{ price: "201.3" }]);
  });

  it.each([
    [{ mood: "budget" as const }, "budget"],
    [{ mood: "down" as const }, "down"],
    [{ mood: "forbidden" as const }, "down"],
    [{ key: "another" }, "auth"],
  ])("refuses quotes, closes, splits and searches: %j", async (world, refused) => {
    const room = await open(world);
    expect(await room.quotes(eodhd, [SAP_XETRA, VOD_LSE])).toEqual([{ refused }, { refused }]);
    expect(await room.history(eodhd, SAP_XETRA, "2026-11-20")).toEqual({ refused });
    expect(await room.splits(SAP_XETRA)).toEqual({ refused });
    expect(await room.search(eodhd, "sap")).toEqual({ refused });
  });

  it.each([
    [401, { body: { message: "Unauthenticated." } }, "auth"],
    [402, { body: { error: "Payment required", code: 402 } }, "budget"],
    [429, { body: { error: "Too many requests", code: 429 } }, "budget"],
    [404, { body: undefined, text: "Ticker Not Found." }, "unknown"],
    [403, { body: undefined, text: "Only EOD data allowed for free users. Please, contact our support team" }, "plan"],
    [401, { body: undefined, text: "<h1>Unauthenticated</h1>" }, "down"],
    [402, { body: undefined, text: "" }, "down"],
    [404, { body: undefined, text: "" }, "unknown"],
    [404, { body: undefined, text: "<h1>404 Not Found</h1>" }, "down"],
  ])("refuses in JSON or in these words, never by its status alone: %d %j", (status, answer, refused) => {
    expect(eodhd.readQuotes([SAP_XETRA], { status, ...answer })).toEqual([{ refused }]);
  });

  it("gives closes as they were traded, and splits", async () => {
    const closes: [string, string][] = [
      ["2026-11-19", "1900"],
      ["2026-11-20", "190"],
    ];
    const splits: [string, number, number][] = [
      ["2026-11-20", 10, 1],
      ["2025-06-10", 3, 2],
    ];
    const room = await open({ listings: LISTINGS.map((listing) => ({ ...listing, closes, splits })) });
    expect(await room.history(eodhd, SAP_XETRA, "2026-11-20")).toEqual({ bars: [{ day: "2026-11-20", close: "190" }] });
    expect(await room.splits(SAP_XETRA)).toEqual([{ day: "2026-11-20", numerator: 10, denominator: 1 }]);
  });

  it.each([
    ["1.5/1", 3, 2],
    ["1.000000/10.000000", 1, 10],
  ])("reads a split of %s", (split, numerator, denominator) => {
    const read = readSplits({ status: 200, body: [{ date: "2026-11-20", split }] });
    expect(read).toEqual([{ day: "2026-11-20", numerator, denominator }]);
  });

  it.each([
    ...[
      "1e30/1",
      "99999999999999999999.000000/1.000000",
      "1000000.000000/1.000000",
      "18014398509481984/9007199254740992",
      "1.000000/1.000000",
      "0/1",
      "-2/1",
    ],
    ...["2.00000001/1", "10", "ten/1", ""],
  ])("reads no split of %j, which no company makes", (split) => {
    expect(readSplits({ status: 200, body: [{ date: "2026-11-20", split }] })).toEqual([]);
  });

  it("gives no list of splits where it gives something else", () => {
    expect(readSplits({ status: 200, body: { error: "none" } })).toEqual({ refused: "bad" });
  });

  it.each([".", "..", "../user", "a/../../b", "%2e%2e", "?x=1", "#", " .. "])(
    "searches for %j as words, on no other path",
    (q) => {
      const { url } = eodhd.searchRequest(q, { key: "k", baseUrl: undefined });
      expect(new URL(url).pathname).toMatch(/^\/api\/search\/[^/]+$/);
      expect(new URL(url).searchParams.get("api_token")).toBe("k");
    },
  );

  it("searches by ISIN as well; of the United States it names no market", async () => {
    const room = await open();
    expect(await room.search(eodhd, "DE0007164600")).toEqual([
      {
        ...{ symbol: "SAP.XETRA", mic: "XETR", name: "SAP SE", assetType: "stock" },
        ...{ currency: "EUR", isin: "DE0007164600", inPlan: null },
      },
    ]);
    expect(await room.search(eodhd, "apple")).toMatchObject([{ symbol: "AAPL.US", mic: null, currency: "USD" }]);
  });

  it("offers no listing of a market that it could not be asked for again", async () => {
    const [apple] = LISTINGS.filter(({ symbol }) => symbol === "AAPL").map((one) => ({ ...one, market: "KLSE" }));
    const room = await open({ listings: apple === undefined ? [] : [apple] });
    expect(await room.search(eodhd, "apple")).toEqual([]);
  });

  it("writes a listing in its own way, with one dot", () => {
    expect(["XNAS", "XLON", "XXXX"].map((mic) => eodhd.symbolOf("BRK.B", mic))).toEqual([
      "BRK-B.US",
      "BRK-B.LSE",
      undefined,
    ]);
  });

  it("knows a listing that London writes with a dot at the end", async () => {
    const bp = { symbol: "BP", mic: "XLON", market: "LSE", name: "BP", currency: "GBX", price: "410", at: AT };
    const room = await open({ listings: [bp] });
    const refs = ["BP.", "BT.A"].map((one) => ({
      ...{ symbol: eodhd.symbolOf(one, "XLON") ?? "", mic: "XLON", currency: "GBX" },
    }));
    expect(refs.map(({ symbol }) => symbol)).toEqual(["BP.LSE", "BT-A.LSE"]);
    expect(await room.quotes(eodhd, refs)).toMatchObject([{ price: "410" }, { refused: "unknown" }]);
  });
});
