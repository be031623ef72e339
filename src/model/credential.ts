/**
 * How a request to the provider is authenticated: which variable holds the secret, and how it is sent. A subscription's token is not
 * accepted as a credential (decision 0076).
 */

/** A secret and how it is sent. */
export type Credential =
  /** `x-api-key`. */
  | { readonly type: "api_key"; readonly secret: string }
  /** `Authorization: Bearer`. */
  | { readonly type: "auth_token"; readonly secret: string };

/** The variables that can hold a credential. */
export type CredentialVariables = {
  readonly ANTHROPIC_API_KEY?: string | undefined;
  readonly ANTHROPIC_AUTH_TOKEN?: string | undefined;
};

/**
 * Whether the API key's variable holds a subscription's token. Do not check `ANTHROPIC_AUTH_TOKEN` for that: short-lived tokens that the
 * provider issues for an identity look the same.
 */
export const holdsSubscriptionToken = ({ ANTHROPIC_API_KEY }: CredentialVariables): boolean =>
  ANTHROPIC_API_KEY?.trim().startsWith("sk-ant-oat") === true;

/** The variable whose secret is sent; the API key takes precedence. An empty variable counts as unset. */
export const credentialVariable = (env: CredentialVariables): keyof CredentialVariables | undefined => {
  if (env.ANTHROPIC_API_KEY?.trim() && !holdsSubscriptionToken(env)) return "ANTHROPIC_API_KEY";
  return env.ANTHROPIC_AUTH_TOKEN?.trim() ? "ANTHROPIC_AUTH_TOKEN" : undefined;
};

/** The credential of an environment, if there is one. */
export const findCredential = (env: CredentialVariables): Credential | undefined => {
  const variable = credentialVariable(env);
  if (variable === undefined) return undefined;
  const type = variable === "ANTHROPIC_API_KEY" ? "api_key" : "auth_token";
  return { type, secret: env[variable]?.trim() ?? "" };
};

/** The headers of a credential; null removes a header that the SDK would send by itself. */
export const credentialHeaders = ({ type, secret }: Credential): Record<string, string | null> => {
  switch (type) {
    case "api_key":
      return { "x-api-key": secret, authorization: null };
    case "auth_token":
      return { authorization: `Bearer ${secret}` };
  }
};
