/** Starts one agent turn: spec §4.1, steps 4 to 8, in their order. The turn itself runs in its object. */
import { AppError } from "../contract/app-error.ts";
import type { Caller } from "../contract/caller.ts";
import { HarnessSessionId, RunId, ThreadId } from "../contract/ids.ts";
import { Effort } from "../contract/models.ts";
import { signInFirst } from "../contract/sign-in-first.ts";
import { MAX_PROMPT_LENGTH, MAX_THREAD_ID_LENGTH, type TurnStartRequest, TurnStartResponse } from "../contract/turn.ts";
import { type Db, openDb } from "../db/db.ts";
import { findAnswer } from "../db/idempotency.ts";
import { findLiveLogins } from "../db/logins.ts";
import { findRun, listOpenRuns, reopenRun } from "../db/runs.ts";
import { MAX_THREADS_PER_OWNER, type RunConditions, type RunRefusal } from "../db/start-conditions.ts";
import { insertRun, type NewRun, type RunInsert } from "../db/start-run.ts";
import type { Env } from "../env.ts";
import { anthropicHarness } from "../harness/anthropic-harness.ts";
import { committedFacts, familyOf, readFacts } from "../model/model-facts.ts";
import { workspaceDirOf } from "../run/open-workspace.ts";
import { reach } from "../run/reach.ts";
import type { RunSpec } from "../run/run-spec.ts";
import { dayLimitsOf, findLeft, leftForRun, usedUp } from "./day-budget.ts";
import { eventsPath } from "./events-path.ts";
import { chosenEffort, chosenModel, effortRefusal } from "./model-choice.ts";
import { requestHash } from "./request-hash.ts";
import { trueStatuses } from "./true-statuses.ts";

/** How soon a client that has too many open runs may ask again, in seconds. */
const BUSY_RETRY_AFTER_S = "5";

/** Text of the 409. The limit is `db/start-conditions`'. */
const TOO_MANY_THREADS = `You have ${MAX_THREADS_PER_OWNER.toLocaleString("en")} chats, the limit. Delete some first.`;

/**
 * Starts the turn and answers without waiting for it. `refuse` is asked once the request is known to be sound.
 *
 * @throws {AppError} 401 for a log-in that was revoked, 400 and 413 for a thread id or prompt that is too long, 400 for a model or an effort
 * that is not allowed, 422 for a key used with another request,
 * 409 for one thread too many, 429 for too many open runs, a day's budget that is used up, or what `refuse` gives, 503 when the run's object cannot be reached.
 */
export const startTurn = async (
  env: Env,
  caller: Caller,
  request: TurnStartRequest & { readonly idempotencyKey: string | undefined },
  refuse: () => Promise<AppError | undefined>,
): Promise<TurnStartResponse> => {
  const db = openDb(env.DB);
  const run = await newRun(env, caller, request);
  const refusal = await refuse();
  if (refusal !== undefined) return await replayOrRefuse(env, db, run, caller.loginId, refusal);
  const committed = committedFacts(run.model);
  const dayLimits = await dayLimitsOf(env, caller.ownerEmail, run.createdAtMs);
  const inserted = await insertOnce(env, db, run, {
    loginId: caller.loginId,
    modelFamily: familyOf(run.model),
    effort: chosenEffort(request.effort),
    committedEfforts: committed.efforts,
    dayLimits,
  });
  switch (inserted.type) {
    case "started": {
      const { idempotency: _, ...spec } = run;
      const { sessionId: own, previousWorkspaceDir: previous } = inserted;
      const moved = previous === undefined ? {} : { previousWorkspaceDir: previous };
      const stored = readFacts(inserted.modelFacts, run.model);
      const left = leftForRun(dayLimits, inserted.daySpent);
      await startRun(env, { ...spec, sessionId: own, ...moved, ...left, ...(stored && { modelFacts: stored }) });
      const sessionId = inserted.isNewSession ? null : inserted.sessionId;
      return { runId: run.runId, sessionId, events: eventsPath(run.runId) };
    }
    case "replayed":
      return await replay(env, db, run, inserted);
    case "revoked":
      throw signInFirst();
    case "unfit_effort":
      throw effortRefusal(run.model, (readFacts(inserted.modelFacts, run.model) ?? committed).efforts);
    case "over_day_budget":
      throw usedUp(run.createdAtMs);
    case "too_many_threads":
      throw new AppError(409, TOO_MANY_THREADS);
    case "refused":
      throw new AppError(429, "Too many runs. Try again later.", { "Retry-After": BUSY_RETRY_AFTER_S });
  }
};

