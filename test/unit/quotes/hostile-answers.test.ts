/** Whatever a source answers, what is read of it is of the listing that was asked for, in its unit, or nothing (decisions 0101, 0102). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { currencyCode } from "../../../src/contract/stocks/currency-codes.ts";
import { acceptQuote } from "../../../src/quotes/rules/accept-quote.ts";
import { inOneUnit } from "../../../src/quotes/rules/hundredths.ts";
import { marketOf } from "../../../src/quotes/rules/markets.ts";
import { eodhd } from "../../../src/quotes/sources/eodhd.ts";
import type { InstrumentRef, QuoteSource } from "../../../src/quotes/sources/quote-source.ts";
import { twelveData } from "../../../src/quotes/sources/twelvedata.ts";

const NOW = Date.parse("2026-11-20T15:00:00Z");
const AT = NOW / 1_000 - 60;

const PLAIN = /^(?!0(\.0+)?$)\d{1,12}(\.\d{1,10})?$/;

/** What a price may come as. */
const amount = fc.oneof(
  fc.double({ min: 0.0001, max: 10 ** 9, noNaN: true }),
  fc.double(),
  fc.integer(),
  fc.double({ min: 0.0001, max: 10 ** 9, noNaN: true }).map(String),
  fc.constantFrom<unknown>(
    "1e3",
    "1E-7",
    "1,5",
    "NA",
    "",
    "0",
    "-1",
    " 7 ",
    "0x10",
    "Infinity",
    "١٢",
    null,
    {},
    [],
    true,
  ),
);

/** Mostly what it should be: an answer that is wrong in many ways is refused for one of them, and the others are never seen. */
const mostly = (right: unknown, wrong: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(right) }, { weight: 2, arbitrary: wrong });

const text = (right: string, ...others: readonly string[]) =>
  mostly(right, fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...others) }, fc.string()));

/** A record with all of its fields, or with any of them. */
const wholeOrPart = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.oneof({ weight: 4, arbitrary: fc.record(fields) }, fc.record(fields, { requiredKeys: [] }));

const twelveDataQuote = wholeOrPart({
  symbol: text("VOD", "vod", "AAPL"),
  mic_code: text("XLON", "XNAS", "XNGS", "AIMX"),
  currency: text("GBX", "GBp", "GBP", "USD", "EUR"),
  datetime: text("2026-11-20", "2026-11-19", "2026-02-30", "9999-99-99"),
  last_quote_at: mostly(AT, fc.oneof(fc.integer(), fc.double(), fc.anything())),
  timestamp: fc.integer(),
  close: mostly("80.25", amount),
  previous_close: mostly("79", amount),
  is_market_open: fc.anything(),
});

const eodhdQuote = wholeOrPart({
  code: text("VOD.LSE", "vod.lse", "VOD.US", "AAPL.US"),
  timestamp: mostly(AT, fc.oneof(fc.integer(), fc.double(), fc.constant("NA"), fc.anything())),
  close: fc.oneof(
    fc.integer({ min: 70_00, max: 90_00 }).map((cents) => cents / 100),
    amount,
  ),
  previousClose: mostly(79, amount),
});

/** What a quote of Twelve Data's calls itself. */
const namedIn = (quote: unknown): InstrumentRef => {
  const given: { symbol?: unknown; mic_code?: unknown; currency?: unknown } = Object(quote);
  const currency = currencyCode(String(given.currency));
  return { symbol: String(given.symbol), mic: marketOf(String(given.mic_code)), currency };
};

/** The closes that an answer of EODHD's names under a code. */
const closesUnder = (code: string, body: unknown): unknown[] =>
  [body].flat().flatMap((item) => {
    const given: { code?: unknown; close?: unknown } = Object(item);
    return typeof given.code === "string" && given.code.toUpperCase() === code ? [Number(given.close)] : [];
  });

const VOD: InstrumentRef = { symbol: "VOD", mic: "XLON", currency: "GBX" };
const OTHER: InstrumentRef = { symbol: "AAPL", mic: "XLON", currency: "USD" };

/** An answer to one listing or two: flat, by symbol, as a list, or nonsense. */
const answerOf = (quote: fc.Arbitrary<unknown>) =>
  fc.oneof(
    { weight: 4, arbitrary: quote },
    { weight: 4, arbitrary: fc.record({ VOD: quote, AAPL: quote }, { requiredKeys: [] }) },
    { weight: 2, arbitrary: fc.array(quote, { maxLength: 3 }) },
    fc.anything(),
  );

