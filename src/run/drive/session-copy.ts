/** The copy of a harness's own file, in the session of a run. */
import type { Env } from "../../env.ts";
import type { SessionCopy } from "../../harness/adapter.ts";
import { reach } from "../../objects/reach.ts";
import { isLive } from "../run-state.ts";
import type { Ledger } from "../store/ledger.ts";

/** For the current grant of the run. */
export const sessionCopy = (env: Env, ledger: Ledger): SessionCopy => {
  const { runId, sessionId } = ledger.record().spec;
  const session = () => env.SESSIONS.getByName(sessionId);
  return {
    size: async () => (await reach(async () => await session().copied(Number.MAX_SAFE_INTEGER))).size,
    piece: async (offset) => (await reach(async () => await session().copied(offset))).piece,
    add: async (offset, bytes) => {
      const state = ledger.runs.find()?.state;
      if (state === undefined || !isLive(state)) return false;
      const { grant } = state;
      return await reach(async () => await session().addCopy(runId, grant, { offset, bytes }));
    },
  };
};
