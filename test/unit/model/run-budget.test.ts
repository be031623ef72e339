/** How a budget is read, what each yes adds to it, and how it is worded. */
import { describe, expect, it } from "vitest";
import { budgetAfter, inDollars, isWithin, readAmount } from "../../../src/model/budgets.ts";

describe("AGENT_RUN_BUDGET_USD", () => {
  it.each([
    ["0.50", "0.5"],
    [" 5 ", "5"],
    ["007.25", "7.25"],
    ["0.000000000001", "0.000000000001"],
    ["999999", "999999"],
  ])("%j is %s dollars", (text, amount) => {
    expect(readAmount(text)).toBe(amount);
  });

  it("may be a number, as wrangler.toml can hold it", () => {
    expect([readAmount(0.25), readAmount(0), readAmount(Number.NaN)]).toEqual(["0.25", null, null]);
  });

  it.each([undefined, "", "  "])("%j is none", (text) => {
    expect(readAmount(text)).toBeUndefined();
  });

  it.each(["0", "0.00", "-1", "+1", "$5", "5,00", "1e3", ".5", "5.", "five", "Infinity", "1000000", "0.0000000000001"])(
    "%j cannot be read",
    (text) => {
      expect(readAmount(text)).toBeNull();
    },
  );
});

it.each([
  ["0.5", 0, "0.5"],
  ["0.5", 1, "1"],
  ["0.1", 2, "0.3"],
])("a budget of %s dollars is, after %i times yes, %s", (limit, allowed, amount) => {
  expect(budgetAfter(limit, allowed)).toBe(amount);
});

it.each([
  ["0.3", ["0.1", "0.2"], true],
  ["0.3", ["0.1", "0.2000001"], false],
  ["1", [], true],
])("within %s dollars %j fits: %s", (amount, costs, fits) => {
  expect(isWithin(amount, costs)).toBe(fits);
});

it.each([
  ["0.5", "$0.50"],
  ["1", "$1.00"],
  ["12.345", "$12.345"],
  ["0.000001", "$0.000001"],
])("%s dollars are read as %s", (amount, text) => {
  expect(inDollars(amount)).toBe(text);
});
