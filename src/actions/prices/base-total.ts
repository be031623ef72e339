/** The one total in a person's own currency: exact until its end, and never with a rate that is not known. */
import Big from "big.js";
import { canonicalDecimal } from "../../contract/stocks/canonical-decimal.ts";
import type { BaseTotal, CurrencyTotal } from "../../contract/stocks/list-stocks.ts";
import { majorCurrency } from "../../contract/stocks/major-currency.ts";
import type { Holding } from "../../db/list/list-sums.ts";
import type { EuroRates } from "../../db/prices/fx.ts";
import type { MarketClock } from "../../quotes/rules/market-clock.ts";
import { ExactSum } from "../exact-sum.ts";
import { isOldPrice } from "./stated-stock.ts";

/** Its own constructor: one rounding at the end, half to even, so that many totals do not drift upwards. */
const Rounded = Big();

Rounded.DP = 10;

Rounded.RM = Rounded.roundHalfEven;

/** An amount, and how much of its currency one euro is worth. */
export type Term = { readonly amount: string; readonly rate: string };

/**
 * The sum in the currency of which one euro is worth `baseRate`: a fraction over the product of all rates, so that the only division
 * is the last step. Null without terms.
 */
export const sumInBase = (terms: readonly Term[], baseRate: string): string | null => {
  if (terms.length === 0) return null;
  const byRate = Map.groupBy(terms, ({ rate }) => rate);
  let [numerator, denominator] = [new Rounded(0), new Rounded(1)];
  for (const [rate, group] of byRate) {
    const amount = group.reduce((sum, term) => sum.plus(term.amount), new Rounded(0));
    numerator = numerator.times(rate).plus(amount.times(denominator));
    denominator = denominator.times(rate);
  }
  // Big rounds quotients only, so everything before is exact.
  return canonicalDecimal(numerator.times(baseRate).div(denominator).toFixed());
};

/** How much of a currency one euro is worth, for sums in `base`; undefined without a rate. */
export const rateOver =
  (base: string, rates: EuroRates | undefined) =>
  (code: string): string | undefined => {
    const euros = (one: string) => (one === "EUR" ? "1" : rates?.rates[one]);
    // A currency is worth itself, with or without a rate.
    if (code === base) return euros(code) ?? "1";
    return euros(base) === undefined ? undefined : euros(code);
  };

/** What the list gives beside the sums by currency. */
type BaseParts = {
  /** The person's currency, if they chose one. */
  readonly baseCurrency: string | undefined;
  /** The newest rates that are known. */
  readonly rates: EuroRates | undefined;
  readonly holdings: readonly Holding[];
};

/** Adds up the totals of all currencies that have a rate; the others are named. */
export const sumBase = (
  totals: readonly CurrencyTotal[],
  { baseCurrency, rates, holdings }: BaseParts,
  defaultCurrency: string,
  clock: MarketClock,
  nowMs: number,
): BaseTotal => {
  const currency = baseCurrency ?? defaultCurrency;
  const rateOf = rateOver(currency, rates);
  const add = (amounts: readonly Amount[]) =>
    sumInBase(
      amounts.flatMap(({ currency: code, amount }) => {
        const rate = rateOf(code);
        return amount === null || rate === undefined ? [] : [{ amount, rate }];
      }),
      rateOf(currency) ?? "1",
    );
  const part = (field: "value" | "cost" | "gain") => add(totals.map((total) => ({ ...total, amount: total[field] })));
  const named = [currency, ...totals.map((total) => total.currency)];
  const fresh = holdings.filter((holding) => !isStale(holding, clock, nowMs));
  // What a price did on a day before is not today's.
  const dayChange = add(dayChanges(fresh));
  // In a single currency, a percentage needs no rate: it is the same in every other.
  const percentRate = totals.length === 1 ? () => "1" : rateOf;
  const known = totals.filter((total) => rateOf(total.currency) !== undefined);
  return {
    ...{ currency, value: part("value"), cost: part("cost"), gain: part("gain") },
    gainPct: percentOver(holdings, percentRate, gainTerms),
    ...{ dayChange, dayChangePct: percentOver(fresh, rateOf, dayTerms) },
    ratesOn: known.some((total) => total.currency !== currency) ? (rates?.day ?? null) : null,
    rates: rates === undefined ? {} : Object.fromEntries(named.flatMap((code) => inEuros(rates, code))),
    missing: totals.flatMap((total) => (rateOf(total.currency) === undefined ? [total.currency] : [])),
    pricedAsOf: holdings.flatMap(([, , , , pricedAt]) => pricedAt ?? []).sort()[0] ?? null,
    staleCount: holdings.length - fresh.length,
  };
};

/** An entry of the rates; none for a currency without one. */
const inEuros = ({ rates }: EuroRates, code: string): (readonly [string, string])[] => {
  const rate = code === "EUR" ? "1" : rates[code];
  return rate === undefined ? [] : [[code, rate]];
};

/** An amount in whole currency; null when it is not known. */
type Amount = { readonly currency: string; readonly amount: string | null };

/** What the holdings of each currency gained or lost today, in whole currency. */
const dayChanges = (holdings: readonly Holding[]): Amount[] => {
  const byCurrency = new Map<string, ExactSum>();
  for (const [currency, , , , , quantity, dayChange] of holdings) {
    const { code, divisor } = majorCurrency(currency);
    const sum = byCurrency.get(code) ?? new ExactSum();
    byCurrency.set(code, sum);
    sum.addProduct(quantity, dayChange, divisor);
  }
  return [...byCurrency].map(([currency, { total }]) => ({ currency, amount: total }));
};

/** A part of a holding's worth and its whole, in the holding's own currency; undefined when it has no such part. */
type PercentTerms = (holding: Holding) => readonly [part: number, whole: number] | undefined;

const gainTerms: PercentTerms = ([, cost, , gain]) => (gain === null ? undefined : [Number(gain), Number(cost)]);

/** Today's change, as a part of what the holding was worth before it. */
const dayTerms: PercentTerms = ([, , value, , , quantity, dayChange]) => {
  if (value === null || dayChange === null) return undefined;
  const change = Number(quantity) * Number(dayChange);
  return [change, Number(value) - change];
};

/**
 * A part in per cent of its whole, over the holdings that have both and a rate, to 4 decimals; null without a whole. It is no amount, so it
 * is computed in floats, whose error is far below those decimals. Big writes it, because a float of 1e21 or more has an exponent.
 */
const percentOver = (
  holdings: readonly Holding[],
  rateOf: (code: string) => string | undefined,
  termsOf: PercentTerms,
): string | null => {
  let [parts, wholes] = [0, 0];
  for (const holding of holdings) {
    const terms = termsOf(holding);
    if (terms === undefined) continue;
    const { code, divisor } = majorCurrency(holding[0]);
    const rate = Number(rateOf(code)) * divisor;
    if (Number.isNaN(rate)) continue;
    parts += terms[0] / rate;
    wholes += terms[1] / rate;
  }
  return wholes > 0 ? canonicalDecimal(new Rounded((parts / wholes) * 100).toFixed(4)) : null;
};

const isStale = (holding: Holding, clock: MarketClock, nowMs: number): boolean => {
  const [, , , , lastPriceAt, , , exchange, quoteMark] = holding;
  return isOldPrice({ lastPrice: lastPriceAt, lastPriceAt, exchange, quoteMark }, clock, nowMs);
};
