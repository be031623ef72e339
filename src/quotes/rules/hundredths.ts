/** Prices in another unit than they claim: a source may switch from pence to pounds within a series, and may not say so. */
import { MAJOR_OF_HUNDREDTH } from "../../contract/stocks/major-currency.ts";

/** A step by a factor between these, or by its inverse, is one between a currency and its hundredth. */
const [LEAST, MOST] = [50, 200];

/** Which way a step between two prices goes: 1 to a hundred times as much, -1 to a hundredth, 0 for any other. */
const hundredfold = (ratio: number): -1 | 0 | 1 => {
  if (ratio >= LEAST && ratio <= MOST) return 1;
  return 1 / ratio >= LEAST && 1 / ratio <= MOST ? -1 : 0;
};

/** Whether prices in this currency may come in its hundredth or its whole: those of London in pence or in pounds. */
export const hasHundredths = (currency: string): boolean => [...MAJOR_OF_HUNDREDTH].flat().includes(currency);

/** Whether two prices with this ratio are about a hundredfold apart: a unit, or where there are no hundredths a split. */
export const isHundredfold = (ratio: number): boolean => hundredfold(ratio) !== 0;

/** The closes, oldest first, that are in the unit of the last price or, without one, of the newest close. Nothing is converted. */
export const inOneUnit = (
  closes: readonly (readonly [day: string, close: string])[],
  price: string | undefined,
  currency: string,
): (readonly [day: string, close: string])[] => {
  if (!hasHundredths(currency)) return [...closes];
  let next = price;
  let steps = 0;
  const kept = closes.toReversed().filter(([, close]) => {
    if (next !== undefined) steps += hundredfold(Number(close) / Number(next));
    next = close;
    return steps === 0;
  });
  return kept.reverse();
};
