/** What the cron trigger does each minute. */
import { tidyOrganizations } from "../auth/organizations.ts";
import { dropOld, listDeletions } from "../auth/sign-in-rows.ts";
import { isOfFront } from "../contract/local/front-header.ts";
import { log } from "../contract/log.ts";
import { type Db, openDb } from "../db/db.ts";
import { dropExpired, purgeTrash } from "../db/deletion/drop-expired.ts";
import { deleteOldNotices } from "../db/notices/outbox.ts";
import { dropUnusedListings } from "../db/prices/unused-listings.ts";
import type { Env } from "../env.ts";
import { sendDueNotices } from "../notice/send-due.ts";
import { tellTargetHits } from "../notice/tell-target-hits.ts";
import { refreshRates } from "../quotes/fx/refresh-rates.ts";
import { wakeForTargets } from "../quotes/wake-targets.ts";
import { deleteNotedSessions } from "../run/host/purge-session.ts";
import { startDue } from "../schedule/start-due.ts";
import { continueThreadDeletions } from "../thread/delete-thread.ts";
import { dropLostForks } from "../thread/drop-branch.ts";
import { refreshOldModels } from "../turn/model-choice.ts";
import { continueDeletion, logCutOff } from "./delete-account.ts";

/** A cron trigger's call. Under the dev command, only its own calls count. They have the secret of this start as their expression. */
export const runCron = async (env: Env, cron: string): Promise<void> => {
  if (isOfFront(cron, env.FRONT_SECRET)) await runMinute(env, Date.now());
};

/**
 * Does all that is due this minute, each step by itself: a failure does not keep others from being done. What people wait for comes
 * first. Deletions take the longest, so they come after that. The model's provider and the sources come last, because they may be slow.
 */
export const runMinute = async (env: Env, nowMs: number): Promise<void> => {
  const db = openDb(env.DB);
  const startMs = Date.now();
  const step = (failure: string, work: () => Promise<unknown>): Promise<unknown> =>
    work().catch((error: unknown) => log.error(failure, { error }));
  await step("The schedules were not started.", () => startDue(env, nowMs));
  await step("Target hits were not told.", () => tellTargetHits(env, nowMs));
  await step("The notices were not sent.", () => sendDueNotices(env, nowMs + Date.now() - startMs));
  await step("Accounts were not deleted.", () => continueDeletions(env, db, nowMs));
  await step("Chats were not deleted.", () => continueThreadDeletions(env, nowMs));
  await step("Sessions on a host were not deleted.", () => deleteNotedSessions(env, nowMs));
  await step("Copies of chats were not deleted.", () => dropLostForks(env, db, nowMs));
  await step("Old notices were not deleted.", () => deleteOldNotices(db, nowMs));
  await step("Old log-ins were not deleted.", () => dropOld(db, nowMs));
  await step("Organizations were not tidied.", () => tidyOrganizations(db, nowMs));
  await step("Old keys were not deleted.", () => dropExpired(db, nowMs));
  await step("The trash was not emptied.", () => purgeTrash(db, nowMs));
  await step("Unused listings were not deleted.", () => dropUnusedListings(db, nowMs));
  await step("The models were not refreshed.", () => refreshOldModels(env, db, nowMs));
  await step("The exchange rates were not refreshed.", () => refreshRates(env, db, nowMs));
  await step("Targets were not watched.", () => wakeForTargets(env, nowMs));
};

/** One pass of each deletion, oldest first. One that fails holds up no other. */
const continueDeletions = async (env: Env, db: Db, nowMs: number): Promise<void> => {
  for (const deletion of await listDeletions(db)) {
    await continueDeletion(env, deletion, nowMs).catch((error: unknown) => logCutOff(deletion, error));
  }
};
