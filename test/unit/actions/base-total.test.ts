/** The one total in a person's currency (api.md §8). */
import Big from "big.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sumBase as sumOf } from "../../../src/actions/prices/base-total.ts";
import { clockAt } from "../../../src/quotes/rules/market-clock.ts";

const RATES = { day: "2026-11-20", rates: { USD: "1.25", GBP: "0.8", JPY: "180" } };

/** The sums alone, for somebody without holdings that have a quote. */
const sumBase = (
  totals: Parameters<typeof sumOf>[0],
  { currency, rates }: { currency: string; rates: Parameters<typeof sumOf>[1]["rates"] },
) => sumOf(totals, { baseCurrency: currency, rates, holdings: [] }, "USD", clockAt(0), 0);

const total = (currency: string, value: string | null, cost: string | null = null, gain: string | null = null) => ({
  ...{ currency, value, cost, gain },
});

describe("the total", () => {
  it("of several currencies goes through the euro", () => {
    const sums = sumBase([total("EUR", "100", "80", "20"), total("GBP", "8"), total("USD", "10", "5", "5")], {
      currency: "USD",
      rates: RATES,
    });
    expect(sums).toMatchObject({
      ...{ currency: "USD", value: "147.5", cost: "105", gain: "30" },
      ...{ ratesOn: "2026-11-20", missing: [] },
    });
  });

  it("of today has what each price did on the last day of its market, and not what an older one did on its own", () => {
    const nowMs = Date.parse("2026-11-24T15:00:00Z");
    const mark = (session: string) => JSON.stringify({ kind: "trade", session, closedOn: null, isHeld: false });
    const holding = (pricedAt: string, session: string, dayChange: string) =>
      ["USD", null, "100", null, pricedAt, "10", dayChange, "XNAS", mark(session)] as const;
    const holdings = [
      holding("2026-11-24T14:59:00.000Z", "2026-11-23", "1"),
      holding("2026-11-23T21:00:00.000Z", "2026-11-23", "0.5"),
      holding("2026-11-18T21:00:00.000Z", "2026-11-18", "-40"),
    ];
    const sums = sumOf(
      [total("USD", "300")],
      { baseCurrency: "USD", rates: RATES, holdings },
      "USD",
      clockAt(nowMs),
      nowMs,
    );
    expect(sums).toMatchObject({ value: "300", dayChange: "15", staleCount: 1 });
  });

  it("of today has what a held price did only while its session is the last", () => {
    const nowMs = Date.parse("2026-11-24T15:00:00Z");
    const held = (pricedAt: string, session: string, dayChange: string) => {
      const mark = JSON.stringify({ kind: "trade", session, closedOn: null, isHeld: true });
      return ["USD", null, "100", null, pricedAt, "10", dayChange, "XNAS", mark] as const;
    };
    const holdings = [
      held("2026-11-24T14:50:00.000Z", "2026-11-23", "1"),
      held("2026-11-23T21:00:00.000Z", "2026-11-23", "0.5"),
      held("2026-11-18T21:00:00.000Z", "2026-11-18", "-40"),
    ];
    const world = { baseCurrency: "USD", rates: RATES, holdings };
    expect(sumOf([total("USD", "300")], world, "USD", clockAt(nowMs), nowMs)).toMatchObject({
      ...{ dayChange: "15", staleCount: 1 },
    });
  });

  it("has per cent that are a decimal, however large", () => {
    const [cost, value, gain] = ["0.0000000001", "999999999999", "999999999998.9999999999"];
    const holdings = [["USD", cost, value, gain, null, "1", null, null, null] as const];
    const world = { baseCurrency: "USD", rates: RATES, holdings };
    const { gainPct } = sumOf([total("USD", value, cost, gain)], world, "USD", clockAt(0), 0);
    expect(gainPct).toMatch(/^9{3}\d{21}$/);
  });

  it("of today counts pence as hundredths of a pound, and leaves out what has no rate", () => {
    const holding = (currency: string, dayChange: string) =>
      [currency, null, null, null, null, "1500", dayChange, null, null] as const;
    const today = (...holdings: ReturnType<typeof holding>[]) =>
      sumOf([], { baseCurrency: "GBP", rates: RATES, holdings }, "USD", clockAt(0), 0).dayChange;
    expect(today(holding("GBX", "13"))).toBe("195");
    expect(today(holding("GBX", "13"), holding("GBP", "-0.1"), holding("TWD", "99"))).toBe("45");
    expect(today(holding("TWD", "99"))).toBeNull();
  });

  it("has per cent over the holdings that have both amounts, through the rates", () => {
    const holding = (
      currency: string,
      cost: string | null,
      value: string,
      gain: string | null,
      dayChange: string | null,
    ) => [currency, cost, value, gain, null, "10", dayChange, null, null] as const;
    const holdings = [
      holding("GBX", "10000", "15000", "5000", "100"),
      holding("USD", "125", "100", "-25", null),
      holding("GBP", null, "999", null, null),
      holding("TWD", "10", "20", "10", "1"),
    ];
    const totals = [
      total("GBP", "1149", "100", "50"),
      total("USD", "100", "125", "-25"),
      total("TWD", "20", "10", "10"),
    ];
    const sums = sumOf(totals, { baseCurrency: "GBP", rates: RATES, holdings }, "USD", clockAt(0), 0);
    // (50 - 16) of (100 + 80) pounds; 10 of the 140 that the one with a change was worth before.
    expect(sums).toMatchObject({ gain: "34", gainPct: "18.8889", dayChange: "10", dayChangePct: "7.1429" });
    const free = [holding("USD", "0", "100", "100", "10")];
    expect(
      sumOf(
        [total("USD", "100", "0", "100")],
        { baseCurrency: "USD", rates: RATES, holdings: free },
        "USD",
        clockAt(0),
        0,
      ),
    ).toMatchObject({
      ...{ gain: "100", gainPct: null, dayChange: "100", dayChangePct: null },
    });
  });

  it("of one currency alone has its per cent without a rate", () => {
    const holdings = [["TWD", "800", "900", "100", null, "1", null, null, null]] as const;
    const sums = sumOf(
      [total("TWD", "900", "800", "100")],
      { baseCurrency: "USD", rates: RATES, holdings },
      "USD",
      clockAt(0),
      0,
    );
    expect(sums).toMatchObject({ gain: null, gainPct: "12.5", missing: ["TWD"] });
  });

  it("names a currency without a rate, and leaves it out", () => {
    const sums = sumBase([total("USD", "10"), total("TWD", "999")], { currency: "USD", rates: RATES });
    expect(sums).toMatchObject({ value: "10", missing: ["TWD"], ratesOn: null });
  });

  it("needs no rate for its own currency", () => {
    expect(sumBase([total("TWD", "999")], { currency: "TWD", rates: undefined })).toMatchObject({
      ...{ value: "999", missing: [], ratesOn: null },
    });
  });

  it("without a rate of its own currency is of that currency alone", () => {
    const sums = sumBase([total("TWD", "999"), total("USD", "1")], { currency: "TWD", rates: RATES });
    expect(sums).toMatchObject({ value: "999", missing: ["USD"] });
  });

  it("is null where nothing is known", () => {
    expect(sumBase([], { currency: "USD", rates: RATES })).toMatchObject({ value: null, cost: null, gain: null });
  });

  it("is rounded once, half to even", () => {
    const rates = { day: "2026-11-20", rates: { USD: "2", CHF: "4" } };
    const value = (amount: string) => sumBase([total("CHF", amount)], { currency: "USD", rates }).value;
    expect(value("0.0000000001")).toBe("0");
    expect(value("0.0000000003")).toBe("0.0000000002");
    const thirds = { day: "2026-11-20", rates: { USD: "3", CHF: "3", SEK: "9" } };
    const parts = [total("EUR", "1"), total("SEK", "1"), total("SEK", "1"), total("SEK", "1")];
    expect(sumBase(parts, { currency: "EUR", rates: thirds }).value).toBe("1.3333333333");
  });

  it("never adds an amount of a currency without its rate", () => {
    const code = fc.constantFrom("EUR", "USD", "GBP", "JPY", "TWD", "ARS");
    const amount = fc.integer({ min: 0, max: 10 ** 9 }).map((cents) => new Big(cents).div(100).toFixed());
    fc.assert(
      fc.property(fc.dictionary(code, amount), code, (byCode, currency) => {
        const totals = Object.entries(byCode).map(([one, value]) => total(one, value));
        const { value, missing } = sumBase(totals, { currency, rates: RATES });
        const rate = (one: string) => (one === "EUR" ? "1" : new Map(Object.entries(RATES.rates)).get(one));
        const isKnown = (one: string) => one === currency || (rate(one) !== undefined && rate(currency) !== undefined);
        expect(missing).toEqual(Object.keys(byCode).filter((one) => !isKnown(one)));
        const known = Object.entries(byCode).filter(([one]) => isKnown(one));
        const sum = known.reduce(
          (so, [one, part]) => so + (Number(part) * Number(rate(currency) ?? 1)) / Number(rate(one) ?? 1),
          0,
        );
        expect(Math.abs(Number(value ?? 0) - sum)).toBeLessThanOrEqual(1e-9 * Math.max(1, sum));
      }),
    );
  });
});

