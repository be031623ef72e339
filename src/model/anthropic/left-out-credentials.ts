/**
 * Replaces how the model's client looks for credentials in files, in the environment and at other sites, in the deployed Worker
 * (wrangler.toml, `[alias]`): it is always given one, and then asks for none. Everything here fails if it is used after all.
 */

/** @throws always. */
const leftOut = (): never => {
  throw new Error("The model's client has to be given its credential: the code that would look for one is left out.");
};

export const defaultCredentials = leftOut;
export const resolveCredentialsFromConfig = leftOut;
export const TokenCache = leftOut;
