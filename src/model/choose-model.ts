/** Which model answers: the provider's with the credential that is set, the demo model in development, or none. */
import { type Env, parseSettings } from "../env.ts";
import { anthropicModel } from "./anthropic-model.ts";
import { modelBaseUrl } from "./base-url.ts";
import type { Credential } from "./credential.ts";
import { DEFAULT_MODEL } from "./default-model.ts";
import { demoModel } from "./demo-model.ts";
import type { Model } from "./model.ts";
import { ModelFailure } from "./model-failure.ts";

/** The variables that decide. */
export type ModelVariables = Pick<
  Env,
  | "ANTHROPIC_API_KEY"
  | "ANTHROPIC_AUTH_TOKEN"
  | "CLAUDE_CODE_OAUTH_TOKEN"
  | "ANTHROPIC_BASE_URL"
  | "AGENT_MODEL"
  | "DEMO_MODEL"
>;

/** The first credential that is set; an empty variable is none. */
const findCredential = (env: ModelVariables): Credential | undefined => {
  const apiKey = env.ANTHROPIC_API_KEY?.trim();
  if (apiKey) return { type: "api_key", secret: apiKey };
  const authToken = env.ANTHROPIC_AUTH_TOKEN?.trim();
  if (authToken) return { type: "auth_token", secret: authToken };
  const oauthToken = env.CLAUDE_CODE_OAUTH_TOKEN?.trim();
  if (oauthToken) return { type: "oauth_token", secret: oauthToken };
  return undefined;
};

/** A model that fails whoever asks it: without a credential a run starts and ends `model_auth`. */
const modelWithoutCredential = (name: string): Model => ({
  name,
  stream: () => ({
    [Symbol.asyncIterator]: () => ({
      next: () =>
        Promise.reject(
          new ModelFailure("model_auth", "No model credential is set. Set ANTHROPIC_API_KEY.", { isRetryable: false }),
        ),
    }),
  }),
});

/**
 * The model of this environment. `AGENT_MODEL` names it. Order of credentials: `ANTHROPIC_API_KEY`, `ANTHROPIC_AUTH_TOKEN`,
 * `CLAUDE_CODE_OAUTH_TOKEN`; without one, the demo model where `DEMO_MODEL` is on. Never throws: a missing credential shows
 * when the model is asked. `warn` gets lines for the log.
 */
export const chooseModel = (env: ModelVariables, warn: (line: string) => void = console.warn): Model => {
  const name = env.AGENT_MODEL?.trim() || DEFAULT_MODEL;
  const credential = findCredential(env);
  if (credential !== undefined) {
    return anthropicModel({ name, credential, baseUrl: modelBaseUrl(env.ANTHROPIC_BASE_URL, warn) });
  }
  return parseSettings(env).DEMO_MODEL ? demoModel : modelWithoutCredential(name);
};
