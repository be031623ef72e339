/** What the cron trigger does each minute. */
import { listDeletions } from "../auth/account-deletions.ts";
import { dropOld } from "../auth/drop-old.ts";
import { openDb } from "../db/db.ts";
import { dropExpired } from "../db/drop-expired.ts";
import { purgeTrash } from "../db/purge-trash.ts";
import type { Env } from "../env.ts";
import { refreshOldModels } from "../turn/refresh-models.ts";
import { continueDeletion, logCutOff } from "./delete-account.ts";

/** Goes on with every deletion, one after the other; one that fails holds up no other. The provider comes last: it may take its time. */
export const runScheduled = async (env: Env, nowMs: number): Promise<void> => {
  const db = openDb(env.DB);
  for (const deletion of await listDeletions(db)) {
    await continueDeletion(env, deletion, nowMs).catch((error: unknown) => logCutOff(deletion, error));
  }
  await dropOld(db, nowMs);
  await dropExpired(db, nowMs);
  await purgeTrash(db, nowMs);
  await refreshOldModels(env, db, nowMs);
};
