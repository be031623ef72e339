/** For tests of the key that is everybody's. */
import { env, runInDurableObject } from "cloudflare:test";

/**
 * Forgets what the key of the deployment has used, who has looked in the last half hour, and its prices: several tests and files use the
 * same object and the same listings, and would find a minute that is used up, or a price that is not due.
 */
export const forgetDeployment = async (): Promise<void> => {
  await runInDurableObject(env.QUOTES.getByName("deployment"), (_, { storage }) => storage.deleteAll());
  await env.DB.prepare("DELETE FROM instruments WHERE scope = 'deployment'").run();
};
