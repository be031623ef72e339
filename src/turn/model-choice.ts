/** The model and the effort chosen in a turn's body, checked against what is allowed (api.md §7). */
import { AppError } from "../contract/app-error.ts";
import { lateModule } from "../contract/loading/late-module.ts";
import { log } from "../contract/log.ts";
import type { Effort, ModelView } from "../contract/models.ts";
import { type Db, openDb } from "../db/db.ts";
import { loadModelFacts, modelFactsAgeMs, saveModelFacts } from "../db/model-facts.ts";
import type { Env } from "../env.ts";
import { findHarness } from "../harness/registry.ts";
import { allowedModels } from "../model/allowed-models.ts";
import type { fetchModels } from "../model/anthropic/fetch-models.ts";
import { findCredential } from "../model/credential.ts";
import { familyOf, readFacts } from "../model/model-facts.ts";
import { priceOf } from "../model/token-prices.ts";
import { parseSettings } from "../settings.ts";

const loadProvider = lateModule(() => import("../model/provider.ts"));

/** Most names listed in a refusal: `AGENT_MODELS` can hold any number. */
const MAX_NAMED = 20;

/** Whether the harness of new turns asks its model by itself. */
const hasOwnModel = (env: Env): boolean => findHarness(parseSettings(env).AGENT_HARNESS)?.hasOwnModel === true;

/** The model's id; the default when none is chosen. @throws {AppError} 400 that lists the allowed models. */
export const chosenModel = (env: Env, model: unknown): string => {
  const allowed = allowedModels(env, hasOwnModel(env));
  const id = model ?? allowed[0];
  if (typeof id === "string" && allowed.includes(id)) return id;
  throw new AppError(400, `model: use one of ${allowed.slice(0, MAX_NAMED).join(", ")}.`);
};

/**
 * The effort as text to compare with the model's levels; undefined when none is chosen. A value that is not text matches no
 * level: which levels exist is known only after the turn's own batch.
 */
export const chosenEffort = (effort: unknown): string | undefined => {
  if (effort === undefined || effort === null) return undefined;
  return typeof effort === "string" ? effort : "";
};

/** The answer for an effort that the model does not support. */
export const effortRefusal = (model: string, efforts: readonly Effort[]): AppError =>
  new AppError(
    400,
    efforts.length === 0
      ? `effort: use one of the model's levels. ${model} has none, so leave it out.`
      : `effort: use one of ${efforts.join(", ")}.`,
  );

/** Facts older than this are fetched again. */
const MAX_AGE_MS = 60 * 60_000;

/** Shortest time between two tries of an isolate. Sooner, an earlier try is under way or has failed, and the result would be the same. */
const PAUSE_MS = 5 * 60_000;

/** The last try with each credential. What is known of another account's models says nothing about this one's. */
const tries = new Map<string, { readonly atMs: number; readonly hasFailed: boolean }>();

/** Fetches the models' facts again once an hour, for the cron. Listing the models does it too; a turn never does. */
export const refreshOldModels = async (env: Env, db: Db, nowMs: number): Promise<void> => {
  if ((await modelFactsAgeMs(db, nowMs)) > MAX_AGE_MS) await refreshModels(env, db, nowMs);
};

/**
 * Fetches and stores the models' facts; true when they are new. The stored facts are kept without a credential, soon after another try,
 * and when the provider fails. Only the first of several failures in a row is logged. Never rejects because of the provider.
 */
const refreshModels = async (env: Env, db: Db, nowMs: number): Promise<boolean> => {
  const credential = findCredential(env);
  if (credential === undefined) return false;
  const { secret } = credential;
  const last = tries.get(secret);
  if (last !== undefined && Math.abs(nowMs - last.atMs) < PAUSE_MS) return false;
  tries.set(secret, { atMs: nowMs, hasFailed: last?.hasFailed ?? false });
  const models = await fetchNow(credential, env.ANTHROPIC_BASE_URL).catch((error: unknown) => {
    if (last?.hasFailed !== true) {
      const message = "The models' facts could not be fetched. The stored ones are used.";
      log.warn(message, { error });
    }
    return undefined;
  });
  tries.set(secret, { atMs: nowMs, hasFailed: models === undefined });
  if (models === undefined) return false;
  await saveModelFacts(db, models, nowMs);
  return true;
};

const fetchNow: typeof fetchModels = async (...how) => {
  const late = await loadProvider();
  return await late.fetchModels(...how);
};

/** The models that a turn can choose, the default first. Stored facts older than an hour are fetched again beforehand. */
export const listModels = async (env: Env, nowMs: number): Promise<ModelView[]> => {
  const db = openDb(env.DB);
  let stored = await loadModelFacts(db);
  if (nowMs - stored.fetchedAtMs > MAX_AGE_MS && (await refreshModels(env, db, nowMs))) {
    stored = await loadModelFacts(db);
  }
  const isForeign = hasOwnModel(env);
  const { chooseModel, foreignModel } = await loadProvider();
  return allowedModels(env, isForeign).map((id, index): ModelView => {
    const modelFacts = readFacts(stored.facts.get(id) ?? stored.facts.get(familyOf(id)), id);
    const model = isForeign
      ? foreignModel(env, { model: id, modelFacts })
      : chooseModel(env, { model: id, modelFacts });
    const { name, contextTokens, efforts } = model.facts;
    return { id, name, isDefault: index === 0, contextTokens, efforts, pricePerMillion: priceOf(id) };
  });
};
