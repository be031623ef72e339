/** The models a turn can choose from, as `GET /_framework/models` lists them. */
import * as z from "zod";

/** How hard a model thinks, as the provider spells it. */
export const Effort = z.enum(["low", "medium", "high", "xhigh", "max"]);
export type Effort = z.infer<typeof Effort>;

/** US dollars for a million tokens, as exact decimal strings. */
export const PricePerMillion = z.object({
  input: z.string(),
  output: z.string(),
  cacheRead: z.string(),
  cacheWrite: z.string(),
});
export type PricePerMillion = z.infer<typeof PricePerMillion>;

/** A model that is allowed here. `efforts` is empty where the model has no such choice; `pricePerMillion` is null when we know none. */
export const ModelView = z.object({
  id: z.string(),
  name: z.string(),
  /** The one a turn gets that names none. */
  isDefault: z.boolean(),
  /** Its context window, in tokens. */
  contextTokens: z.int().positive(),
  efforts: z.array(Effort),
  pricePerMillion: PricePerMillion.nullable(),
});
export type ModelView = z.infer<typeof ModelView>;

/** Answer of `GET /_framework/models`, the default first. */
export const ModelList = z.object({ models: z.array(ModelView) });
export type ModelList = z.infer<typeof ModelList>;
