/** Costs as D1 keeps them: there and back they are the same, and their sums are exact. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalDecimal } from "../../../src/contract/stocks/canonical-decimal.ts";
import { fromPicoUsd, toPicoUsd } from "../../../src/db/pico-usd.ts";

describe("a cost", () => {
  it.each([
    ["0", "0000000000000"],
    ["0.00007", "0000070000000"],
    ["12.5", "12500000000000"],
    ["0.000000000001", "0000000000001"],
  ])("%s is kept as %s", (cost, digits) => {
    expect(toPicoUsd(cost)).toBe(digits);
  });

  it.each([
    [null, null],
    ["0", "0"],
    ["1", "0.000000000001"],
    ["70000000", "0.00007"],
    ["12500000000000", "12.5"],
    ["123456789012345678901", "123456789.012345678901"],
  ])("comes back from %s as %s", (digits, cost) => {
    expect(fromPicoUsd(digits)).toBe(cost);
  });

  it("is the same there and back, whatever it is", () => {
    const anyCost = fc
      .tuple(fc.nat(), fc.stringMatching(/^\d{1,12}$/))
      .map(([whole, fraction]) => canonicalDecimal(`${whole}.${fraction}`));
    fc.assert(
      fc.property(anyCost, (cost) => {
        expect(fromPicoUsd(BigInt(toPicoUsd(cost)).toString())).toBe(cost);
      }),
    );
  });
});
