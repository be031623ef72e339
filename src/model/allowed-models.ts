/** Which models a turn may name, and which answers when none is named. Needs nothing of what asks a model. */
import type { Env } from "../env.ts";
import { parseSettings } from "../settings.ts";
import { findCredential } from "./credential.ts";
import { DEFAULT_MODEL } from "./default-model.ts";
import { COMMITTED_MODELS } from "./model-facts.ts";

/** The variables that this depends on. */
export type ModelVariables = Pick<
  Env,
  "ANTHROPIC_API_KEY" | "ANTHROPIC_AUTH_TOKEN" | "ANTHROPIC_BASE_URL" | "AGENT_MODEL" | "AGENT_MODELS" | "DEMO_MODEL"
>;

/** The name of the demo model. */
export const DEMO_NAME = "demo";

/** The name of the model that answers when none is chosen. */
export const defaultModel = (env: Pick<Env, "AGENT_MODEL">): string => env.AGENT_MODEL?.trim() || DEFAULT_MODEL;

/** Whether the demo model answers: it is enabled and there is no credential. */
export const answersAsDemo = (env: ModelVariables): boolean =>
  findCredential(env) === undefined && parseSettings(env).DEMO_MODEL;

/**
 * Ids of the allowed models, with the default first, which is always allowed; then those of `AGENT_MODELS`, separated by commas, or,
 * when that is unset, those of the committed table. If the demo model answers, it is the only one; it does not where the harness
 * has a model of its own (`isForeign`).
 */
export const allowedModels = (env: ModelVariables, isForeign = false): readonly string[] => {
  if (!isForeign && answersAsDemo(env)) return [DEMO_NAME];
  // Converted to text, because wrangler.toml can hold a list.
  const listed = String(env.AGENT_MODELS ?? "")
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
  return [...new Set([defaultModel(env), ...(listed.length > 0 ? listed : COMMITTED_MODELS)])];
};
