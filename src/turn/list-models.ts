/** The models a turn can choose from, as `GET /_framework/models` shows them. */
import type { ModelView } from "../contract/models.ts";
import { openDb } from "../db/db.ts";
import { loadModelFacts } from "../db/model-facts.ts";
import type { Env } from "../env.ts";
import { allowedModels } from "../model/allowed-models.ts";
import { chooseModel } from "../model/choose-model.ts";
import { familyOf, readFacts } from "../model/model-facts.ts";
import { priceOf } from "../model/prices.ts";
import { MAX_AGE_MS, refreshModels } from "./refresh-models.ts";

/** The default first. What is stored of them is fetched again first where it is older than an hour. */
export const listModels = async (env: Env, nowMs: number): Promise<ModelView[]> => {
  const db = openDb(env.DB);
  let stored = await loadModelFacts(db);
  if (nowMs - stored.fetchedAtMs > MAX_AGE_MS && (await refreshModels(env, db, nowMs))) {
    stored = await loadModelFacts(db);
  }
  return allowedModels(env).map((id, index): ModelView => {
    const modelFacts = readFacts(stored.facts.get(id) ?? stored.facts.get(familyOf(id)), id);
    const { name, contextTokens, efforts } = chooseModel(env, { model: id, modelFacts }).facts;
    return { id, name, isDefault: index === 0, contextTokens, efforts, pricePerMillion: priceOf(id) };
  });
};
