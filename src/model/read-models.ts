/** Reads the answer of the provider's Models API. What it leaves out, or says in a way we cannot read, stays as committed. */
import * as z from "zod";
import { Effort } from "../contract/models.ts";
import { committedFacts, familyOf, type ModelFacts } from "./model-facts.ts";

/** Whether a capability is there; undefined where the answer does not say. */
const Support = z
  .object({ supported: z.boolean() })
  .transform(({ supported }) => supported)
  .optional()
  .catch(undefined);

const Levels = z
  .object({ supported: z.boolean(), ...Object.fromEntries(Effort.options.map((level) => [level, Support])) })
  .transform(({ supported, ...levels }) => {
    const known = new Map(Object.entries(levels));
    return supported ? Effort.options.filter((level) => known.get(level) === true) : [];
  })
  .optional()
  .catch(undefined);

const Thinking = z
  .object({ types: z.object({ adaptive: Support }) })
  .optional()
  .catch(undefined);

/** Of the one kind that is asked for: `compaction: {type: "summarize"}`. */
const Compaction = z
  .object({ supported: z.boolean(), summarize: Support })
  .transform(({ supported, summarize }) => supported && summarize === true)
  .optional()
  .catch(undefined);

const count = z.int().positive().optional().catch(undefined);

/** https://platform.claude.com/docs/en/api/beta/models/list, as far as we read it. */
const ModelInfo = z.object({
  id: z.string().min(1).max(200),
  display_name: z.string().min(1).max(200).optional().catch(undefined),
  max_input_tokens: count,
  max_tokens: count,
  capabilities: z.object({ effort: Levels, thinking: Thinking, compaction: Compaction }).optional().catch(undefined),
});

const Answer = z.object({ data: z.array(z.unknown()) });

/**
 * The models that are listed, newest first; behind them families of which snapshots alone are listed.
 *
 * @throws {Error} when there is not a single model in it that can be read.
 */
export const readModels = (answer: unknown): ModelFacts[] => {
  const listed = (Answer.safeParse(answer).data?.data ?? []).flatMap((model) => {
    const { data } = ModelInfo.safeParse(model);
    return data === undefined ? [] : [factsOf(data)];
  });
  if (listed.length === 0) throw new Error("The Models API gave no list of models.");
  const ids = new Set(listed.map(({ id }) => id));
  const families = Map.groupBy(listed, ({ id }) => familyOf(id));
  const others = [...families].flatMap(([id, [newest]]) => (ids.has(id) || !newest ? [] : [{ ...newest, id }]));
  return [...listed, ...others];
};

const factsOf = (info: z.infer<typeof ModelInfo>): ModelFacts => {
  const committed = committedFacts(info.id);
  const { effort, thinking, compaction } = info.capabilities ?? {};
  return {
    id: info.id,
    name: info.display_name ?? committed.name,
    contextTokens: info.max_input_tokens ?? committed.contextTokens,
    maxOutputTokens: info.max_tokens ?? committed.maxOutputTokens,
    efforts: effort ?? committed.efforts,
    hasAdaptiveThinking: thinking?.types.adaptive ?? committed.hasAdaptiveThinking,
    canCompact: compaction ?? committed.canCompact,
  };
};
