/** Starts one agent turn: see run.md, Starting. The turn itself runs in its object. */
import { AppError, errorCode, otherRequest, signInFirst } from "../contract/app-error.ts";
import type { Caller } from "../contract/ids.ts";
import { parseJson } from "../contract/parse-json.ts";
import { eventsPath, TurnStartResponse } from "../contract/turn.ts";
import { type Db, openDb } from "../db/db.ts";
import { findRun, listOpenRuns, reopenRun } from "../db/runs.ts";
import { forgetStart, insertRun, type NewRun, type RunInsert, wouldBeRefused } from "../db/start/insert-run.ts";
import type { RunConditions, RunRefusal } from "../db/start/start-conditions.ts";
import { findStarted, type StartFound } from "../db/start/start-found.ts";
import type { Env } from "../env.ts";
import { committedFacts, familyOf, readFacts } from "../model/model-facts.ts";
import { reach } from "../objects/reach.ts";
import type { FoundScreen } from "../run/run-rpc.ts";
import type { RunSpec } from "../run/run-spec.ts";
import { parseSettings } from "../settings.ts";
import { dayLimitsOf, leftForRun, requireDayLeft, usedUp } from "../thread/day-budget.ts";
import { tooManyThreads } from "../thread/threads.ts";
import { trueStatuses } from "../thread/true-statuses.ts";
import { chosenEffort, effortRefusal } from "./model-choice.ts";
import { newRun, type TurnRequest } from "./new-run.ts";

/** How soon a client with too many open runs may retry, in seconds. */
const BUSY_RETRY_AFTER_S = "5";

const tooManyRuns = (): AppError =>
  new AppError(429, "Too many runs. Try again later.", {
    ...errorCode("too_many_runs"),
    "Retry-After": BUSY_RETRY_AFTER_S,
  });

/** Thrown when the occurrence that a start was for is not due any more: it has started, or its schedule is gone. */
export class NotDue extends Error {
  constructor() {
    super("This occurrence is not due any more.");
    this.name = "NotDue";
  }
}

/**
 * Starts the turn and answers without waiting for it. `refuse` is the rate limit or the pause: it is asked once the request is known to be
 * valid, and any other refusal comes before what it returns.
 *
 * @throws {AppError} 401 for a revoked log-in, 400 and 413 for a thread id or prompt that is too long, 400 for a model, an
 * effort, a mode or a time zone that is not allowed, 422 for a key used with a different request, 404 for a thread that was deleted
 * meanwhile, 409 for one thread too many, 429 for too many open runs or for a day's budget that is used up, what `refuse` returns, 503 when
 * the run's object cannot be reached or the harness of the service cannot run.
 * @throws {NotDue} for an occurrence that is not due any more.
 */
export const startTurn = async (
  env: Env,
  caller: Caller,
  request: TurnRequest,
  refuse: () => Promise<AppError | undefined>,
): Promise<TurnStartResponse> => {
  const db = openDb(env.DB);
  const run = await newRun(env, caller, request);
  const refusal = await refuse();
  const committed = committedFacts(run.model);
  const dayLimits = refusal === undefined ? await dayLimitsOf(env, caller.ownerEmail, run.createdAtMs) : undefined;
  const conditions = {
    loginId: caller.loginId,
    modelFamily: familyOf(run.model),
    effort: chosenEffort(request.effort),
    committedEfforts: committed.efforts,
    dayLimits,
    occurrence: request.occurrence,
  };
  const inserted =
    refusal === undefined
      ? await insertWithTrueCounts(env, db, run, conditions)
      : await wouldBeRefused(db, run, conditions);
  switch (inserted.type) {
    case "started": {
      const { isNewSession, screen } = inserted;
      const left = leftForRun(dayLimits, inserted.daySpent);
      await startRun(env, { ...specOf(env, run, inserted, isNewSession), ...left }, screen);
      return { runId: run.runId, sessionId: isNewSession ? null : inserted.sessionId, events: eventsPath(run.runId) };
    }
    case "replayed":
      return (
        (await replay(env, db, run, inserted, refusal)) ?? (await startTurn(env, caller, request, async () => refusal))
      );
    case "revoked":
      throw signInFirst();
    case "unfit_effort":
      throw effortRefusal(run.model, (readFacts(inserted.modelFacts, run.model) ?? committed).efforts);
    case "over_day_budget":
      throw usedUp(run.createdAtMs);
    case "not_due":
      throw new NotDue();
    case "too_many_threads":
      throw tooManyThreads();
    case "too_many_runs":
      throw refusal ?? tooManyRuns();
  }
};

