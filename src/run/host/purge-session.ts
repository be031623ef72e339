/** Deletes sessions, with what their harness keeps of them on a person's own machine, which may be away for weeks. */
import { log } from "../../contract/log.ts";
import { type Db, openDb } from "../../db/db.ts";
import {
  dueHostSessions,
  noteHostSessions,
  putOffHostSessions,
  settleHostSessions,
} from "../../db/host/host-deletions.ts";
import type { Env } from "../../env.ts";
import { hostSessionsIn } from "../../harness/registry.ts";
import { reach } from "../../objects/reach.ts";
import { WorkspaceError } from "../../workspace/workspace.ts";
import { loadDriving } from "../load-driving.ts";

/** Deletes a session. What is to be deleted on a host is noted before the object that knows of it is emptied. */
export const purgeSession = async (env: Env, db: Db, sessionId: string): Promise<void> => {
  const session = () => env.SESSIONS.getByName(sessionId);
  const facts = await reach(async () => await session().allFacts());
  await noteHostSessions(db, await hostSessionsIn(facts), Date.now());
  await reach(() => session().purge());
};

/** Deletes on the host what is noted and due. Repeating it changes nothing. A host that is away is asked again later. */
export const deleteNotedSessions = async (env: Env, nowMs: number): Promise<void> => {
  const db = openDb(env.DB);
  const due = await dueHostSessions(db, nowMs);
  if (due.length === 0) return;
  try {
    const host = (await loadDriving()).findServedHost(env);
    if (host === undefined) return await putOffHostSessions(db, nowMs);
    await host.deleteSessions(due);
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    log.warn("A host did not delete its sessions.", { error: error.message });
    return await putOffHostSessions(db, nowMs);
  }
  await settleHostSessions(db, due, nowMs);
};
