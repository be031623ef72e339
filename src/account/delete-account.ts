/**
 * Deletes everything a person has. Each step can be repeated, and finds its work by what is left, so a deletion that was
 * interrupted continues at the next minute's cron. The row that drives it is deleted last.
 */
import { type AccountDeletion, endDeletion, removeUser } from "../auth/sign-in-rows.ts";
import { sha256Hex } from "../contract/digest.ts";
import { log } from "../contract/log.ts";
import { type Db, openDb } from "../db/db.ts";
import { listSessionIds, removeOwnerRows, someRunIds } from "../db/owner-rows.ts";
import { removeScope } from "../db/prices/instruments.ts";
import { removeRuns } from "../db/threads.ts";
import type { Env } from "../env.ts";
import { reach } from "../objects/reach.ts";
import { purgeSession } from "../run/host/purge-session.ts";
import { searchOf } from "../search/search-rpc.ts";
import { workspaceObjectOf } from "../workspace/durable/durable-workspace.ts";

/**
 * How long after the request everything is deleted once more, in ms. A request that had already passed its checks may have
 * written since; none takes this long. The account stays closed meanwhile.
 */
export const SETTLE_MS = 2 * 60_000;

/** Runs purged at the same time. */
const BATCH_SIZE = 20;

type Step = (world: { readonly env: Env; readonly db: Db }, deletion: AccountDeletion) => Promise<void>;

/** The steps in order. Sessions come first: a run that ends must not let the next one start. */
const STEPS = {
  sessions: async ({ env, db }, { ownerEmail }) => {
    for (const sessionId of await listSessionIds(db, ownerEmail)) await purgeSession(env, db, sessionId);
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
  search: async ({ env }, { ownerEmail, requestedAtMs }) => {
    const { stub } = await searchOf(env.SEARCH, ownerEmail);
    await reach(async () => await stub.purge(requestedAtMs + SETTLE_MS));
  },
  workspace: async ({ env }, { ownerEmail, requestedAtMs }) => {
    await reach(
      async () => await (await workspaceObjectOf(env.WORKSPACES, ownerEmail)).purge(requestedAtMs + SETTLE_MS),
    );
  },
  quotes: async ({ env, db }, { ownerEmail, requestedAtMs }) => {
    // Of the person's own key. What the deployment's key has learned belongs to everybody, so it stays.
    const scope = await sha256Hex(ownerEmail);
    await reach(async () => await env.QUOTES.getByName(scope).purge(requestedAtMs + SETTLE_MS));
    await removeScope(db, scope);
  },
  rows: ({ db }, { ownerEmail }) => removeOwnerRows(db, ownerEmail),
  user: ({ db }, { ownerEmail }) => removeUser(db, ownerEmail),
} satisfies Record<string, Step>;

/** A step of a deletion. */
export type DeletionStep = keyof typeof STEPS;

/** Their names, in order. */
export const DELETION_STEPS = [
  "sessions",
  "runs",
  "search",
  "workspace",
  "quotes",
  "rows",
  "user",
] as const satisfies DeletionStep[];

/** Continues a deletion. True once it is over. `before` is called before each step; when it rejects, so does this. */
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

/** Whether an account is open to its owner. Finishes a deletion that is due: the cron may not have run yet. */
export const isAccountOpen = async (
  env: Env,
  deletion: AccountDeletion | undefined,
  nowMs: number,
): Promise<boolean> => {
  if (deletion === undefined) return true;
  return nowMs - deletion.requestedAtMs >= SETTLE_MS && (await continueDeletion(env, deletion, nowMs));
};

/** Logs it without the owner's e-mail, which would be personal data: the time identifies the deletion. */
export const logCutOff = ({ requestedAtMs }: { readonly requestedAtMs: number }, error: unknown): void =>
  log.error("A deletion was interrupted. It continues within a minute.", {
    requestedAt: new Date(requestedAtMs).toISOString(),
    error,
  });
