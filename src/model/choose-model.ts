/** Chooses the model that answers: the provider's with the credential that is set, the demo model in development, or none. */
import { log } from "../contract/log.ts";
import type { Env } from "../env.ts";
import { parseSettings } from "../settings.ts";
import { anthropicModel } from "./anthropic/anthropic-model.ts";
import { modelBaseUrl } from "./anthropic/base-url.ts";
import { findCredential, holdsSubscriptionToken } from "./credential.ts";
import { DEFAULT_MODEL } from "./default-model.ts";
import { demoModel } from "./demo/demo-model.ts";
import type { Model } from "./model.ts";
import { COMMITTED_MODELS, committedFacts, type ModelFacts } from "./model-facts.ts";
import { ModelFailure } from "./model-failure.ts";

/** The variables that this depends on. */
export type ModelVariables = Pick<
  Env,
  "ANTHROPIC_API_KEY" | "ANTHROPIC_AUTH_TOKEN" | "ANTHROPIC_BASE_URL" | "AGENT_MODEL" | "AGENT_MODELS" | "DEMO_MODEL"
>;

/** A model that fails every request: without a credential a run starts and ends with `model_auth`. */
const modelWithoutCredential = (name: string, message: string): Model => ({
  name,
  facts: committedFacts(name),
  compact: undefined,
  stream: () => ({
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.reject(new ModelFailure("model_auth", message, { isRetryable: false })),
    }),
  }),
});

/** The model a run was started with, and its facts at that time. */
type WantedModel = { readonly model?: string | undefined; readonly modelFacts?: ModelFacts | undefined };

/** The name of the model that answers when none is chosen. */
export const defaultModel = (env: Pick<Env, "AGENT_MODEL">): string => env.AGENT_MODEL?.trim() || DEFAULT_MODEL;

const missingCredential = (env: ModelVariables): string =>
  holdsSubscriptionToken(env)
    ? "ANTHROPIC_API_KEY holds a subscription's token, which the model's API refuses. Set it to a key from the provider's console."
    : "No model credential is set. Set ANTHROPIC_API_KEY to a key from the provider's console.";

/** Whether the demo model answers: it is enabled and there is no credential. */
const answersAsDemo = (env: ModelVariables): boolean =>
  findCredential(env) === undefined && parseSettings(env).DEMO_MODEL;

/**
 * The model of a run: the one it names, else the environment's, which `AGENT_MODEL` names. Order of credentials: `ANTHROPIC_API_KEY`,
 * `ANTHROPIC_AUTH_TOKEN`; without one, the demo model if `DEMO_MODEL` is on. Never throws: a missing credential becomes apparent when
 * the model is asked. `warn` gets lines for the log.
 */
export const chooseModel = (
  env: ModelVariables,
  { model, modelFacts }: WantedModel = {},
  warn: (message: string) => void = log.warn,
): Model => {
  // The run was started with the demo model, and a credential was set before it left the queue.
  const name = model === undefined || model === demoModel.name ? defaultModel(env) : model;
  const credential = findCredential(env);
  if (credential !== undefined) {
    const facts = modelFacts?.id === name ? modelFacts : undefined;
    return anthropicModel({ name, facts, credential, baseUrl: modelBaseUrl(env.ANTHROPIC_BASE_URL, warn) });
  }
  return answersAsDemo(env) ? demoModel : modelWithoutCredential(name, missingCredential(env));
};

/** The model of a run whose harness asks it by itself: its name and facts. Asked through here, it fails. */
export const foreignModel = (env: Pick<Env, "AGENT_MODEL">, { model, modelFacts }: WantedModel = {}): Model => {
  const name = model === undefined || model === demoModel.name ? defaultModel(env) : model;
  const known = modelFacts?.id === name ? { facts: modelFacts } : {};
  return { ...modelWithoutCredential(name, "The harness asks this model itself."), ...known };
};

/**
 * Ids of the allowed models, with the default first, which is always allowed; then those of `AGENT_MODELS`, separated by commas, or,
 * when that is unset, those of the committed table. If the demo model answers, it is the only one; it does not where the harness
 * has a model of its own (`isForeign`).
 */
export const allowedModels = (env: ModelVariables, isForeign = false): readonly string[] => {
  if (!isForeign && answersAsDemo(env)) return [demoModel.name];
  // Converted to text, because wrangler.toml can hold a list.
  const listed = String(env.AGENT_MODELS ?? "")
    .split(",")
    .map((id) => id.trim())
    .filter((id) => id !== "");
  return [...new Set([defaultModel(env), ...(listed.length > 0 ? listed : COMMITTED_MODELS)])];
};