/** Admits the run. When too many seem open, corrects D1's copy by the objects and tries once more. */
const insertWithTrueCounts = async (env: Env, db: Db, run: NewRun, conditions: RunConditions): Promise<RunInsert> => {
  const insert = () => insertRun(db, run, conditions);
  const inserted = await insert();
  if (inserted.type !== "too_many_runs") return inserted;
  await trueStatuses(env, db, await listOpenRuns(db, run.ownerEmail), run.createdAtMs);
  return await insert();
};

/** The run's spec: what is known of it when it starts, which never changes. */
const specOf = (env: Env, { idempotency: _, ...run }: NewRun, found: StartFound, isNewSession: boolean): RunSpec => {
  const { sessionId, queueSessionId, hasOtherHarness, workspaceDir = run.workspaceDir } = found;
  const stored = readFacts(found.modelFacts, run.model);
  const wantsTitle = isNewSession && !hasOtherHarness && parseSettings(env).AGENT_TITLES;
  return {
    ...run,
    sessionId,
    ...(queueSessionId !== undefined && { queueSessionId }),
    ...(hasOtherHarness && { hasOtherHarness }),
    ...(workspaceDir !== run.workspaceDir && { previousWorkspaceDir: workspaceDir }),
    ...(wantsTitle && { wantsTitle }),
    ...(stored && { modelFacts: stored }),
  };
};

/**
 * Repeats the first answer under a known key, and starts the run again in case the first start died on its way. Undefined when that run
 * never began and the person has since gone back to before it: its answer would not be part of the chat, so the key is freed for a new
 * run.
 */
const replay = async (
  env: Env,
  db: Db,
  run: NewRun,
  known: Extract<RunRefusal, { type: "replayed" }>,
  refusal: AppError | undefined,
): Promise<TurnStartResponse | undefined> => {
  if (known.requestHash !== run.idempotency?.requestHash) throw otherRequest();
  const answer = TurnStartResponse.parse(parseJson(known.response));
  const row = await findRun(db, run.ownerEmail, answer.runId);
  if (row === undefined) return answer;
  // Otherwise the start never reached the object, and D1's row may have been closed because of that.
  if ((await reach(async () => await env.RUNS.getByName(answer.runId).status())) !== undefined) return answer;
  const wanted = { owner: run.ownerEmail, runId: answer.runId, model: run.model, modelFamily: familyOf(run.model) };
  const found = await findStarted(db, wanted);
  // Its thread has been deleted since.
  if (found === undefined) return answer;
  if (found.isReplaced) {
    await forgetStart(db, run.ownerEmail, answer.runId);
    return undefined;
  }
  // From here on a run starts, as with a new turn.
  if (refusal !== undefined) throw refusal;
  // Checked before the row is reopened, because nothing may start on a day without budget.
  const left = await requireDayLeft(env, db, run.ownerEmail, run.createdAtMs);
  if (row.finishedAtMs !== null) await reopenRun(db, run.ownerEmail, answer.runId);
  const first = { ...run, runId: answer.runId, harness: found.harness, createdAtMs: row.createdAtMs };
  await startRun(env, { ...specOf(env, first, found, answer.sessionId === null), ...left });
  return answer;
};

const startRun = async (env: Env, spec: RunSpec, screen?: FoundScreen): Promise<void> => {
  const started = await reach(() => env.RUNS.getByName(spec.runId).start(spec, screen));
  if (started !== "gone") return;
  await forgetStart(openDb(env.DB), spec.ownerEmail, spec.runId);
  throw new AppError(404, "Thread not found.");
};