describe.each<[string, QuoteSource, fc.Arbitrary<unknown>, readonly InstrumentRef[]]>([
  ["Twelve Data, one listing", twelveData, answerOf(twelveDataQuote), [VOD]],
  ["Twelve Data, two listings", twelveData, answerOf(twelveDataQuote), [VOD, OTHER]],
  ["EODHD, one listing", eodhd, answerOf(eodhdQuote), [{ ...VOD, symbol: "VOD.LSE" }]],
  [
    "EODHD, two listings",
    eodhd,
    answerOf(eodhdQuote),
    [
      { ...VOD, symbol: "VOD.LSE" },
      { ...OTHER, symbol: "AAPL.US" },
    ],
  ],
])("%s", (_, source, bodies, refs) => {
  it("gives a plain price above 0 or a reason for each listing, and none that is believed is of another market or currency", () => {
    let believed = 0;
    fc.assert(
      fc.property(bodies, fc.constantFrom(200, 200, 200, 404, 429, 500), (body, status) => {
        const results = source.readQuotes(refs, { status, body });
        expect(results).toHaveLength(refs.length);
        for (const [place, quote] of results.entries()) {
          if ("refused" in quote || "untraded" in quote) continue;
          expect(status).toBe(200);
          expect(quote.price).toMatch(PLAIN);
          if (quote.previousClose !== null) expect(quote.previousClose).toMatch(PLAIN);
          const ref = refs[place] ?? VOD;
          const known = { ...ref, price: null, asOfMs: null, pending: null, splits: [], splitsOfDay: [] };
          const verdict = acceptQuote(known, quote, NOW);
          if (verdict.verdict !== "accepted") continue;
          believed += 1;
          if (source.namesCurrency) expect(namedIn(refs.length === 1 ? body : Object(body)[ref.symbol])).toEqual(ref);
          // It names neither market nor currency: its code alone says whose it is.
          else expect(closesUnder(ref.symbol, body)).toContain(Number(quote.price));
          expect(verdict.quote.price).toBe(quote.price);
        }
      }),
      { numRuns: 1_000 },
    );
    expect(believed).toBeGreaterThan(10);
  });

  it("reads closes, splits and matches of anything without failing", () => {
    fc.assert(
      fc.property(bodies, fc.anything(), fc.integer({ min: 100, max: 599 }), (body, other, status) => {
        for (const one of [body, other, { data: other }, { data: [body] }, [other], { values: [body], meta: body }]) {
          const read = source.readHistory(refs[0] ?? VOD, { status, body: one });
          if (!("refused" in read)) for (const { close } of read.bars) expect(close).toMatch(PLAIN);
          source.readMatches({ status, body: one });
          const splits = source.splits?.read({ status, body: one }) ?? [];
          if ("refused" in splits) continue;
          for (const { numerator, denominator } of splits) expect(numerator * denominator).toBeGreaterThan(0);
        }
      }),
      { numRuns: 300 },
    );
  });
});

it("Twelve Data gives no quote that calls itself by another symbol, alone or among others", () => {
  const quote = { symbol: "MSFT", mic_code: "XLON", currency: "GBX", close: "80", last_quote_at: AT };
  expect(twelveData.readQuotes([VOD], { status: 200, body: quote })).toEqual([{ refused: "bad" }]);
  const both = { VOD: quote, AAPL: { ...quote, symbol: "AAPL", currency: "USD" } };
  expect(twelveData.readQuotes([VOD, OTHER], { status: 200, body: both })).toMatchObject([
    { refused: "bad" },
    { price: "80", currency: "USD" },
  ]);
  const series = (symbol: string) => ({
    meta: { symbol, currency: "GBX", mic_code: "XLON" },
    values: [{ datetime: "2026-11-19", close: "80" }],
  });
  const closes = (symbol: string) => twelveData.readHistory(VOD, { status: 200, body: series(symbol) });
  expect(closes("MSFT")).toEqual({ refused: "bad" });
  expect(closes("VOD")).toEqual({ bars: [{ day: "2026-11-19", close: "80" }] });
});

it("EODHD's quotes are told apart by their codes: one that is left out, or of another code, is nobody's", () => {
  const [vod, apple] = [
    { ...VOD, symbol: "VOD.LSE" },
    { ...OTHER, symbol: "AAPL.US" },
  ];
  const quote = { code: "AAPL.US", timestamp: AT, close: 80, previousClose: 79 };
  expect(eodhd.readQuotes([vod], { status: 200, body: quote })).toEqual([{ refused: "unknown" }]);
  expect(eodhd.readQuotes([vod, apple], { status: 200, body: [quote] })).toMatchObject([
    { refused: "unknown" },
    { price: "80" },
  ]);
});

it("Twelve Data is asked once for a symbol that two listings have, and its answer is each one's to believe", () => {
  const refs = [VOD, { ...VOD, currency: "GBP" }];
  const { url } = twelveData.quotesRequest(refs, { key: "k", baseUrl: undefined });
  expect(new URL(url).searchParams.get("symbol")).toBe("VOD");
  const body = { symbol: "VOD", mic_code: "XLON", currency: "GBp", close: "80", last_quote_at: AT };
  const [pence, pounds] = twelveData.readQuotes(refs, { status: 200, body });
  expect([pence, pounds]).toMatchObject([{ currency: "GBX" }, { currency: "GBX" }]);
});

it("closes in another unit than the last price are left out, wherever they are in the series, and the others stay as they are", () => {
  const day = (place: number): string => new Date(Date.UTC(2026, 0, 1 + place)).toISOString().slice(0, 10);
  const move = fc.record({ ratio: fc.double({ min: 0.8, max: 1.25, noNaN: true }), isOther: fc.boolean() });
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), fc.constantFrom(100, 0.01), (moves, factor) => {
      let price = 600;
      const days = moves.map(({ ratio, isOther }, place) => {
        price *= ratio;
        return { day: day(place), close: price, isOther };
      });
      const given = days.map((one): [string, string] => [
        one.day,
        String(one.isOther ? one.close * factor : one.close),
      ]);
      const own = given.filter((_, place) => days[place]?.isOther === false);
      expect(inOneUnit(given, String(price), "GBX")).toEqual(own);
    }),
  );
});
