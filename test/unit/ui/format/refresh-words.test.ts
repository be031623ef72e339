/** What came of asking for newer prices, in words. */
import { expect, it } from "vitest";
import { refreshWords, tooSoonWords } from "../../../../src/ui/format/refresh-words.ts";
import { stockOf } from "../stocks/form/stock-of.ts";

const NOW = Date.parse("2026-11-20T12:00:00.000Z");
const instrument = { source: "twelvedata", symbol: "AAPL", exchange: "XNAS", name: "Apple" };

/** A stock that takes prices of a source, by the minutes of its price's age. */
const aged = (minutes: number, more: object = {}) =>
  stockOf({ instrument, lastPriceAt: new Date(NOW - minutes * 60_000).toISOString(), ...more });

const nothing = { accepted: [], pending: [], refused: [] };

it.each([
  [{ ...nothing, accepted: ["AAPL"] }, [aged(2)], "The price is from 2 min ago."],
  [{ ...nothing, accepted: ["AAPL", "SAP"] }, [aged(2), aged(2)], "Prices are from 2 min ago."],
  [
    { ...nothing, accepted: ["AAPL", "SAP"] },
    [aged(2), aged(3 * 24 * 60), aged(0, { autoPrice: false }), aged(0, { instrument: null })],
    "Prices are from 2 min ago, the oldest from 3 days ago.",
  ],
  [
    { ...nothing, accepted: ["AAPL"], pending: ["NVDA"] },
    [aged(0)],
    "The price is from this minute. Still waiting: NVDA. They will follow.",
  ],
  [
    {
      ...nothing,
      refused: ["A", "B", "C", "D", "E", "F"].map((symbol) => ({ symbol, reason: "plan" as const, retryAt: null })),
    },
    [aged(0, { lastPrice: null, lastPriceAt: null })],
    "No price is known yet. A, B, C, D, E and 1 more: the plan with the price source does not include it.",
  ],
  [nothing, [], "No source has prices for these stocks."],
])("%j", (outcome, stocks, words) => {
  expect(refreshWords(outcome, stocks, NOW)).toBe(words);
});

it("says when a price is asked for again", () => {
  const retryAt = "2026-11-20T12:01:00.000Z";
  const refused = [{ symbol: "AAPL", reason: "down" as const, retryAt }];
  expect(refreshWords({ ...nothing, refused }, [aged(60)], NOW)).toMatch(
    /^The price is from 1 h ago\. AAPL: the price source does not answer, next try at \d\d:01\.$/,
  );
});

it("asks nobody twice within a minute, and says so", () => {
  expect(tooSoonWords([aged(1)], NOW)).toBe(
    "Prices were requested less than a minute ago. The price is from 1 min ago.",
  );
});
