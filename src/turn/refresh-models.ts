/** Keeps what is stored of the models no older than an hour: the cron asks, and whoever lists them. A turn never does. */
import { errorText } from "../contract/error-text.ts";
import type { Db } from "../db/db.ts";
import { modelFactsAgeMs, saveModelFacts } from "../db/model-facts.ts";
import type { Env } from "../env.ts";
import { findCredential } from "../model/credential.ts";
import { fetchModels } from "../model/fetch-models.ts";

/** From this age on they are fetched again. */
export const MAX_AGE_MS = 60 * 60_000;

/** Shortest time between two tries of an isolate: one is under way by then or has failed, and its answer would be the same. */
const PAUSE_MS = 5 * 60_000;

/** The last try with a credential. What is known of another account's models says nothing of this one's. */
const tries = new Map<string, { readonly atMs: number; readonly hasFailed: boolean }>();

/** The cron's part: fetches them once an hour. */
export const refreshOldModels = async (env: Env, db: Db, nowMs: number): Promise<void> => {
  if ((await modelFactsAgeMs(db, nowMs)) > MAX_AGE_MS) await refreshModels(env, db, nowMs);
};

/**
 * Fetches and stores them; true when they are new. Without a credential, soon after another try and when the provider
 * fails, what is stored stays. Failures in a row are logged once. Never rejects for the provider's sake.
 */
export const refreshModels = async (env: Env, db: Db, nowMs: number): Promise<boolean> => {
  const credential = findCredential(env);
  if (credential === undefined) return false;
  const { secret } = credential;
  const last = tries.get(secret);
  if (last !== undefined && Math.abs(nowMs - last.atMs) < PAUSE_MS) return false;
  tries.set(secret, { atMs: nowMs, hasFailed: last?.hasFailed ?? false });
  const models = await fetchModels(credential, env.ANTHROPIC_BASE_URL).catch((error: unknown) => {
    if (last?.hasFailed !== true) {
      const message = "The models' facts could not be fetched. What is stored, or committed, serves.";
      console.warn(JSON.stringify({ level: "warn", message, error: errorText(error) }));
    }
    return undefined;
  });
  tries.set(secret, { atMs: nowMs, hasFailed: models === undefined });
  if (models === undefined) return false;
  await saveModelFacts(db, models, nowMs);
  return true;
};
