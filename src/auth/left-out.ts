/**
 * Replaces parts of better-auth that this app never reaches, in the deployed Worker (wrangler.toml, `[alias]`): the original
 * modules would be most of the Worker's size. Everything here fails if it is used after all.
 */
import * as z from "zod";

/**
 * Replaces better-auth's `to-zod.mjs`, which looks up schemas by names known only at run time, and so keeps all of zod and
 * its fifty languages.
 *
 * @throws for additional columns, which we do not have.
 */
export const toZodSchema = ({ fields }: { readonly fields: object }) => {
  if (Object.keys(fields).length > 0) throw new Error("Added columns need better-auth's own db/to-zod.mjs.");
  return z.object({});
};

/** Sign-in through other sites, which nobody here uses. */
export const socialProviders = {};
export const SocialProviderListEnum = z.never();

/** Telemetry, which is switched off. */
export const createTelemetry = async () => ({ publish: async () => {} });

/**
 * The request limits of better-auth, which are switched off: this app has its own (`http/rate-limit`).
 *
 * @throws when they are on.
 */
export const onRequestRateLimit = async (
  _: Request,
  { rateLimit }: { readonly rateLimit: { readonly enabled: boolean } },
): Promise<void> => {
  if (rateLimit.enabled) throw new Error("better-auth's limits of requests are left out of the deployed Worker.");
};