/** Places of amounts, and of the total. */
const PLACES = 20;
const TOTAL_PLACES = 10;

/** A decimal as a whole number of its smallest part. */
const unitsOf = (decimal: string): bigint => {
  const [whole = "0", fraction = ""] = decimal.replace("-", "").split(".");
  const units = BigInt(whole + fraction.padEnd(PLACES, "0"));
  return decimal.startsWith("-") ? -units : units;
};

/** A fraction, rounded half to even, as a whole number of the total's smallest part. */
const rounded = (numerator: bigint, denominator: bigint): bigint => {
  const isNegative = numerator < 0n;
  const scaled = (isNegative ? -numerator : numerator) * 10n ** BigInt(TOTAL_PLACES);
  const [whole, left] = [scaled / denominator, scaled % denominator];
  const isUp = left * 2n > denominator || (left * 2n === denominator && whole % 2n === 1n);
  const units = isUp ? whole + 1n : whole;
  return isNegative ? -units : units;
};

const decimal = (digits: number, places: number) =>
  fc
    .tuple(
      fc.bigInt({ min: 0n, max: 10n ** BigInt(digits) - 1n }),
      fc.bigInt({ min: 0n, max: 10n ** BigInt(places) - 1n }),
    )
    .map(([whole, fraction]) => new Big(`${whole}.${String(fraction).padStart(places, "0")}`).toFixed());

