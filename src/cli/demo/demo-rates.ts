/** Exchange rates of the demo, so that its list has one total without a network. Made up, about as large as real ones. */

/** What a euro costs. */
const RATES = {
  ...{ AUD: 1.77, BRL: 6.2, CAD: 1.62, CHF: 0.93, CNY: 8.25, CZK: 24.2, DKK: 7.47, GBP: 0.88, HKD: 9.04, HUF: 385 },
  ...{ IDR: 19_300, ILS: 3.78, INR: 103, ISK: 146, JPY: 180, KRW: 1_690, MXN: 21.3, MYR: 4.8, NOK: 11.7, NZD: 2.04 },
  ...{ PHP: 68, PLN: 4.24, RON: 5.09, SEK: 10.95, SGD: 1.51, THB: 37.5, TRY: 49, USD: 1.16, ZAR: 20.1 },
} as const;

/** Long past, so that the ECB's next rates replace them where the same data is served without the demo. */
const DAY = "2026-01-02";

/** As Frankfurter answers. */
export const demoRates = Object.entries(RATES).map(([quote, rate]) => ({ date: DAY, base: "EUR", quote, rate }));
