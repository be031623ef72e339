/**
 * The schemas of the fields that `stock-fields.ts` lists: as answers show them, and as a new stock and a change take them.
 * Each message of an input says what to use, and follows the field's name.
 */
import * as z from "zod";
import { Amount, DecimalText, TargetPrice } from "./decimal.ts";
import { Currency, ExchangeCode, Isin, StockSymbol } from "./instrument.ts";
import { ASSET_TYPES, type StockFieldKey } from "./stock-fields.ts";

const isAssetType = (name: string): name is keyof typeof ASSET_TYPES => Object.hasOwn(ASSET_TYPES, name);

export const AssetType = z.enum(Object.keys(ASSET_TYPES).filter(isAssetType), {
  error: "use stock, etf, fund, index or other",
});
export type AssetType = z.infer<typeof AssetType>;

/** What people write about a stock; everything else is derived from it. Amounts are in `currency`. */
export const StockValues = z.object({
  symbol: z.string(),
  name: z.string(),
  /** Market identifier code (ISO 10383). */
  exchange: z.string().nullable(),
  isin: z.string().nullable(),
  assetType: AssetType,
  currency: z.string(),
  quantity: DecimalText.nullable(),
  /** Per share. Only with a quantity above 0. */
  avgCost: DecimalText.nullable(),
  /** On the watchlist, whether held or not. */
  watched: z.boolean(),
  targetLow: DecimalText.nullable(),
  targetHigh: DecimalText.nullable(),
  lastPrice: DecimalText.nullable(),
  /** Set if and only if there is a last price. */
  lastPriceAt: z.iso.datetime().nullable(),
  /** Where the last price comes from: `manual`, `import`, or a name the caller gave. */
  lastPriceSource: z.string().nullable(),
  sector: z.string().nullable(),
  tags: z.array(z.string()),
  notes: z.string().nullable(),
} satisfies Readonly<Record<StockFieldKey, z.ZodType>>);
export type StockValues = z.infer<typeof StockValues>;

const TAGS_REMEDY = "use at most 20 tags of 1 to 32 characters, without line breaks";
const NOTES_REMEDY = "use at most 4,000 characters of plain text";
const TIME_REMEDY = "use a time such as 2026-11-20T14:30:00Z";

const hasNoControls = (text: string): boolean => !/\p{Cc}/u.test(text);

/** One line, trimmed. NFC, so that equal-looking texts are equal; well-formed, so that it survives UTF-8. */
const line = (max: number, remedy: string) =>
  z
    .string(remedy)
    .overwrite((text) => text.toWellFormed().normalize("NFC").trim())
    .max(max, remedy)
    .refine(hasNoControls, { error: remedy });

/** A line that may be blank, which means null. */
const optionalLine = (max: number) =>
  line(max, `use at most ${max} characters, without line breaks`).transform((text) => (text === "" ? null : text));

const Tag = line(32, TAGS_REMEDY).min(1, TAGS_REMEDY);

/** The key by which tags are compared: without case, with accents. */
export const tagKey = (tag: string): string => tag.toLowerCase();

/** Keeps the first spelling of each tag. */
const mergeTags = (tags: string[]): string[] =>
  [...Map.groupBy(tags, tagKey).values()].flatMap(([first]) => first ?? []);

/** NFC and well-formed, as a line is. Notes may contain line breaks and tabs, but no other control characters. */
const Notes = z
  .string(NOTES_REMEDY)
  .overwrite((text) => text.toWellFormed().normalize("NFC").replaceAll("\r\n", "\n").trim())
  .max(4_000, NOTES_REMEDY)
  .refine((text) => hasNoControls(text.replace(/[\n\t]/g, "")), { error: NOTES_REMEDY })
  .transform((text) => (text === "" ? null : text));

/** In UTC. Refuses times that an offset moves out of the years with four digits. */
const Time = z.iso
  // Without `abort`, the next steps would run on invalid text and throw.
  .datetime({ offset: true, error: TIME_REMEDY, abort: true })
  .overwrite((text) => new Date(text).toISOString())
  .refine((text) => /^\d{4}-/.test(text), { error: TIME_REMEDY });

/** Tags of a stock or a filter: at most 20, with duplicates (in any case) merged. */
export const Tags = z.array(Tag, TAGS_REMEDY).overwrite(mergeTags).max(20, TAGS_REMEDY);

const fields = {
  name: optionalLine(120).nullish().describe("Defaults to the symbol"),
  exchange: ExchangeCode.nullish().describe("Market identifier code (ISO 10383) such as XNAS"),
  isin: Isin.nullish(),
  assetType: AssetType.nullish().describe("Defaults to stock"),
  currency: Currency.nullish().describe("Of all amounts of this stock; ISO 4217, or GBX, ZAC, ILA. Defaults to USD"),
  quantity: Amount.nullish().describe("Shares held, as an exact decimal string; null when not held"),
  avgCost: Amount.nullish().describe("Average cost per share; needs a quantity above 0"),
  watched: z
    .boolean("use true or false")
    .nullish()
    .describe("On the watchlist. Defaults to true when there is no quantity"),
  targetLow: TargetPrice.nullish().describe("Buy at or below this price"),
  targetHigh: TargetPrice.nullish().describe("Sell at or above this price"),
  lastPrice: Amount.nullish().describe(
    "Latest known price per share. Only a price that somebody stated, never a guess",
  ),
  lastPriceAt: Time.nullish().describe("The time of the last price. Defaults to now"),
  lastPriceSource: optionalLine(32).nullish().describe("Where the last price comes from"),
  sector: optionalLine(60).nullish(),
  tags: Tags.nullish(),
  notes: Notes.nullish().describe("Plain text, at most 4,000 characters"),
} satisfies Readonly<Record<Exclude<StockFieldKey, "symbol">, z.ZodType>>;

const notAnObject = (issue: { code?: string }): string | undefined =>
  issue.code === "invalid_type" ? "send an object with a stock's fields" : undefined;

/** A stock to add. Only the symbol is required. Null means the same as absent, and clears the field of a stock that is updated. */
export const StockDraft = z.strictObject({ symbol: StockSymbol, ...fields }, { error: notAnObject });
export type StockDraft = z.infer<typeof StockDraft>;

/** A merge patch: absent fields keep their values, null resets a field to what a new stock has. */
export const StockPatch = z.strictObject({ symbol: StockSymbol.optional(), ...fields }, { error: notAnObject });
export type StockPatch = z.infer<typeof StockPatch>;
