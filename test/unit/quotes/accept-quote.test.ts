/** Which quotes are believed (decision 0102). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acceptQuote, type KnownPrice } from "../../../src/quotes/rules/accept-quote.ts";
import type { Quote } from "../../../src/quotes/sources/quote-source.ts";

const NOW = Date.parse("2026-11-20T15:00:00Z");
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

const known = (more: Partial<KnownPrice> = {}): KnownPrice => ({
  ...{
    mic: "XNAS",
    currency: "USD",
    price: "100",
    asOfMs: NOW - 60 * MINUTE,
    pending: null,
    splits: [],
    splitsOfDay: [],
  },
  ...more,
});

const quote = (more: Partial<Quote> = {}): Quote => ({
  ...{ price: "101", previousClose: "99", mic: "XNAS", currency: "USD", asOf: { atMs: NOW - MINUTE } },
  ...{ isMarketOpen: true, ...more },
});

const refused = (because: string) => ({ verdict: "refused", because });

describe("a quote", () => {
  it("of the listing, newer and near the last price, is believed", () => {
    expect(acceptQuote(known(), quote(), NOW)).toEqual({
      verdict: "accepted",
      quote: { price: "101", previousClose: "99", asOfMs: NOW - MINUTE, asOfKind: "trade", isMarketOpen: true },
    });
  });

  it("that corrects the price of the same second is a millisecond later, however often, and one that repeats it is not", () => {
    const [second, day] = [NOW - MINUTE, { day: "2026-11-19" }];
    const closeMs = Date.parse("2026-11-19T21:00:00Z");
    const asOfAfter = (asOfMs: number, given: Quote) => acceptQuote(known({ asOfMs }), given, NOW);
    expect(asOfAfter(second, quote())).toMatchObject({ quote: { price: "101", asOfMs: second + 1 } });
    expect(asOfAfter(second + 1, quote())).toMatchObject({ quote: { price: "101", asOfMs: second + 2 } });
    expect(asOfAfter(second + 1, quote({ price: "100" }))).toMatchObject({ quote: { asOfMs: second + 1 } });
    expect(asOfAfter(closeMs, quote({ asOf: day }))).toMatchObject({ quote: { asOfMs: closeMs + 1 } });
    expect(asOfAfter(second + 1, quote({ asOf: { atMs: second - 1_000 } }))).toEqual(refused("old"));
  });

  it("of a listing that is stored under another code of its market is believed", () => {
    const tokyo = known({ mic: "XJPX", currency: "JPY" });
    expect(acceptQuote(tokyo, quote({ mic: "XTKS", currency: "JPY" }), NOW).verdict).toBe("accepted");
  });

  it("of a source that names neither market nor currency is believed by its request", () => {
    expect(acceptQuote(known(), quote({ mic: null, currency: null }), NOW).verdict).toBe("accepted");
  });

  it("of a day is of its close in the market's own time", () => {
    const thursday = quote({ asOf: { day: "2026-11-19" } });
    expect(acceptQuote(known({ asOfMs: null }), thursday, NOW)).toMatchObject({
      quote: { asOfMs: Date.parse("2026-11-19T21:00:00Z"), asOfKind: "day" },
    });
  });

  it("of a day that is not over is as of now", () => {
    expect(acceptQuote(known(), quote({ asOf: { day: "2026-11-20" } }), NOW)).toMatchObject({ quote: { asOfMs: NOW } });
  });

  it.each([
    [quote({ mic: "XETR" }), "listing"],
    [quote({ currency: "GBP" }), "unit"],
    [quote({ asOf: { atMs: NOW - 61 * MINUTE } }), "old"],
    [quote({ asOf: { atMs: NOW + 6 * MINUTE } }), "future"],
    [quote({ asOf: { day: "2026-11-21" } }), "future"],
    [quote({ asOf: { day: "2099-01-01" } }), "future"],
  ])("is refused: %j", (one, because) => {
    expect(acceptQuote(known(), one, NOW)).toEqual(refused(because));
  });

  it("takes the place of one that is stored with a time to come, unless a clock may be that far ahead", () => {
    const accepted = { verdict: "accepted", quote: { asOfMs: NOW - MINUTE } };
    expect(acceptQuote(known({ asOfMs: NOW + 6 * MINUTE }), quote(), NOW)).toMatchObject(accepted);
    expect(acceptQuote(known({ asOfMs: NOW + 4 * MINUTE }), quote(), NOW)).toEqual(refused("old"));
  });

  it("in pounds is no quote in pence", () => {
    const pence = known({ mic: "XLON", currency: "GBX", price: "612.2" });
    expect(acceptQuote(pence, quote({ mic: "XLON", currency: "GBP", price: "6.12" }), NOW)).toEqual(refused("unit"));
  });
});

describe("a jump", () => {
  const crash = quote({ price: "37", previousClose: "99" });
  const heldSince = (sinceMs: number) => known({ pending: { price: "38", sinceMs } });

  it("is held when it is first seen", () => {
    expect(acceptQuote(known(), crash, NOW)).toEqual({ verdict: "held", pending: { price: "37", sinceMs: NOW } });
  });

  it("is held until ten minutes later, and keeps its beginning", () => {
    const since = NOW - 9 * MINUTE;
    expect(acceptQuote(heldSince(since), crash, NOW)).toEqual({
      verdict: "held",
      pending: { price: "38", sinceMs: since },
    });
    expect(acceptQuote(heldSince(NOW - 10 * MINUTE), crash, NOW).verdict).toBe("accepted");
  });

  it("begins again when the price is another one", () => {
    const other = known({ pending: { price: "50000", sinceMs: NOW - DAY } });
    expect(acceptQuote(other, crash, NOW)).toEqual({ verdict: "held", pending: { price: "37", sinceMs: NOW } });
  });

  it("from the close before is one as well", () => {
    expect(acceptQuote(known({ price: null }), crash, NOW).verdict).toBe("held");
  });

  it.each(["GBX", "GBP"])("of a hundred is a wrong unit for ever where there are two: %s", (currency) => {
    for (const price of ["1", "10000"]) {
      const again = known({ currency, pending: { price, sinceMs: NOW - 30 * DAY } });
      expect(acceptQuote(again, quote({ price, currency, previousClose: null }), NOW).verdict).toBe("held");
    }
  });

  it.each(["1", "10000"])("of a hundred takes a day where there is one unit, as a split: %s", (price) => {
    const verdictAfter = (ms: number) =>
      acceptQuote(known({ pending: { price, sinceMs: NOW - ms } }), quote({ price, previousClose: null }), NOW).verdict;
    expect([verdictAfter(23 * 60 * MINUTE), verdictAfter(DAY)]).toEqual(["held", "accepted"]);
  });

  it("that looks like a split takes a day", () => {
    const tenth = quote({ price: "10.1", previousClose: null });
    const heldFor = (ms: number) => known({ pending: { price: "10", sinceMs: NOW - ms } });
    expect(acceptQuote(heldFor(23 * 60 * MINUTE), tenth, NOW).verdict).toBe("held");
    expect(acceptQuote(heldFor(DAY), tenth, NOW).verdict).toBe("accepted");
  });

  it("that a known split explains is none", () => {
    const splits = [{ day: "2026-11-20", numerator: 10, denominator: 1 }];
    const after = quote({ price: "10.1", previousClose: "9.9" });
    expect(acceptQuote(known({ splits }), after, NOW)).toMatchObject({ quote: { previousClose: "9.9" } });
    expect(acceptQuote(known({ splits }), quote({ price: "1.01" }), NOW).verdict).toBe("held");
  });

  const tenForOne = [{ day: "2026-11-20", numerator: 10, denominator: 1 }];
  const threeForTwo = [{ day: "2026-11-20", numerator: 3, denominator: 2 }];

  it.each([
    ["the first quote after it", known({ splits: tenForOne }), "10.1"],
    ["a later one of that day", known({ price: "10.1", splitsOfDay: tenForOne }), "10.2"],
    ["a split of three for two", known({ price: "67", splitsOfDay: threeForTwo }), "68"],
  ])("from a close in old shares is none, and that close is not kept: %s", (_, before, price) => {
    const given = quote({ price, previousClose: "99" });
    expect(acceptQuote(before, given, NOW)).toMatchObject({
      verdict: "accepted",
      quote: { price, previousClose: null },
    });
  });

  it("on the day of a split is one all the same", () => {
    const before = known({ price: "10.1", splitsOfDay: tenForOne });
    expect(acceptQuote(before, quote({ price: "1.01", previousClose: "9.9" }), NOW).verdict).toBe("held");
  });
});

it("whatever comes, what is believed is of the same listing and unit, newer, and no jump from both prices at once", () => {
  const price = fc.integer({ min: 1, max: 10 ** 8 }).map((cents) => String(cents / 100));
  const time = fc.integer({ min: -3 * DAY, max: DAY }).map((ms) => NOW + ms);
  const anyQuote = fc.record({
    price,
    previousClose: fc.option(price),
    mic: fc.constantFrom(null, "XNAS", "XETR", "XLON"),
    currency: fc.constantFrom(null, "USD", "GBX", "GBP"),
    asOf: fc.oneof(
      time.map((atMs) => ({ atMs })),
      fc.constantFrom("2026-11-19", "2026-11-20", "2026-11-21", "2099-01-01").map((day) => ({ day })),
    ),
    isMarketOpen: fc.constantFrom(null, true, false),
  });
  const anyKnown = fc.record({
    mic: fc.constantFrom(null, "XNAS", "XLON"),
    currency: fc.constantFrom("USD", "GBX"),
    price: fc.option(price),
    asOfMs: fc.option(time),
    pending: fc.option(fc.record({ price, sinceMs: time })),
    splits: fc.constant([]),
    splitsOfDay: fc.constant([]),
  });
  let accepted = 0;
  fc.assert(
    fc.property(anyKnown, anyQuote, (before, given) => {
      const verdict = acceptQuote(before, given, NOW);
      if (verdict.verdict !== "accepted") return;
      accepted += 1;
      expect(new Set([before.mic, given.mic, null]).size).toBeLessThanOrEqual(2);
      expect([before.currency, null]).toContain(given.currency);
      expect(verdict.quote.price).toBe(given.price);
      if ("day" in given.asOf) expect(given.asOf.day <= "2026-11-20").toBe(true);
      expect(verdict.quote.asOfMs).toBeLessThanOrEqual(NOW + 5 * MINUTE);
      // What was stored with a time to come gives way.
      if ((before.asOfMs ?? 0) <= NOW + 5 * MINUTE)
        expect(verdict.quote.asOfMs).toBeGreaterThanOrEqual(before.asOfMs ?? -Infinity);
      const ratio = before.price === null ? 1 : Number(given.price) / Number(before.price);
      expect(before.pending !== null || (ratio >= 0.5 && ratio <= 2)).toBe(true);
      // Where there are two units it is the other one for ever; where there is one, a split that has been seen for a day.
      const isHundred = [ratio, 1 / ratio].some((times) => times >= 50 && times <= 200);
      const heldFor = before.currency === "GBX" ? 0 : NOW - (before.pending?.sinceMs ?? NOW);
      expect(!isHundred || heldFor >= DAY).toBe(true);
    }),
    { numRuns: 2_000 },
  );
  expect(accepted).toBeGreaterThan(20);
});
