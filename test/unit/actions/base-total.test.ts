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
