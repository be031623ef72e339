/**
 * What the deployed Worker has in place of parts of better-auth that this app never reaches (wrangler.toml, `[alias]`): their
 * own modules are most of what it would carry. Everything here fails where it is used after all.
 */
import * as z from "zod";

/**
 * Stands for better-auth's `db/to-zod.mjs`, which picks schemas by names that are known only at run time, and so keeps all of
 * zod and its fifty languages.
 *
 * @throws for columns of our own, which we have none of.
 */
export const toZodSchema = ({ fields }: { readonly fields: object }) => {
  if (Object.keys(fields).length > 0) throw new Error("Added columns need better-auth's own db/to-zod.mjs.");
  return z.object({});
};

/** Sign-in at other sites: nobody here comes that way. */
export const socialProviders = {};
export const SocialProviderListEnum = z.never();

/** Telemetry, which is switched off. */
export const createTelemetry = async () => ({ publish: async () => {} });
