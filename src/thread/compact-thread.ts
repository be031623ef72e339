/**
 * Summarizes a thread's earlier turns because the person asked for it. It takes a place in the thread's queue like a run, so that
 * a turn posted in the meantime waits for the summary and starts from it.
 */
import { AppError } from "../contract/app-error.ts";
import { dayOf } from "../contract/day.ts";
import { budgetHash } from "../contract/digest.ts";
import { type HarnessSessionId, type OwnerEmail, RunId, type ThreadId } from "../contract/ids.ts";
import type { CostUsd, Usage } from "../contract/run.ts";
import type { ThreadCompaction } from "../contract/thread.ts";
import { listThreadSessions } from "../db/branches/run-marks.ts";
import { addDayCost } from "../db/day-costs.ts";
import { openDb } from "../db/db.ts";
import { loadModelFacts } from "../db/model-facts.ts";
import type { Env } from "../env.ts";
import { findHarness, loadHarness } from "../harness/registry.ts";
import { MAX_COMPACTION_MS } from "../harness/turn.ts";
import { allowedModels } from "../model/allowed-models.ts";
import { familyOf, readFacts } from "../model/model-facts.ts";
import { defaultModel } from "../model/named-models.ts";
import { costOf } from "../model/token-prices.ts";
import { reach } from "../objects/reach.ts";
import { loadDriving } from "../run/load-driving.ts";
import { reservationId } from "../session/session-wire.ts";
import { requireDayLeft } from "./day-budget.ts";

/** How long the place is held beyond the time a summary may take, in ms: loading and storing have to fit too. */
const RESERVED_BEYOND_MS = 20_000;

/** How soon a client may retry, in seconds. */
const RETRY_AFTER_S = "5";

/**
 * The tokens of the conversation before and after; equal when there was nothing to summarize or the model cannot do it. `refuse`
 * is called once the thread is known not to be busy.
 *
 * @throws {AppError} 404 when the owner has no such thread, 409 while one of its runs is not over, what `refuse` returns, 429
 * when the day's budget is used up, 503 when the provider gave no summary in time or an object cannot be reached.
 */
export const compactThread = async (
  env: Env,
  owner: OwnerEmail,
  threadId: ThreadId,
  refuse: () => Promise<AppError | undefined>,
): Promise<Omit<ThreadCompaction, "ok">> => {
  const sessions = await listThreadSessions(openDb(env.DB), owner, threadId);
  if (sessions === undefined) throw new AppError(404, "Thread not found.");
  const [first] = sessions;
  if (first === undefined) return await nothingToDo(refuse);
  // The first one has the thread's queue. What can be summarized may be in another one.
  const { sessionId, harness } = sessions.find((session) => findHarness(session.harness)?.compacts) ?? first;
  const queueSessionId = sessionId === first.sessionId ? undefined : first.sessionId;
  const queue = () => env.SESSIONS.getByName(first.sessionId);
  const holder = reservationId(Date.now() + MAX_COMPACTION_MS + RESERVED_BEYOND_MS, crypto.randomUUID());
  const place = await reach(async () => await queue().reserve(holder));
  if (place === undefined) return await nothingToDo(refuse);
  if (place === "busy" || place.grant === undefined) throw new AppError(409, "The thread is busy.");
  try {
    await throwRefusal(refuse);
    const { dayLeftUsd } = await requireDayLeft(env, openDb(env.DB), owner, Date.now());
    return await compactHeld(
      env,
      { sessionId, queueSessionId, harness, holder, grant: place.grant, isCounted: dayLeftUsd !== undefined },
      owner,
    );
  } finally {
    if (queueSessionId !== undefined) await leave(env, sessionId, holder);
    await reach(async () => await queue().release(holder));
  }
};

/** Gives the place in the second session back. If it cannot be reached, the next holder clears what is left there. */
const leave = (env: Env, sessionId: HarnessSessionId, holder: string): Promise<void> =>
  reach(async () => await env.SESSIONS.getByName(sessionId).release(holder)).catch(() => undefined);

