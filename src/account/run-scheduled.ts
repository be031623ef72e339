/** What the cron trigger does each minute. */
import { dropOld, listDeletions } from "../auth/sign-in-rows.ts";
import { isOfFront } from "../contract/local/front-header.ts";
import { log } from "../contract/log.ts";
import { openDb } from "../db/db.ts";
import { dropExpired, purgeTrash } from "../db/drop-expired.ts";
import { dropOldNotices } from "../db/notices/outbox.ts";
import type { Env } from "../env.ts";
import { sendDueNotices } from "../notice/send-due.ts";
import { tellTargetHits } from "../notice/tell-target-hits.ts";
import { refreshRates } from "../quotes/fx/refresh-rates.ts";
import { wakeForTargets } from "../quotes/wake-targets.ts";
import { deleteNotedSessions } from "../run/host/purge-session.ts";
import { startDue } from "../schedule/start-due.ts";
import { dropLostForks } from "../thread/drop-branch.ts";
import { refreshOldModels } from "../turn/model-choice.ts";
import { continueDeletion, logCutOff } from "./delete-account.ts";

/** A cron trigger's call. Under the dev command, only its own calls count, which name the secret of this start as their expression. */
export const runCron = async (env: Env, cron: string): Promise<void> => {
  if (isOfFront(cron, env.FRONT_SECRET)) await runScheduled(env, Date.now());
};

/**
 * Does all that is due this minute, deletions first. Whatever fails before old rows are dropped holds up nothing else. The model's
 * provider and the sources come last, because they may be slow.
 */
export const runScheduled = async (env: Env, nowMs: number): Promise<void> => {
  const db = openDb(env.DB);
  for (const deletion of await listDeletions(db)) {
    await continueDeletion(env, deletion, nowMs).catch((error: unknown) => logCutOff(deletion, error));
  }
  // What fails here must not keep the rest from being done, nor the other way round.
  await startDue(env, nowMs).catch((error: unknown) => log.error("The schedules were not started.", { error }));
  await tellTargetHits(env, nowMs).catch((error: unknown) => log.error("Target hits were not told.", { error }));
  await sendDueNotices(env, nowMs).catch((error: unknown) => log.error("The notices were not sent.", { error }));
  await deleteNotedSessions(env, nowMs).catch((error: unknown) =>
    log.error("Sessions on a host were not deleted.", { error }),
  );
  await dropLostForks(env, db, nowMs).catch((error: unknown) =>
    log.error("Copies of chats were not deleted.", { error }),
  );
  await dropOldNotices(db, nowMs);
  await dropOld(db, nowMs);
  await dropExpired(db, nowMs);
  await purgeTrash(db, nowMs);
  await refreshOldModels(env, db, nowMs);
  await refreshRates(env, db, nowMs);
  await wakeForTargets(env, nowMs);
};
