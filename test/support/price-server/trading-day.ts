/** Days of prices in tests: prices of a fixed day would be stale one day. */

/** When this was loaded: a run of the tests that passes midnight keeps its days. */
const LOADED_AT_MS = Date.now();

/** The nth weekday before today, 1 for the last one. */
export const tradingDay = (nth: number): string => {
  const day = new Date(LOADED_AT_MS);
  for (let left = nth; left > 0; ) {
    day.setUTCDate(day.getUTCDate() - 1);
    if (![0, 6].includes(day.getUTCDay())) left -= 1;
  }
  return day.toISOString().slice(0, 10);
};

/** The next weekday after today. */
export const comingTradingDay = (): string => {
  const day = new Date(LOADED_AT_MS);
  do day.setUTCDate(day.getUTCDate() + 1);
  while ([0, 6].includes(day.getUTCDay()));
  return day.toISOString().slice(0, 10);
};

/** The afternoon in New York, the weekday before the last. */
export const TRADED_AT = `${tradingDay(2)}T20:30:00.000Z`;

/** One listing of Apple on Nasdaq. */
export const APPLE = {
  ...{ symbol: "AAPL", mic: "XNGS", market: "US", name: "Apple Inc", currency: "USD", isin: "US0378331005" },
  ...{ price: "190.5", previousClose: "188", at: Date.parse(TRADED_AT) / 1_000 },
} as const;
