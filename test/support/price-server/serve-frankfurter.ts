/** The rates as https://api.frankfurter.dev/v2/rates gives them. */
import type { PriceWorld } from "./price-world.ts";

/** Status and body. */
export type Served = readonly [status: number, body: unknown];

/** The base is among them, at a rate of 1. */
export const serveFrankfurter = ({ fx }: PriceWorld): Served => [
  200,
  fx === undefined
    ? []
    : Object.entries({ EUR: 1, ...fx.rates }).map(([quote, rate]) => ({ date: fx.day, base: "EUR", quote, rate })),
];
