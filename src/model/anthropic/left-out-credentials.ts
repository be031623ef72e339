/**
 * Replaces, in the deployed Worker (wrangler.toml, `[alias]`), the code of the model's client that looks for credentials in files, in the
 * environment and at other sites. The client is always given a credential, so it looks for none. Everything here fails if it is used
 * after all.
 */

/** @throws always. */
const leftOut = (): never => {
  throw new Error("The model's client has to be given its credential: the code that would look for one is left out.");
};

export const defaultCredentials = leftOut;
export const resolveCredentialsFromConfig = leftOut;
export const TokenCache = leftOut;
