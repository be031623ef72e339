/** Exchange rates: what is asked, what is read, and when it is asked again. */
import { describe, expect, it } from "vitest";
import { areRatesDue, ratesRequest, readRates } from "../../../src/quotes/fx/refresh-rates.ts";

describe("the request", () => {
  it("is for the ECB's rates of the newest day", () => {
    expect(ratesRequest(undefined).url).toBe("https://api.frankfurter.dev/v2/rates?base=EUR&providers=ecb");
  });

  it.each([
    ["http://127.0.0.1:8080/fx/", "http://127.0.0.1:8080/fx/v2/rates?base=EUR&providers=ecb"],
    ["https://evil.example", "https://api.frankfurter.dev/v2/rates?base=EUR&providers=ecb"],
    [" ", "https://api.frankfurter.dev/v2/rates?base=EUR&providers=ecb"],
  ])("goes elsewhere only on loopback: %s", (baseUrl, url) => {
    expect(ratesRequest(baseUrl).url).toBe(url);
  });
});

const rate = (quote: string, value: unknown, date = "2026-11-20", base = "EUR") => ({ date, base, quote, rate: value });

describe("rates", () => {
  it("keep the digits of their numbers", () => {
    const body = [rate("JPY", 179.44), rate("USD", 1.1), rate("IDR", 19_345.123456789)];
    expect(readRates({ status: 200, body })?.rates).toEqual({ JPY: "179.44", USD: "1.1", IDR: "19345.123456789" });
  });

  it.each([0, -1, 1e-7, 1e21, "NA", null, "1,2"])("that are %s are left out", (value) => {
    expect(readRates({ status: 200, body: [rate("USD", value), rate("GBP", "0.88")] })?.rates).toEqual({ GBP: "0.88" });
  });

  it("of an earlier day or another base are left out", () => {
    const body = [rate("RUB", 117.2, "2022-03-01"), rate("USD", 1.1), rate("GBP", 1.2, "2026-11-20", "USD")];
    expect(readRates({ status: 200, body })).toEqual({ day: "2026-11-20", rates: { USD: "1.1" } });
  });

  it("are of other currencies than the base, which is sent with them", () => {
    const body = [rate("EUR", 1), rate("USD", 1.1)];
    expect(readRates({ status: 200, body })?.rates).toEqual({ USD: "1.1" });
    expect(readRates({ status: 200, body: [rate("EUR", 1)] })).toBeUndefined();
  });

  it.each([[[]], [{ message: "no" }], ["text"], [null], [[rate("USD", 0)]]])("are none in %j", (body) => {
    expect(readRates({ status: 200, body })).toBeUndefined();
  });
});

describe("rates of Thursday are due", () => {
  const THURSDAY = { day: "2026-11-19", fetchedAtMs: Date.parse("2026-11-19T15:20:00Z") };
  it.each([
    ["not on Friday before 16:15 in Frankfurt", "2026-11-20T15:14:00Z", false],
    ["on Friday from then on", "2026-11-20T15:15:00Z", true],
    ["on Saturday, when Friday's were missed", "2026-11-21T09:00:00Z", true],
    ["on Monday morning, when Friday's were missed", "2026-11-23T07:00:00Z", true],
    ["by summer time in summer", "2027-07-01T14:15:00Z", true],
  ])("%s", (_, now, isDue) => {
    expect(areRatesDue(THURSDAY, Date.parse(now))).toBe(isDue);
  });

  it("an hour later, when Friday's were not there yet", () => {
    const asked = { ...THURSDAY, fetchedAtMs: Date.parse("2026-11-20T15:16:00Z") };
    expect(areRatesDue(asked, Date.parse("2026-11-20T16:15:00Z"))).toBe(false);
    expect(areRatesDue(asked, Date.parse("2026-11-20T16:16:00Z"))).toBe(true);
  });
});

/** How often the cron asks a source that has nothing newer than `day`, each minute from `from` until `to`. */
const timesAsked = (day: string, fetchedAt: string, from: string, to: string): number => {
  let [fetchedAtMs, times] = [Date.parse(fetchedAt), 0];
  for (let nowMs = Date.parse(from); nowMs < Date.parse(to); nowMs += 60_000) {
    if (!areRatesDue({ day, fetchedAtMs }, nowMs)) continue;
    [fetchedAtMs, times] = [nowMs, times + 1];
  }
  return times;
};

describe("rates of the last weekday", () => {
  it("are not asked for over a weekend, until the next are published", () => {
    const asked = timesAsked("2026-11-20", "2026-11-20T15:20:00Z", "2026-11-20T15:20:00Z", "2026-11-23T15:15:00Z");
    expect(asked).toBe(0);
  });

  it("that was a holiday of the ECB are asked for ever more seldom", () => {
    // From Good Friday to the publication on the Tuesday after Easter.
    const asked = timesAsked("2027-03-25", "2027-03-25T15:20:00Z", "2027-03-26T15:15:00Z", "2027-03-30T14:15:00Z");
    expect(asked).toBeGreaterThan(8);
    expect(asked).toBeLessThan(16);
  });
});
