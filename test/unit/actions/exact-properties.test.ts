/** Amounts are never floats: every operation gives the same result as with whole numbers, whatever the amounts (api.md §5). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ExactSum } from "../../../src/actions/exact-sum.ts";
import { compare, multiply, percentOf, subtract } from "../../../src/actions/stock-figures.ts";
import { DecimalText } from "../../../src/contract/stocks/decimal.ts";

/** Decimals the model keeps: those of a product of two amounts. */
const DECIMALS = 20;
const ONE = 10n ** BigInt(DECIMALS);

/** A decimal as a whole number of its smallest part. */
const unitsOf = (decimal: string): bigint => {
  const [whole = "0", fraction = ""] = decimal.replace("-", "").split(".");
  const units = BigInt(whole + fraction.padEnd(DECIMALS, "0"));
  return decimal.startsWith("-") ? -units : units;
};

const magnitude = (units: bigint): bigint => (units < 0n ? -units : units);

/** Any amount an input can have, in the one form it is kept in. */
const amount = fc
  .tuple(fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }), fc.bigInt({ min: 0n, max: 10n ** 10n - 1n }))
  .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(10, "0")}`.replace(/\.?0+$/, "") || "0");
const signed = fc
  .tuple(amount, fc.boolean())
  .map(([text, isNegative]) => (isNegative && text !== "0" ? `-${text}` : text));

const sum = (amounts: readonly string[]): string => {
  const exact = new ExactSum();
  for (const amount of amounts) exact.add(amount);
  return exact.total ?? "0";
};

describe("exact arithmetic", () => {
  it("adds without drift, in any order", () => {
    fc.assert(
      fc.property(fc.array(signed, { maxLength: 50 }), (amounts) => {
        expect(unitsOf(sum(amounts))).toBe(amounts.reduce((total, one) => total + unitsOf(one), 0n));
        expect(sum(amounts.toReversed())).toBe(sum(amounts));
      }),
    );
  });

  it("adds products and hundredths whole", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(signed, signed), { minLength: 1, maxLength: 20 }), (pairs) => {
        const [products, hundredths] = [new ExactSum(), new ExactSum()];
        for (const [a, b] of pairs) {
          products.addProduct(a, b);
          hundredths.addProduct(a, b, 100);
          hundredths.add(a, 100);
          products.addProduct(a, null);
          products.add(null);
        }
        const whole = pairs.reduce((total, [a, b]) => total + unitsOf(a) * unitsOf(b), 0n);
        expect(unitsOf(products.total ?? "none") * ONE).toBe(whole);
        // Two decimals more than a product has: counted by a hundred times as much.
        const amounts = pairs.reduce((total, [a]) => total + unitsOf(a) * ONE, 0n);
        const [units, fraction = ""] = (hundredths.total ?? "none").split(".");
        expect(BigInt(`${units}${fraction.padEnd(DECIMALS + 2, "0")}`) * ONE).toBe(whole + amounts);
      }),
    );
    expect(new ExactSum().total).toBeNull();
  });

  it("subtracts what was added, and multiplies whole", () => {
    fc.assert(
      fc.property(signed, signed, (a, b) => {
        expect(subtract(sum([a, b]), b)).toBe(a);
        expect(unitsOf(multiply(a, b)) * ONE).toBe(unitsOf(a) * unitsOf(b));
      }),
    );
  });

  it("compares as the numbers do, and only equal ones are 0 apart", () => {
    fc.assert(
      fc.property(signed, signed, (a, b) => {
        expect(compare(a, b)).toBe(unitsOf(a) < unitsOf(b) ? -1 : Number(unitsOf(a) > unitsOf(b)));
        expect(compare(a, b) === 0).toBe(a === b);
      }),
    );
  });

  it("rounds a percentage to 10 decimals, halves away from zero", () => {
    const nonzero = amount.filter((text) => text !== "0");
    fc.assert(
      fc.property(signed, nonzero, (part, whole) => {
        const units = unitsOf(percentOf(part, whole) ?? "none");
        const last = 10n ** 10n;
        // How far the rounded quotient is off, in parts of `whole`: at most half of the last decimal.
        const off = units * unitsOf(whole) - unitsOf(part) * 100n * ONE;
        expect(units % last).toBe(0n);
        expect(2n * magnitude(off) <= last * unitsOf(whole)).toBe(true);
        const isHalf = 2n * magnitude(off) === last * unitsOf(whole);
        expect(isHalf && magnitude(units) * unitsOf(whole) < magnitude(unitsOf(part) * 100n * ONE)).toBe(false);
      }),
    );
    expect([percentOf("1", "0"), percentOf("0.000000000005", "10"), percentOf("-0.000000000005", "10")]).toEqual([
      null,
      "0.0000000001",
      "-0.0000000001",
    ]);
  });

  it("writes every result in the form of an answer", () => {
    fc.assert(
      fc.property(signed, amount, (a, b) => {
        const results = [sum([a, b]), subtract(a, b), multiply(a, b), percentOf(a, b) ?? "0"];
        expect(results.filter((result) => !DecimalText.safeParse(result).success)).toEqual([]);
      }),
    );
  });
});
