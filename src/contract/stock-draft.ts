/** What a person or the agent may say about a stock. Messages hold the remedy; the field's name is put before them. */
import * as z from "zod";
import { Currency } from "./currency.ts";
import { Amount, TargetPrice } from "./decimal.ts";
import { Isin } from "./isin.ts";
import { AssetType } from "./stock.ts";
import { ExchangeCode, StockSymbol } from "./symbol.ts";

const TAGS_REMEDY = "use at most 20 tags of 1 to 32 characters, without line breaks";
const NOTES_REMEDY = "use at most 4,000 characters of plain text";
const TIME_REMEDY = "use a time such as 2026-11-20T14:30:00Z";

const hasNoControls = (text: string): boolean => !/\p{Cc}/u.test(text);

/** One line, trimmed. NFC, so that what looks the same is the same; well-formed, so that it survives UTF-8. */
const line = (max: number, remedy: string) =>
  z
    .string(remedy)
    .overwrite((text) => text.toWellFormed().normalize("NFC").trim())
    .max(max, remedy)
    .refine(hasNoControls, { error: remedy });

/** A line that may be left blank, which reads as null. */
const optionalLine = (max: number) =>
  line(max, `use at most ${max} characters, without line breaks`).transform((text) => (text === "" ? null : text));

const Tag = line(32, TAGS_REMEDY).min(1, TAGS_REMEDY);

/** What tags are compared by: case does not count, accents do. */
export const tagKey = (tag: string): string => tag.toLowerCase();

/** Keeps the first spelling of each tag. */
const mergeTags = (tags: string[]): string[] =>
  [...Map.groupBy(tags, tagKey).values()].flatMap(([first]) => first ?? []);

/** Line breaks and tabs are all the control characters that notes may hold. */
const Notes = z
  .string(NOTES_REMEDY)
  .overwrite((text) => text.toWellFormed().replaceAll("\r\n", "\n").trim())
  .max(4_000, NOTES_REMEDY)
  .refine((text) => hasNoControls(text.replace(/[\n\t]/g, "")), { error: NOTES_REMEDY })
  .transform((text) => (text === "" ? null : text));

/** In UTC. An offset can carry a time out of the years that have four digits; there it ends. */
const Time = z.iso
  // Without `abort` what follows would run on any text, and throw.
  .datetime({ offset: true, error: TIME_REMEDY, abort: true })
  .overwrite((text) => new Date(text).toISOString())
  .refine((text) => /^\d{4}-/.test(text), { error: TIME_REMEDY });

/** Tags as a filter and a stock's own ones take them: at most 20, doubled ones (any case) merged. */
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
  lastPriceAt: Time.nullish().describe("When the last price held. Defaults to now"),
  lastPriceSource: optionalLine(32).nullish().describe("Where the last price comes from"),
  sector: optionalLine(60).nullish(),
  tags: Tags.nullish(),
  notes: Notes.nullish().describe("Plain text, at most 4,000 characters"),
};

const notAnObject = (issue: { code?: string }): string | undefined =>
  issue.code === "invalid_type" ? "send an object with a stock's fields" : undefined;

/** A stock to add: only the symbol is required. Null is the same as absent. */
export const StockDraft = z.strictObject({ symbol: StockSymbol, ...fields }, { error: notAnObject });
export type StockDraft = z.infer<typeof StockDraft>;

/** Fields to change, as a merge patch: absent keeps, null goes back to what a fresh stock would have. */
export const StockPatch = z.strictObject({ symbol: StockSymbol.optional(), ...fields }, { error: notAnObject });
export type StockPatch = z.infer<typeof StockPatch>;
