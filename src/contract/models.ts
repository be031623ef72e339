/** The models a turn can choose from, as `GET /_framework/models` lists them. */
import * as z from "zod";
import { HarnessName } from "./ids.ts";

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

/** A model that may be chosen here. `efforts` is empty when the model offers no choice; `pricePerMillion` is null when unknown. */
export const ModelView = z.object({
  id: z.string(),
  name: z.string(),
  /** Whether a turn that names no model gets this one. */
  isDefault: z.boolean(),
  /** Its context window, in tokens. */
  contextTokens: z.int().positive(),
  efforts: z.array(Effort),
  pricePerMillion: PricePerMillion.nullable(),
});
export type ModelView = z.infer<typeof ModelView>;

/** Answer of `GET /_framework/models`, with the default first. `harness` drives the model in new turns; it is absent for our own loop. */
export const ModelList = z.object({
  models: z.array(ModelView),
  harness: HarnessName.exactOptional(),
  /** The real directory that the caller's agent works in; absent where it has a workspace in durable storage. */
  workspaceDir: z.string().exactOptional(),
});
export type ModelList = z.infer<typeof ModelList>;
