/** Chooses the model that answers: the provider's with the credential that is set, the demo model in development, or none. */
import { log } from "../contract/log.ts";
import type { Env } from "../env.ts";
import { answersAsDemo, DEMO_NAME, type ModelVariables } from "./allowed-models.ts";
import { anthropicModel } from "./anthropic/anthropic-model.ts";
import { modelBaseUrl } from "./anthropic/base-url.ts";
import { findCredential, holdsSubscriptionToken } from "./credential.ts";
import { demoModel } from "./demo/demo-model.ts";
import type { Model } from "./model.ts";
import { committedFacts, type ModelFacts } from "./model-facts.ts";
import { ModelFailure } from "./model-failure.ts";
import { defaultModel } from "./named-models.ts";

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

const missingCredential = (env: ModelVariables): string =>
  holdsSubscriptionToken(env)
    ? "ANTHROPIC_API_KEY holds a subscription's token, which the model's API refuses. Set it to a key from the provider's console."
    : "No model credential is set. Set ANTHROPIC_API_KEY to a key from the provider's console.";

/**
 * The model of a run: the one that the run names, otherwise the environment's default (`AGENT_MODEL`). Order of credentials:
 * `ANTHROPIC_API_KEY`, `ANTHROPIC_AUTH_TOKEN`; without one, the demo model if `DEMO_MODEL` is on. Never throws: a missing credential
 * becomes apparent when the model is asked. `warn` gets one line about an address that is ignored.
 */
export const chooseModel = (
  env: ModelVariables,
  { model, modelFacts }: WantedModel = {},
  warn: (message: string) => void = log.warn,
): Model => {
  // The run was started with the demo model, and a credential was set before it left the queue.
  const name = model === undefined || model === DEMO_NAME ? defaultModel(env) : model;
  const credential = findCredential(env);
  if (credential !== undefined) {
    const facts = modelFacts?.id === name ? modelFacts : undefined;
    return anthropicModel({ name, facts, credential, baseUrl: modelBaseUrl(env.ANTHROPIC_BASE_URL, warn) });
  }
  return answersAsDemo(env) ? demoModel : modelWithoutCredential(name, missingCredential(env));
};

/** The model of a run whose harness asks it by itself: its name and facts. Asking the model through this object fails. */
export const foreignModel = (env: Pick<Env, "AGENT_MODEL">, { model, modelFacts }: WantedModel = {}): Model => {
  const name = model === undefined || model === DEMO_NAME ? defaultModel(env) : model;
  const known = modelFacts?.id === name ? { facts: modelFacts } : {};
  return { ...modelWithoutCredential(name, "The harness asks this model itself."), ...known };
};