describe("whatever is held and whatever rates are known", () => {
  const code = fc.constantFrom("EUR", "USD", "GBP", "JPY", "CHF", "TWD");
  const rate = decimal(4, 6).filter((text) => text !== "0");
  const rates = fc
    .dictionary(
      code.filter((one) => one !== "EUR"),
      rate,
    )
    .map((known) => ({ day: "2026-11-20", rates: known }));
  // As products of quantity and price have them.
  const amount = fc
    .tuple(decimal(12, PLACES), fc.boolean())
    .map(([text, isLoss]) => (isLoss && text !== "0" ? `-${text}` : text));
  const totals = fc
    .dictionary(code, amount)
    .map((byCode) => Object.entries(byCode).map(([one, value]) => total(one, value)));

  it("the total is the exact sum of what has a rate, rounded once; the others are named, and never count 1:1", () => {
    fc.assert(
      fc.property(totals, rates, code, (held, known, currency) => {
        const rateOf = (one: string): string | undefined => (one === "EUR" ? "1" : known.rates[one]);
        const counts = (one: string) =>
          one === currency || (rateOf(one) !== undefined && rateOf(currency) !== undefined);
        const { value, missing } = sumBase(held, { currency, rates: known });
        const counted = held.filter((one) => counts(one.currency));
        expect(missing).toEqual(held.map((one) => one.currency).filter((one) => !counts(one)));
        // All over one denominator: the product of the rates.
        const inUnits = counted.map((one) => ({
          amount: unitsOf(one.value ?? "0"),
          rate: one.currency === currency ? unitsOf("1") : unitsOf(rateOf(one.currency) ?? ""),
          base: one.currency === currency ? unitsOf("1") : unitsOf(rateOf(currency) ?? ""),
        }));
        const denominator = inUnits.reduce((product, one) => product * one.rate, 1n);
        const numerator = inUnits.reduce((sum, one) => sum + one.amount * one.base * (denominator / one.rate), 0n);
        const exact = rounded(numerator, denominator * unitsOf("1"));
        const got = value === null ? null : unitsOf(value) / 10n ** BigInt(PLACES - TOTAL_PLACES);
        expect(got).toBe(counted.length === 0 ? null : exact);
      }),
      { numRuns: 1_000 },
    );
  });

  it("an amount without a rate changes no total", () => {
    fc.assert(
      fc.property(totals, rates, amount, (held, known, other) => {
        const own = held.filter((one) => one.currency !== "TWD");
        const { TWD: _, ...without } = known.rates;
        const world = { currency: "EUR", rates: { ...known, rates: without } };
        const { missing, ...sums } = sumBase(own, world);
        const more = sumBase([...own, total("TWD", other, other, other)], world);
        expect(more).toEqual({ ...sums, missing: [...missing, "TWD"] });
      }),
    );
  });
});
