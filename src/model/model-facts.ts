/**
 * What must be known about a model before it is asked. The source is the provider's Models API; the table here is copied from the
 * provider's pages and is used until that has been read, and for what its answer leaves out.
 */
import * as z from "zod";
import { Effort } from "../contract/models.ts";
import { parseJson } from "../contract/parse-json.ts";

/** The facts about one model. */
export const ModelFacts = z.object({
  id: z.string(),
  /** Its name for people. */
  name: z.string(),
  /** Its context window, in tokens: input and output together. */
  contextTokens: z.int().positive(),
  /** The largest `max_tokens` it accepts. */
  maxOutputTokens: z.int().positive(),
  /** The effort levels it supports, lowest first; empty when it offers no choice. */
  efforts: z.array(Effort),
  /** Whether it decides for itself how much to think. */
  hasAdaptiveThinking: z.boolean(),
  /** Whether it can summarize a conversation on request (`compact-2026-09-04`). */
  canCompact: z.boolean(),
});
export type ModelFacts = z.infer<typeof ModelFacts>;

const ALL_EFFORTS = Effort.options;

/** The figures of the models since Claude 5. */
const LARGE = { contextTokens: 1_000_000, maxOutputTokens: 128_000, efforts: ALL_EFFORTS, hasAdaptiveThinking: true };

/**
 * The models that are neither retired nor about to be, current ones first. Copied on 2026-11-22 from
 * https://platform.claude.com/docs/en/about-claude/models/overview and each model's own page; effort levels from
 * https://platform.claude.com/docs/en/build-with-claude/effort. Which can summarize is from
 * https://platform.claude.com/docs/en/build-with-claude/compaction-on-demand, whose list ends at the 4.6 models, and for Fable 5.2, which
 * it does not name yet, from https://platform.claude.com/docs/en/build-with-claude/compaction-thinking-blocks.
 */
const COMMITTED: readonly ModelFacts[] = [
  { id: "claude-sonnet-5-5", name: "Claude Sonnet 5.5", ...LARGE, canCompact: true },
  { id: "claude-opus-5-5", name: "Claude Opus 5.5", ...LARGE, canCompact: true },
  { id: "claude-fable-5-2", name: "Claude Fable 5.2", ...LARGE, canCompact: true },
  { id: "claude-haiku-5-5", name: "Claude Haiku 5.5", ...LARGE, canCompact: true },
  { id: "claude-fable-5-1", name: "Claude Fable 5.1", ...LARGE, canCompact: true },
  { id: "claude-opus-5", name: "Claude Opus 5", ...LARGE, canCompact: true },
  { id: "claude-sonnet-5", name: "Claude Sonnet 5", ...LARGE, canCompact: true },
  {
    ...{ id: "claude-haiku-4-5", name: "Claude Haiku 4.5", contextTokens: 200_000, maxOutputTokens: 64_000 },
    ...{ efforts: [], hasAdaptiveThinking: false, canCompact: false },
  },
];

/** Ids of the table's models, current ones first. */
export const COMMITTED_MODELS: readonly string[] = COMMITTED.map(({ id }) => id);

/**
 * Facts for an unknown model: every figure at its smallest, since the provider refuses what is too large. 200,000 is the smallest
 * window, and 8,192 the smallest output, of any model that it still serves.
 */
const LEAST = {
  ...{ contextTokens: 200_000, maxOutputTokens: 8_192 },
  ...{ efforts: [], hasAdaptiveThinking: false, canCompact: false },
};

/** Parses stored facts, for a model whose id may be a snapshot's; undefined when there are none that we can read. */
export const readFacts = (stored: string | undefined, id: string): ModelFacts | undefined => {
  if (stored === undefined) return undefined;
  const { data } = ModelFacts.safeParse(parseJson(stored));
  return data && { ...data, id };
};

/** The id without the date of a snapshot: `claude-sonnet-5-5` for `claude-sonnet-5-5-20260928`. */
export const familyOf = (id: string): string => id.replace(/-\d{8}$/, "");

/** The table's facts about a model, snapshots by their family; the smallest figures for a model that it does not list. */
export const committedFacts = (id: string): ModelFacts => {
  const family = familyOf(id);
  const known = COMMITTED.find((facts) => facts.id === family);
  return known === undefined ? { ...LEAST, id, name: id } : { ...known, id };
};
