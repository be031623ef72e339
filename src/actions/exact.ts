/** Exact arithmetic on decimal strings. Only quotients are rounded: to 10 decimals, halves away from zero. */
import Big from "big.js";
import { canonicalDecimal } from "../contract/canonical-decimal.ts";

/** A constructor of our own, so that its precision is nobody else's business. */
const Exact = Big();
Exact.DP = 10;
Exact.RM = Exact.roundHalfUp;

const write = (value: Big): string => canonicalDecimal(value.toFixed());

/** The sum of some amounts; `0` for none. */
export const sum = (amounts: readonly string[]): string =>
  write(amounts.reduce((total, amount) => total.plus(amount), new Exact(0)));

export const subtract = (a: string, b: string): string => write(new Exact(a).minus(b));

export const multiply = (a: string, b: string): string => write(new Exact(a).times(b));

/** `part` in per cent of `whole`; null for a whole of 0. */
export const percentOf = (part: string, whole: string): string | null =>
  whole === "0" ? null : write(new Exact(part).times(100).div(whole));

/** Below 0, 0 or above 0 as `a` is less than, equal to or more than `b`. */
export const compare = (a: string, b: string): number => new Exact(a).cmp(b);
