/** The keeper of a turn's state: what the session has to know goes there first, then the run tells of it. */
import type { Env } from "../env.ts";
import type { ConversationTurn, TurnState } from "../harness/conversation.ts";
import { Superseded } from "../harness/journal.ts";
import type { NewCompaction, TurnKeeper } from "../harness/turn-keeper.ts";
import type { Notice } from "../session/conversation-store.ts";
import type { Ledger } from "./ledger.ts";
import { tell } from "./notices.ts";
import { reach } from "./reach.ts";
import { isLive } from "./run-state.ts";

/** The keeper of the attempt that is running now. */
export const runKeeper = (env: Env, ledger: Ledger): TurnKeeper => {
  const { attempt } = ledger.record().attempts;
  const { runId, sessionId } = ledger.record().spec;
  const session = () => env.SESSIONS.getByName(sessionId);
  /** The grant of this attempt. @throws {Superseded} */
  const grant = (): number => {
    const record = ledger.runs.find();
    if (record === undefined || !isLive(record.state) || record.attempts.attempt !== attempt) throw new Superseded();
    return record.state.grant;
  };
  /** What the session does once, however often it is asked: the next thing of this run that is told. */
  const keyOf = (state: TurnState): string => `${runId}:${state.told.length}`;
  const told = (notice: Notice | undefined, state: TurnState): TurnState => {
    if (notice === undefined) throw new Superseded();
    grant();
    ledger.commit(() => tell(ledger, [notice], state));
    return ledger.turnState.find() ?? state;
  };
  return {
    save: async (state) => {
      grant();
      ledger.commit(() => {
        ledger.turnState.save(state);
        return [];
      });
    },
    saveCompaction: async (compaction: NewCompaction, state) => {
      const held = grant();
      const key = keyOf(state);
      return told(await reach(async () => await session().saveCompaction(runId, held, key, compaction)), state);
    },
    startEpoch: async (turns: readonly ConversationTurn[], reason, state) => {
      const held = grant();
      const key = keyOf(state);
      return told(await reach(async () => await session().startEpoch(runId, held, key, turns, reason)), state);
    },
  };
};
