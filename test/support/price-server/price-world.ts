/** What the price server knows, and how it misbehaves: set per key by a test. */
import { z } from "zod";

/** One listing at the providers. Prices are texts; a test says when they change. */
const Listing = z.object({
  symbol: z.string(),
  mic: z.string(),
  /** EODHD's own name of the market. */
  market: z.string().default("US"),
  name: z.string(),
  type: z.string().default("Common Stock"),
  currency: z.string(),
  isin: z.string().optional(),
  price: z.string(),
  previousClose: z.string().optional(),
  /** When the last trade was, in epoch seconds. */
  at: z.int(),
  /** The day that Twelve Data names instead, with no time of a trade. */
  day: z.string().optional(),
  isOpen: z.boolean().default(true),
  /** Whether it has traded today. If not, EODHD names the close before and nothing else. */
  hasTraded: z.boolean().default(true),
  /** `[day, close]`, oldest first. */
  closes: z.array(z.tuple([z.string(), z.string()])).default([]),
  /** `[day, numerator, denominator]`. */
  splits: z.array(z.tuple([z.string(), z.int(), z.int()])).default([]),
  /** Whether EODHD has its closes: of some markets it has none. */
  hasCloses: z.boolean().default(true),
  /** Whether the plan of the key has it. */
  inPlan: z.boolean().default(true),
});
export type Listing = z.infer<typeof Listing>;

/** How it answers: as it should, or in one of the ways services fail. */
const Mood = z.enum([
  // `hold`: answers once the world is set again, as that says.
  ...(["fine", "hold", "hang", "drip", "html", "labelled", "deep", "redirect", "large", "cut"] as const),
  // `forbidden`: as something between us and the service does.
  ...(["budget", "auth", "down", "forbidden"] as const),
]);
export type Mood = z.infer<typeof Mood>;

export const PriceWorld = z.object({
  mood: Mood.default("fine"),
  /** Of single paths, by their first part, such as `splits`. */
  moods: z.record(z.string(), Mood).default({}),
  /** The key that is accepted; any when it is not set. */
  key: z.string().optional(),
  /** What Twelve Data lets a key ask in a minute. A minute is over when the world is set again. */
  creditsAMinute: z.int().optional(),
  fx: z.object({ day: z.string(), rates: z.record(z.string(), z.number()) }).optional(),
  listings: z.array(Listing).default([]),
});
export type PriceWorld = z.infer<typeof PriceWorld>;

/** A request as the server saw it. */
export const SeenRequest = z.object({ path: z.string(), query: z.string(), key: z.string() });
export type SeenRequest = z.infer<typeof SeenRequest>;
