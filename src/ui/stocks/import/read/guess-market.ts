/** What an import guesses about a stock from its symbol's ending, or from its market (decision 0130). */
import { guessByMarket, guessBySuffix, type SuffixGuess } from "../../../../contract/prices/symbol-suffixes.ts";
import { CURRENCY_CODES } from "../../../../contract/stocks/currency-codes.ts";
import { marketCode } from "../../store/market-prefix.ts";
import type { ImportRow } from "./import-row.ts";

type Listed = { readonly symbol: string; readonly exchange?: string | null | undefined };

/** The person's choices for rows that name no currency, and for such rows of London. */
type Choices = { readonly currency?: string | undefined; readonly london?: string | undefined };

/**
 * Guesses the market and currency of a row that names no currency. A row with a currency is left as it is: with a guessed market it
 * would be another stock than the one an earlier import made of it. If the row names the market, the person's choice comes first.
 */
export const guessFor = (
  { symbol, exchange: listed }: Listed,
  exchange: string | undefined,
  currency: string | undefined,
  chosen: Choices,
): SuffixGuess | undefined => {
  const market = exchange === undefined ? (listed ?? undefined) : (marketCode(exchange) ?? exchange);
  if (currency !== undefined || (market !== undefined && chosen.currency !== undefined)) return undefined;
  const guess = market === undefined ? guessBySuffix(symbol) : guessByMarket(symbol, market);
  return guess && isInPence(guess) && chosen.london !== undefined ? { ...guess, currency: chosen.london } : guess;
};

/** Whether a guess is about one of London's stocks, which are in pence or pounds. Its other ending is for stocks in dollars. */
export const isInPence = ({ suffix, exchange }: SuffixGuess): boolean => exchange === "XLON" && suffix !== ".IL";

/** Behind a hyphen, other currency codes mostly do not mean a currency: `GEF-TOP`, `BRK-ALL`. */
const CURRENCIES_OF_COINS: ReadonlySet<string> = new Set("USD EUR GBP JPY CAD AUD CHF INR KRW CNY HKD BRL".split(" "));

/** The currency in which Yahoo quotes a pair: `BTC-EUR`, `EURGBP=X`. */
export const currencyOfPair = (symbol: string): string | undefined => {
  const [, behind = "", last = ""] = /^(?:[A-Z\d]+-([A-Z]{3})|[A-Z]{3}([A-Z]{3})=X)$/.exec(symbol) ?? [];
  if (CURRENCIES_OF_COINS.has(behind)) return behind;
  return CURRENCY_CODES.has(last) ? last : undefined;
};

/** The note beside the row about the currency of a pair. */
export const sayPair = (symbol: string, currency: string): string => `Guessed from ${symbol}: ${currency}.`;

const currencyWords = (currency: string): string => (currency === "GBX" ? "GBX (pence)" : currency);

/** The note beside the row about a guess. */
export const sayGuess = ({ suffix, exchange, currency }: SuffixGuess): string =>
  `Guessed from ${suffix}: ${suffix === exchange ? "" : `${exchange}, `}${currencyWords(currency)}.`;

/** All guesses of an import, the most frequent first: `.DE is XETR, EUR (2 stocks)`. */
export const listGuesses = (rows: readonly ImportRow[]): readonly string[] => {
  const counts = new Map<string, number>();
  for (const row of rows) {
    if (row.kind !== "draft" || row.guess === undefined) continue;
    const { suffix, exchange, currency } = row.guess;
    const words = `${suffix} is ${suffix === exchange ? "in " : `${exchange}, `}${currencyWords(currency)}`;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([words, count]) => `${words} (${count})`);
};
