/**
 * Deletes everything of a person. Each step can be repeated, and each is found again by what is left: so a deletion that
 * was cut off goes on at the next minute's cron. The row that drives it goes last.
 */
import { type AccountDeletion, endDeletion, removeUser } from "../auth/account-deletions.ts";
import { type Db, openDb } from "../db/db.ts";
import { removeRuns } from "../db/delete-thread.ts";
import { listSessionIds, removeOwnerRows, someRunIds } from "../db/owner-rows.ts";
import type { Env } from "../env.ts";
import { reach } from "../run/reach.ts";
import { workspaceObjectOf } from "../workspace/durable-workspace.ts";

/**
 * How long after the wish everything is deleted once more, in ms. A request that had passed its checks by then may have
 * written since; none takes as long as this. The account stays closed meanwhile.
 */
export const SETTLE_MS = 2 * 60_000;

/** Runs purged at the same time. */
const BATCH_SIZE = 20;

type Step = (world: { readonly env: Env; readonly db: Db }, deletion: AccountDeletion) => Promise<void>;

/** The steps in order. Sessions first: a run that ends must not let the next one go. */
const STEPS = {
  sessions: async ({ env, db }, { ownerEmail }) => {
    for (const sessionId of await listSessionIds(db, ownerEmail)) {
      await reach(() => env.SESSIONS.getByName(sessionId).purge());
    }
  },
  runs: async ({ env, db }, { ownerEmail }) => {
    for (;;) {
      const runIds = await someRunIds(db, ownerEmail, BATCH_SIZE);
      if (runIds.length === 0) return;
      // Stops the loop, ends the streams, and refuses a start that is still on its way.
      await Promise.all(runIds.map((runId) => reach(() => env.RUNS.getByName(runId).purge())));
      await removeRuns(db, ownerEmail, runIds);
    }
  },
  workspace: async ({ env }, { ownerEmail, requestedAtMs }) => {
    await reach(
      async () => await (await workspaceObjectOf(env.WORKSPACES, ownerEmail)).purge(requestedAtMs + SETTLE_MS),
    );
  },
  rows: ({ db }, { ownerEmail }) => removeOwnerRows(db, ownerEmail),
  user: ({ db }, { ownerEmail }) => removeUser(db, ownerEmail),
} satisfies Record<string, Step>;

/** A step of a deletion. */
export type DeletionStep = keyof typeof STEPS;

/** Their names, in order. */
export const DELETION_STEPS = ["sessions", "runs", "workspace", "rows", "user"] as const satisfies DeletionStep[];

/** Goes on with a deletion. True once it is over. `before` is told of each step; when it rejects, so does this. */
export const continueDeletion = async (
  env: Env,
  deletion: AccountDeletion,
  nowMs: number,
  before: (step: DeletionStep) => Promise<void> = async () => {},
): Promise<boolean> => {
  const db = openDb(env.DB);
  for (const step of DELETION_STEPS) {
    await before(step);
    await STEPS[step]({ env, db }, deletion);
  }
  if (nowMs - deletion.requestedAtMs < SETTLE_MS) return false;
  await endDeletion(db, deletion.ownerEmail);
  return true;
};

/** Whether an account is open to its owner. Ends a deletion that is due: the cron may not have come yet. */
export const isAccountOpen = async (
  env: Env,
  deletion: AccountDeletion | undefined,
  nowMs: number,
): Promise<boolean> => {
  if (deletion === undefined) return true;
  return nowMs - deletion.requestedAtMs >= SETTLE_MS && (await continueDeletion(env, deletion, nowMs));
};

/** The owner's e-mail in a log line would be personal; the line says which deletion by its time. */
export const logCutOff = ({ requestedAtMs }: { readonly requestedAtMs: number }, error: unknown): void =>
  console.error(
    JSON.stringify({
      level: "error",
      message: "A deletion was cut off. It goes on within a minute.",
      requestedAt: new Date(requestedAtMs).toISOString(),
      error: String(error),
    }),
  );
