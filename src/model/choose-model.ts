/** Which model answers: the provider's with the credential that is set, the demo model in development, or none. */
import { type Env, parseSettings } from "../env.ts";
import { anthropicModel } from "./anthropic-model.ts";
import { modelBaseUrl } from "./base-url.ts";
import { findCredential, holdsSubscriptionToken } from "./credential.ts";
import { DEFAULT_MODEL } from "./default-model.ts";
import { demoModel } from "./demo-model.ts";
import type { Model } from "./model.ts";
import { committedFacts, type ModelFacts } from "./model-facts.ts";
import { ModelFailure } from "./model-failure.ts";

/** The variables that decide. */
export type ModelVariables = Pick<
  Env,
  "ANTHROPIC_API_KEY" | "ANTHROPIC_AUTH_TOKEN" | "ANTHROPIC_BASE_URL" | "AGENT_MODEL" | "AGENT_MODELS" | "DEMO_MODEL"
>;

/** A model that fails whoever asks it: without a credential a run starts and ends `model_auth`. */
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

/** The model a run was started with, and what was known of it then. */
type WantedModel = { readonly model?: string | undefined; readonly modelFacts?: ModelFacts | undefined };

/** The name of the model that answers where none is asked for. */
export const defaultModel = (env: Pick<Env, "AGENT_MODEL">): string => env.AGENT_MODEL?.trim() || DEFAULT_MODEL;

const missingCredential = (env: ModelVariables): string =>
  holdsSubscriptionToken(env)
    ? "ANTHROPIC_API_KEY holds a subscription's token, which the model's API refuses. Set it to a key of the provider's console."
    : "No model credential is set. Set ANTHROPIC_API_KEY to a key of the provider's console.";

/** Whether the demo model answers: without a credential, where it is switched on. */
export const answersAsDemo = (env: ModelVariables): boolean =>
  findCredential(env) === undefined && parseSettings(env).DEMO_MODEL;

/**
 * The model of a run: the one it names, else the environment's own, which `AGENT_MODEL` names. Order of credentials:
 * `ANTHROPIC_API_KEY`, `ANTHROPIC_AUTH_TOKEN`; without one, the demo model where `DEMO_MODEL` is on. Never throws: a missing
 * credential shows when the model is asked. `warn` gets lines for the log.
 */
export const chooseModel = (
  env: ModelVariables,
  { model, modelFacts }: WantedModel = {},
  warn: (line: string) => void = console.warn,
): Model => {
  // A run that was to be the demo model's, and found a credential when its turn came.
  const name = model === undefined || model === demoModel.name ? defaultModel(env) : model;
  const credential = findCredential(env);
  if (credential !== undefined) {
    const facts = modelFacts?.id === name ? modelFacts : undefined;
    return anthropicModel({ name, facts, credential, baseUrl: modelBaseUrl(env.ANTHROPIC_BASE_URL, warn) });
  }
  return answersAsDemo(env) ? demoModel : modelWithoutCredential(name, missingCredential(env));
};
