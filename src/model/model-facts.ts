/**
 * What has to be known of a model before it is asked. The provider's Models API says it; the table here is copied from the
 * provider's pages and serves until that has been read, and wherever its answer leaves something out.
 */
import * as z from "zod";
import { Effort } from "../contract/models.ts";

/** A model's own figures. */
export const ModelFacts = z.object({
  id: z.string(),
  /** As people read it. */
  name: z.string(),
  /** Its context window, in tokens: input and output together. */
  contextTokens: z.int().positive(),
  /** The largest `max_tokens` it takes. */
  maxOutputTokens: z.int().positive(),
  /** The effort levels it takes, lowest first; empty where it has no such choice. */
  efforts: z.array(Effort),
  /** Whether it decides by itself how much to think. */
  hasAdaptiveThinking: z.boolean(),
  /** Whether it writes a summary of a conversation when it is asked to (`compact-2026-09-04`). */
  canCompact: z.boolean(),
});
export type ModelFacts = z.infer<typeof ModelFacts>;

const ALL_EFFORTS = Effort.options;

/** Of the models since Claude 5. */
const LARGE = { contextTokens: 1_000_000, maxOutputTokens: 128_000, efforts: ALL_EFFORTS, hasAdaptiveThinking: true };

/**
 * The models that are neither retired nor about to be, current ones first. Copied on 2026-11-22 from
 * https://platform.claude.com/docs/en/about-claude/models/overview and each model's own page; effort levels from
 * https://platform.claude.com/docs/en/build-with-claude/effort. Compaction is said there of models that preserve thinking
 * (https://platform.claude.com/docs/en/build-with-claude/compaction-thinking-blocks); of others the Models API has to say it.
 */
const COMMITTED: readonly ModelFacts[] = [
  { id: "claude-sonnet-5-5", name: "Claude Sonnet 5.5", ...LARGE, canCompact: true },
  { id: "claude-opus-5-5", name: "Claude Opus 5.5", ...LARGE, canCompact: true },
  { id: "claude-fable-5-2", name: "Claude Fable 5.2", ...LARGE, canCompact: true },
  { id: "claude-haiku-5-5", name: "Claude Haiku 5.5", ...LARGE, canCompact: true },
  { id: "claude-fable-5-1", name: "Claude Fable 5.1", ...LARGE, canCompact: true },
  { id: "claude-opus-5", name: "Claude Opus 5", ...LARGE, canCompact: false },
  { id: "claude-sonnet-5", name: "Claude Sonnet 5", ...LARGE, canCompact: false },
  {
    ...{ id: "claude-haiku-4-5", name: "Claude Haiku 4.5", contextTokens: 200_000, maxOutputTokens: 64_000 },
    ...{ efforts: [], hasAdaptiveThinking: false, canCompact: false },
  },
];

/** Ids of the table's models, current ones first. */
export const COMMITTED_MODELS: readonly string[] = COMMITTED.map(({ id }) => id);

/**
 * Of a model nobody here has heard of: every figure at its smallest, since what is too large is refused by the provider.
 * 200,000 is the smallest window, and 8,192 the smallest output, of any model that it still serves.
 */
const LEAST = {
  ...{ contextTokens: 200_000, maxOutputTokens: 8_192 },
  ...{ efforts: [], hasAdaptiveThinking: false, canCompact: false },
};

/** Facts as they are stored, for a model whose id may be a snapshot's; undefined where nothing is, or nothing we can read. */
export const readFacts = (stored: string | undefined, id: string): ModelFacts | undefined => {
  if (stored === undefined) return undefined;
  const { data } = ModelFacts.safeParse(JSON.parse(stored));
  return data && { ...data, id };
};

/** The id without the date of a snapshot: `claude-sonnet-5-5` for `claude-sonnet-5-5-20260928`. */
export const familyOf = (id: string): string => id.replace(/-\d{8}$/, "");

/** What the table says of a model, snapshots by their family; of one that it does not hold, the least. */
export const committedFacts = (id: string): ModelFacts => {
  const family = familyOf(id);
  const known = COMMITTED.find((facts) => facts.id === family);
  return known === undefined ? { ...LEAST, id, name: id } : { ...known, id };
};
