/** Which models a turn may name, and which answers when none is named. Imports none of the code that asks a model. */
import type { Env } from "../env.ts";
import { parseSettings } from "../settings.ts";
import { findCredential } from "./credential.ts";
import { namedModels } from "./named-models.ts";

/** The variables that this depends on. */
export type ModelVariables = Pick<
  Env,
  "ANTHROPIC_API_KEY" | "ANTHROPIC_AUTH_TOKEN" | "ANTHROPIC_BASE_URL" | "AGENT_MODEL" | "AGENT_MODELS" | "DEMO_MODEL"
>;

/** The name of the demo model. */
export const DEMO_NAME = "demo";

/** Whether the demo model answers: it is enabled and there is no credential. */
export const answersAsDemo = (env: ModelVariables): boolean =>
  findCredential(env) === undefined && parseSettings(env).DEMO_MODEL;

/**
 * Ids of the allowed models, the default first. If the demo model answers, it is the only one. It never answers where the harness has a
 * model of its own (`isForeign`).
 */
export const allowedModels = (env: ModelVariables, isForeign = false): readonly string[] =>
  !isForeign && answersAsDemo(env) ? [DEMO_NAME] : namedModels(env);
