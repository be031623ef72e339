/** What a person has set about prices, on the wire (api.md §8). */
import * as z from "zod";
import { CURRENCY_CODES, currencyCode } from "../stocks/currency-codes.ts";
import { MAJOR_OF_HUNDREDTH } from "../stocks/major-currency.ts";

const BASE_REMEDY = "use a currency code such as USD, EUR or GBP";

/** The currency of a person's one total. Never hundredths such as GBX, since rates are of whole currencies. */
export const BaseCurrency = z
  .string(BASE_REMEDY)
  .overwrite(currencyCode)
  .refine((code) => CURRENCY_CODES.has(code) && !MAJOR_OF_HUNDREDTH.has(code), { error: BASE_REMEDY });

/** `owner`: each person's own key, for that person alone. `display`: the deployment's key, for all. */
export const QuotesLicence = z.enum(["owner", "display"]);
export type QuotesLicence = z.infer<typeof QuotesLicence>;

/** The scope of what the deployment's key learns. What a person's key learns belongs to the hash of their address. */
export const DEPLOYMENT_SCOPE = "deployment";

/** Sources that take a key. */
export const QuoteSourceId = z.enum(["twelvedata", "eodhd"], { error: "use twelvedata or eodhd" });
export type QuoteSourceId = z.infer<typeof QuoteSourceId>;

/** Sources whose prices may be stored: those that take keys, and the demo. */
export const PriceSourceId = z.enum([...QuoteSourceId.options, "demo"]);
export type PriceSourceId = z.infer<typeof PriceSourceId>;

const KEY_REMEDY = "use the key as the source gave it";

/** What a source calls a key: no blanks, no line ends, nothing that cannot be in a header. */
const Key = z
  .string(KEY_REMEDY)
  .trim()
  .regex(/^[\x21-\x7e]{1,200}$/, KEY_REMEDY);

/** Reads a deployment's key from its variable; undefined for text that no source gives out as a key. */
export const readKey = (text: string | undefined): string | undefined => Key.safeParse(text).data;

/** Body of `PUT /_framework/settings/quotes-key`. */
export const QuotesKey = z.strictObject({ source: QuoteSourceId, key: Key });

/** What is known of the source of a person's prices. The key itself is never in an answer. */
export const QuotesView = z.object({
  source: PriceSourceId.nullable(),
  licence: QuotesLicence,
  /** Whether nobody gets prices here: nothing may leave the machine, or keys cannot be kept. No key is taken then. */
  isOff: z.boolean(),
  hasKey: z.boolean(),
  /** Requests that today's budget of the key still allows; null when unknown. */
  creditsLeft: z.int().nonnegative().nullable(),
  lastError: z.string().nullable(),
  /** What has to be shown beside prices. */
  attribution: z.object({ text: z.string(), url: z.url().nullable() }).nullable(),
});
export type QuotesView = z.infer<typeof QuotesView>;
