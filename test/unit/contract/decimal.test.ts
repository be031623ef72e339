/** Amounts: what is taken, what is refused, and the one form answers have (api.md §5). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalDecimal } from "../../../src/contract/stocks/canonical-decimal.ts";
import { Amount, DecimalText, TargetPrice } from "../../../src/contract/stocks/decimal.ts";

describe("an amount", () => {
  it.each([
    ["10", "10"],
    ["007.50", "7.5"],
    ["0.0000000001", "0.0000000001"],
    ["123456789012.1234567891", "123456789012.1234567891"],
    [" 5 ", "5"],
    ["-0", "0"],
    ["-0.00", "0"],
    ["0", "0"],
    ["100", "100"],
    ["100.0", "100"],
    [10, "10"],
    [0.1, "0.1"],
    [1e-7, "0.0000001"],
    [1.5e-9, "0.0000000015"],
    [1e11, "100000000000"],
    [-0, "0"],
  ])("%j is %j", (input, canonical) => {
    expect(Amount.parse(input)).toBe(canonical);
  });

  it.each([
    "1e3",
    ".5",
    "+2",
    "1,5",
    "1.",
    "",
    " ",
    "abc",
    "1 000",
    "0x10",
    "٣",
    "NaN",
    "1234567890123",
    "1.12345678901",
  ])("%j is refused with the remedy", (input) => {
    expect(Amount.safeParse(input).error?.issues.map(({ message }) => message)).toEqual([
      "use a plain decimal such as 12.5, at most 12 digits before the point and 10 after it",
    ]);
  });

  it.each([1e12, 1e21, 1e-11, 0.1 + 0.2, Number.NaN, Number.POSITIVE_INFINITY, true, null, [], {}])(
    "%j does not fit and is refused",
    (input) => {
      expect(Amount.safeParse(input).success).toBe(false);
    },
  );

  it("below 0 is refused", () => {
    expect(Amount.safeParse("-1").error?.issues[0]?.message).toBe("use 0 or more");
  });

  it("of 0 or less is not a target", () => {
    expect(["0", "-1", "0.00"].map((input) => TargetPrice.safeParse(input).error?.issues[0]?.message)).toEqual([
      "use more than 0",
      "use more than 0",
      "use more than 0",
    ]);
  });
});

it("the canonical form of any amount is stable, equal in value and valid in an answer", () => {
  const amounts = fc.stringMatching(/^-?\d{1,12}(\.\d{1,10})?$/);
  fc.assert(
    fc.property(amounts, (amount) => {
      const canonical = canonicalDecimal(amount);
      expect(canonicalDecimal(canonical)).toBe(canonical);
      expect(Number(canonical)).toBe(Number(amount) + 0);
      expect(DecimalText.safeParse(canonical).success).toBe(true);
    }),
  );
});