/** Steps 6 and 7: the spec of a run with a fresh id, in the workspace directory and permission mode of the service. */
const newRun = async (env: Env, caller: Caller, request: Parameters<typeof startTurn>[2]): Promise<NewRun> => {
  const { threadId, prompt, idempotencyKey } = request;
  if (threadId.length > MAX_THREAD_ID_LENGTH) throw new AppError(400, "threadId: use at most 200 characters.");
  if (prompt.length > MAX_PROMPT_LENGTH) throw new AppError(413, "Request is too large.");
  const model = chosenModel(env, request.model);
  const effort = Effort.safeParse(request.effort).data;
  const runId = RunId.parse(crypto.randomUUID());
  return {
    runId,
    threadId: ThreadId.parse(threadId),
    sessionId: HarnessSessionId.parse(crypto.randomUUID()),
    ownerEmail: caller.ownerEmail,
    orgId: caller.orgId,
    harness: anthropicHarness.name,
    workspaceDir: workspaceDirOf(env, caller.ownerEmail),
    permissionMode: "allow-reads",
    prompt,
    model,
    ...(effort !== undefined && { effort }),
    createdAtMs: Date.now(),
    idempotency:
      idempotencyKey === undefined
        ? undefined
        : { key: idempotencyKey, requestHash: await requestHash(threadId, prompt), events: eventsPath(runId) },
  };
};

/** Step 5, and step 4 where it is needed: the session is looked up and the run admitted in one batch. */
const insertOnce = async (env: Env, db: Db, run: NewRun, conditions: RunConditions): Promise<RunInsert> => {
  const insert = () => insertRun(db, run, conditions);
  const inserted = await insert();
  if (inserted.type !== "refused") return inserted;
  // D1's copy may be behind: the objects are asked, and the rows of those that have ended are mended, before it counts.
  await trueStatuses(env, db, await listOpenRuns(db, run.ownerEmail), run.createdAtMs);
  return await insert();
};

/** A known key: the first answer again. The run is started again too, in case the first try died on its way. */
const replay = async (
  env: Env,
  db: Db,
  run: NewRun,
  known: Extract<RunRefusal, { type: "replayed" }>,
): Promise<TurnStartResponse> => {
  if (known.requestHash !== run.idempotency?.requestHash) {
    throw new AppError(422, "Idempotency key was used with a different request.");
  }
  const answer = TurnStartResponse.parse(JSON.parse(known.response));
  const row = await findRun(db, run.ownerEmail, answer.runId);
  if (row === undefined) return answer;
  // A row may have been closed because its object knew nothing: the start had died on its way.
  const isUnknown = (await reach(async () => await env.RUNS.getByName(answer.runId).status())) === undefined;
  if (isUnknown) {
    const { idempotency: _, ...spec } = run;
    const sessionId = HarnessSessionId.parse(row.sessionId);
    // Before the row is opened: where nothing is left, nothing starts.
    const left = await findLeft(env, db, run.ownerEmail, run.createdAtMs);
    if (row.finishedAtMs !== null) await reopenRun(db, run.ownerEmail, answer.runId);
    await startRun(env, { ...spec, ...left, runId: answer.runId, sessionId, createdAtMs: row.createdAtMs });
  }
  return answer;
};

/** Over the rate nothing new starts, but a start that was answered once is answered again (CONTRACT §1: 429 comes last). */
const replayOrRefuse = async (
  env: Env,
  db: Db,
  run: NewRun,
  loginId: string | undefined,
  refusal: AppError,
): Promise<TurnStartResponse> => {
  const { ownerEmail, idempotency } = run;
  if (idempotency === undefined) throw refusal;
  const known = await findAnswer(db, { ownerEmail, scope: "turn", key: idempotency.key }, run.createdAtMs);
  if (known === undefined) throw refusal;
  if (loginId !== undefined && !(await findLiveLogins(db, [loginId], run.createdAtMs)).has(loginId))
    throw signInFirst();
  return await replay(env, db, run, { type: "replayed", ...known });
};

const startRun = async (env: Env, spec: RunSpec): Promise<void> => {
  const started = await reach(() => env.RUNS.getByName(spec.runId).start(spec));
  if (started === "gone") throw new AppError(404, "Thread not found.");
};