const throwRefusal = async (refuse: () => Promise<AppError | undefined>): Promise<void> => {
  const refusal = await refuse();
  if (refusal !== undefined) throw refusal;
};

/** There is nothing to summarize. That counts against the rate limit all the same. */
const nothingToDo = async (refuse: () => Promise<AppError | undefined>): Promise<Omit<ThreadCompaction, "ok">> => {
  await throwRefusal(refuse);
  return { tokensBefore: 0, tokensAfter: 0 };
};

/** The tools are only described here; none of them runs. */
const NO_RUN = RunId.parse("00000000-0000-4000-8000-000000000000");

const unavailable = (): AppError =>
  new AppError(503, "The agent is unavailable. Try again.", { "Retry-After": RETRY_AFTER_S });

type Held = {
  readonly sessionId: HarnessSessionId;
  /** The session with the thread's queue; undefined if that is this one. */
  readonly queueSessionId: HarnessSessionId | undefined;
  readonly harness: string;
  readonly holder: string;
  readonly grant: number;
  readonly isCounted: boolean;
};

const countSummary = async (env: Env, owner: OwnerEmail, costUsd: CostUsd | null): Promise<void> => {
  if (costUsd === null) return;
  const id = `summary:${crypto.randomUUID()}`;
  await addDayCost(openDb(env.DB), { id, ownerHash: await budgetHash(owner), day: dayOf(Date.now()), costUsd });
};

const compactHeld = async (env: Env, held: Held, owner: OwnerEmail): Promise<Omit<ThreadCompaction, "ok">> => {
  const { sessionId, holder, grant, isCounted } = held;
  const { loadConversation, holdSession, chooseModel, turnToolbox } = await loadDriving();
  if (!(await holdSession(env, held, holder, grant))) throw unavailable();
  const loaded = await loadConversation(env, { ...held, harness: await loadHarness(held.harness) });
  if (loaded === undefined) throw unavailable();
  const session = () => env.SESSIONS.getByName(sessionId);
  // The thread's model, if it is still allowed: thinking after the summary stays valid only if the model that reads the summary wrote it.
  const name = allowedModels(env).find((one) => one === loaded.thread.lastModel) ?? defaultModel(env);
  const { facts } = await loadModelFacts(openDb(env.DB));
  const model = chooseModel(env, {
    model: name,
    modelFacts: readFacts(facts.get(name) ?? facts.get(familyOf(name)), name),
  });
  const { tools } = turnToolbox(env, { ownerEmail: owner, orgId: null, runId: NO_RUN }, Date.now);
  const noteDropped = (usage: Usage): Promise<boolean> => {
    const call = { type: "dropped_call", model: model.name, usage, isByHand: true } as const;
    return reach(async () => await session().noteDropped(holder, grant, call));
  };
  const done = await loaded.thread.compact?.(model, tools);
  if (done === undefined) return { tokensBefore: 0, tokensAfter: 0 };
  if ("failed" in done) {
    if (done.failed !== undefined) {
      // The cost first: the session may be away.
      if (isCounted) await countSummary(env, owner, costOf(model.name, done.failed));
      await noteDropped(done.failed);
    }
    throw unavailable();
  }
  if (done.compaction !== undefined) {
    const { compaction } = done;
    try {
      // Before it is stored: it is paid for either way.
      if (isCounted) await countSummary(env, owner, costOf(model.name, compaction.event.usage));
      const kept = await reach(async () => await session().saveCompaction(holder, grant, holder, compaction));
      if (kept === undefined) throw unavailable();
    } catch (error) {
      // Perhaps only the answer was lost: then the stored summary's notice has this key, and nothing is noted.
      await noteDropped(compaction.event.usage);
      throw error;
    }
  }
  const { tokensBefore, tokensAfter } = done;
  return { tokensBefore, tokensAfter };
};
