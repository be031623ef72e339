/** What a stock says of its price, beyond what people write (api.md §8). */
import * as z from "zod";
import { DecimalText } from "../stocks/decimal.ts";

/**
 * `live`: a trade of the last 20 minutes while the market is open. `delayed`: an older one of today. `close`: of the last session.
 * `stale`: older. `pending`: a newer price is held back. `manual`: typed in. `none`: no price.
 */
export const PriceState = z.enum(["live", "delayed", "close", "stale", "pending", "manual", "none"]);
export type PriceState = z.infer<typeof PriceState>;

/** How far ahead of ours a source's clock may be, in ms. */
export const MAX_AHEAD_MS = 5 * 60_000;

/** A split that has not been answered yet: 10 for 1 has the numerator 10. */
export const Split = z.object({
  day: z.iso.date(),
  numerator: z.int().positive(),
  denominator: z.int().positive(),
});
export type Split = z.infer<typeof Split>;

/** The listing that prices come from, as its source knows it. */
export const Instrument = z.object({
  source: z.string(),
  symbol: z.string(),
  exchange: z.string().nullable(),
  name: z.string(),
});
export type Instrument = z.infer<typeof Instrument>;

/** The last target that a price of the source hit, while notices were on: when that was seen, and the price. */
export const LastAlert = z.object({ side: z.enum(["low", "high"]), at: z.iso.datetime(), price: DecimalText });
export type LastAlert = z.infer<typeof LastAlert>;

/** The fields. They have defaults because answers that an earlier release stored under a key are read again, and lack the fields. */
export const PRICE_FIELDS = {
  /** Last price less the close before it, per share; null unless one quote had both. */
  dayChange: DecimalText.nullable().default(null),
  dayChangePct: DecimalText.nullable().default(null),
  priceState: PriceState.default("none"),
  /** Whether prices of a source replace the last price. */
  autoPrice: z.boolean().default(true),
  instrument: Instrument.nullable().default(null),
  pendingSplit: Split.nullable().default(null),
  /** Whether the person is told when a target is hit. */
  notify: z.boolean().default(false),
  lastAlert: LastAlert.nullable().default(null),
};
