/**
 * Gives a thread its title: once its first turn is over, the model is asked. If it gives none, the beginning of the prompt stays the
 * title.
 */
import { dayOf } from "../../contract/day.ts";
import { budgetHash } from "../../contract/digest.ts";
import { withTimeLimit } from "../../contract/within.ts";
import { openDb } from "../../db/db.ts";
import { isUntitled, titleThread } from "../../db/list/thread-titles.ts";
import type { Env } from "../../env.ts";
import { loadHarness } from "../../harness/registry.ts";
import type { KeptTurn } from "../../harness/stored-conversation.ts";
import { DEMO_NAME } from "../../model/allowed-models.ts";
import { isUsedUp } from "../../model/budgets.ts";
import { chooseModel } from "../../model/choose-model.ts";
import { costOf } from "../../model/token-prices.ts";
import type { RunSpec } from "../run-spec.ts";
import type { EndedState } from "../run-state.ts";
import { answerOf } from "./feed-search.ts";

/** How long the model may take, in ms: less than the outbox allows any receiver. */
export const ASK_LIMIT_MS = 20_000;

/** Rejects when D1 does not answer, and is then called again. A model that gives no title is not asked again. */
export const askForTitle = async (env: Env, spec: RunSpec, ended: EndedState, kept: KeptTurn): Promise<void> => {
  const { runId, harness, prompt, ownerEmail, dayLeftUsd } = spec;
  const { askTitle } = await loadHarness(harness);
  const model = chooseModel(env, { model: kept.turn.model, modelFacts: spec.modelFacts });
  const isSpent = dayLeftUsd !== undefined && isUsedUp(dayLeftUsd, ended.costUsd ?? "0");
  if (askTitle === undefined || model.name === DEMO_NAME || isSpent) return;
  const db = openDb(env.DB);
  if (!(await isUntitled(db, spec))) return;
  const said = { prompt, answer: await answerOf(spec, kept) };
  const { title, usage } = await withTimeLimit(ASK_LIMIT_MS, (signal) => askTitle(model, said, signal));
  const costUsd = costOf(model.name, usage);
  const day =
    dayLeftUsd === undefined || costUsd === null || costUsd === "0"
      ? undefined
      : { id: `title:${runId}`, ownerHash: await budgetHash(ownerEmail), day: dayOf(Date.now()), costUsd };
  await titleThread(db, spec, title, { costUsd, day });
};
