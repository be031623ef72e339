/** Fetches the facts about models from the provider's Models API. */
import * as z from "zod";
import { Effort } from "../../contract/models.ts";
import { parseJsonBody } from "../../contract/parse-json.ts";
import { type Credential, credentialHeaders } from "../credential.ts";
import { committedFacts, familyOf, type ModelFacts } from "../model-facts.ts";
import { modelBaseUrl } from "./base-url.ts";

/** Whether a capability is supported; undefined when the answer does not say. */
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

/** The one kind we use: `compaction: {type: "summarize"}`. */
const Compaction = z
  .object({ supported: z.boolean(), summarize: Support })
  .transform(({ supported, summarize }) => supported && summarize === true)
  .optional()
  .catch(undefined);

const count = z.int().positive().optional().catch(undefined);

/** https://platform.claude.com/docs/en/api/beta/models/list, only the fields we read. */
const ModelInfo = z.object({
  id: z.string().min(1).max(200),
  display_name: z.string().min(1).max(200).optional().catch(undefined),
  max_input_tokens: count,
  max_tokens: count,
  capabilities: z.object({ effort: Levels, thinking: Thinking, compaction: Compaction }).optional().catch(undefined),
});

const Answer = z.object({ data: z.array(z.unknown()) });

/**
 * Parses the answer of the provider's Models API: the listed models, newest first, then families of which only snapshots are listed.
 * What the answer leaves out, or says in a form we cannot read, is taken from the committed table.
 *
 * @throws {Error} when it contains no model that can be read.
 */
export const readModels = (answer: unknown): ModelFacts[] => {
  const listed = (Answer.safeParse(answer).data?.data ?? []).flatMap((model) => {
    const { data } = ModelInfo.safeParse(model);
    return data === undefined ? [] : [factsOf(data)];
  });
  if (listed.length === 0) throw new Error("The Models API returned no list of models.");
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

/** How long the whole answer may take, in ms: a person may be waiting for it. */
const MAX_MS = 5_000;

/** Largest answer, in bytes. A model takes about two thousand. */
const MAX_BYTES = 1_000_000;

/** A page with as many models as allowed, which is all of them. */
const PATH = "/v1/models?limit=1000";

/** The beta without which the answer does not mention compaction. */
const BETA = "compact-2026-09-04";

/**
 * The provider's models, newest first. Follows no redirect.
 *
 * @throws {Error} without secrets in it, when there is no answer within 5 s and 1 MB, or none that can be read.
 */
export const fetchModels = async (credential: Credential, baseUrl: string | undefined): Promise<ModelFacts[]> => {
  const url = new URL(
    PATH,
    modelBaseUrl(baseUrl, () => undefined),
  );
  const headers = new Headers({ "anthropic-version": "2023-06-01" });
  for (const [name, value] of Object.entries(credentialHeaders(credential))) {
    if (value !== null) headers.set(name, value);
  }
  headers.append("anthropic-beta", BETA);
  const response = await fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(MAX_MS) });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`The Models API answered ${response.status}.`);
  }
  return readModels(await parseJsonBody(response.body, MAX_BYTES));
};
