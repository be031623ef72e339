/** The currencies: which may be stored, and which are offered. */
import { describe, expect, it } from "vitest";
import { CURRENCY_CODES, offeredCurrencies } from "../../../src/contract/stocks/currency-codes.ts";

describe("the currencies that are offered", () => {
  it("are those that something is quoted in, by code", () => {
    const offered = offeredCurrencies();
    expect(offered).toEqual([...offered].sort());
    expect(offered).toEqual(expect.arrayContaining(["EUR", "GBX", "USD", "XAU"]));
    for (const code of ["XTS", "XXX", "XUA"]) expect(offered).not.toContain(code);
  });

  it("include the one that a stock has", () => {
    expect(CURRENCY_CODES.has("XXX")).toBe(true);
    expect(offeredCurrencies("XXX")).toContain("XXX");
    expect(offeredCurrencies("XXX").length).toBe(offeredCurrencies().length + 1);
  });
});
