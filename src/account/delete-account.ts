/**
 * Deletes everything a person has, in passes. Each step can be repeated, and finds its work by what is left, so a deletion that was
 * interrupted, or has more to delete than fits one pass, continues at the next minute's cron. The row that drives it is deleted last.
 * After that, no pass deletes anything: two passes may run at once, and the account under the same e-mail may by then be a new one.
 */
import { endDeletion, removeUser } from "../auth/sign-in-rows.ts";
import { sha256Hex } from "../contract/digest.ts";
import { log } from "../contract/log.ts";
import { DEPLOYMENT_SCOPE } from "../contract/settings/price-settings.ts";
import { removeRuns } from "../db/branches/delete-thread.ts";
import { type Db, openDb } from "../db/db.ts";
import { type AccountDeletion, isDeletionOpen } from "../db/deletion/open-deletion.ts";
import {
  forgetSessions,
  LONG_TABLES,
  removeOwnerRows,
  removeSomeRows,
  someRunIds,
  someSessionIds,
} from "../db/owner-rows.ts";
import { removeSomeOfScope } from "../db/prices/instruments.ts";
import type { Env } from "../env.ts";
import { purgeBatch } from "../objects/purge-batch.ts";
import { reach } from "../objects/reach.ts";
import { purgeSession } from "../run/host/purge-session.ts";
import { searchOf } from "../search/search-rpc.ts";
import { workspaceObjectOf } from "../workspace/durable/durable-workspace.ts";

/**
 * How long after the deletion was requested everything is deleted once more, in ms. A call that had already passed its checks may
 * have written since then; no call takes this long. The account stays closed meanwhile.
 */
export const SETTLE_MS = 2 * 60_000;

const settledAtMs = ({ requestedAtMs }: AccountDeletion): number => requestedAtMs + SETTLE_MS;

/** Sessions, or runs, purged at the same time. */
const BATCH_SIZE = 20;

/**
 * Most sessions, and most runs, that one pass purges. Each takes up to three calls, and an invocation of the cron has 15 minutes for
 * everybody's deletions. A pass that is nevertheless cut off loses at most a batch.
 */
export const SESSIONS_A_PASS = 200;
const RUNS_A_PASS = 2_000;

/** Pieces of each long table that one pass deletes, 50,000 rows at most. Between two pieces, D1 serves others. */
const PIECES_A_PASS = 10;

/** Resolves with true once the step is done; false leaves the rest, and the steps after it, to the next pass. */
type Step = (world: { readonly env: Env; readonly db: Db }, deletion: AccountDeletion) => Promise<boolean>;

/** The steps in order. Sessions come first: a run that ends must not let the next one start. */
const STEPS = {
  sessions: async ({ env, db }, deletion) => {
    const sessionIds = await someSessionIds(db, deletion, SESSIONS_A_PASS);
    for (let start = 0; start < sessionIds.length; start += BATCH_SIZE) {
      await purgeBatch(
        sessionIds.slice(start, start + BATCH_SIZE),
        (sessionId) => purgeSession(env, db, sessionId),
        (purged) => forgetSessions(db, deletion.ownerEmail, purged),
      );
    }
    return sessionIds.length < SESSIONS_A_PASS;
  },
  runs: async ({ env, db }, deletion) => {
    for (let purged = 0; purged < RUNS_A_PASS; purged += BATCH_SIZE) {
      const runIds = await someRunIds(db, deletion, BATCH_SIZE);
      if (runIds.length === 0) return true;
      // Stops the loop, ends the streams, and refuses a start that is still on its way.
      await purgeBatch(
        runIds,
        (runId) => reach(() => env.RUNS.getByName(runId).purge()),
        (purged) => removeRuns(db, deletion.ownerEmail, purged),
      );
    }
    return false;
  },
  search: async ({ env }, deletion) => {
    const { stub } = await searchOf(env.SEARCH, deletion.ownerEmail);
    await reach(async () => await stub.purge(deletion, settledAtMs(deletion)));
    return true;
  },
  workspace: async ({ env }, deletion) => {
    const { ownerEmail } = deletion;
    await reach(
      async () => await (await workspaceObjectOf(env.WORKSPACES, ownerEmail)).purge(deletion, settledAtMs(deletion)),
    );
    return true;
  },
  quotes: async ({ env, db }, deletion) => {
    // Deletes what the person's own key has learned. What the deployment's has learned is everybody's and stays, but not who used it.
    const scope = await sha256Hex(deletion.ownerEmail);
    await reach(async () => await env.QUOTES.getByName(scope).purge(deletion, settledAtMs(deletion)));
    for (let piece = 1; !(await removeSomeOfScope(db, scope, deletion)); piece += 1) {
      if (piece === PIECES_A_PASS) return false;
    }
    await reach(async () => await env.QUOTES.getByName(DEPLOYMENT_SCOPE).forget(deletion));
    return true;
  },
  rows: async ({ db }, deletion) => {
    for (const table of LONG_TABLES) {
      for (let piece = 1; !(await removeSomeRows(db, deletion, table)); piece += 1) {
        if (piece === PIECES_A_PASS) return false;
      }
    }
    await removeOwnerRows(db, deletion);
    return true;
  },
  user: async ({ db }, deletion) => {
    await removeUser(db, deletion);
    return true;
  },
} satisfies Record<string, Step>;

/** A step of a deletion. */
export type DeletionStep = keyof typeof STEPS;

/** The names of the steps, in order. */
export const DELETION_STEPS = [
  "sessions",
  "runs",
  "search",
  "workspace",
  "quotes",
  "rows",
  "user",
] as const satisfies DeletionStep[];

/** Does one pass of a deletion that is not over. True once it is. `before` is called before each step; when it rejects, so does this. */
export const continueDeletion = async (
  env: Env,
  deletion: AccountDeletion,
  nowMs: number,
  before: (step: DeletionStep) => Promise<void> = async () => {},
): Promise<boolean> => {
  const db = openDb(env.DB);
  for (const step of DELETION_STEPS) {
    await before(step);
    // Each step checks this once more together with what it deletes: the deletion may end at any moment.
    if (!(await isDeletionOpen(env.DB, deletion))) return true;
    if (!(await STEPS[step]({ env, db }, deletion))) return false;
  }
  if (nowMs < settledAtMs(deletion)) return false;
  await endDeletion(db, deletion);
  return true;
};

/** Whether an account is open to its owner. Finishes a deletion that is due: the cron may not have run yet. */
export const isAccountOpen = async (
  env: Env,
  deletion: AccountDeletion | undefined,
  nowMs: number,
): Promise<boolean> => {
  if (deletion === undefined) return true;
  return nowMs >= settledAtMs(deletion) && (await continueDeletion(env, deletion, nowMs));
};

/** Logs the interruption without the owner's e-mail, which would be personal data: the time identifies the deletion. */
export const logCutOff = ({ requestedAtMs }: { readonly requestedAtMs: number }, error: unknown): void =>
  log.error("A deletion was interrupted. It continues within a minute.", {
    requestedAt: new Date(requestedAtMs).toISOString(),
    error,
  });
