/**
 * Loads the thread's conversation from its session: this is how a turn resumes without a replay. Newest turns come first,
 * and only as many as a request could hold: a thread of years must not fill the memory of an object.
 */
import type { HarnessSessionId, RunId } from "../contract/ids.ts";
import type { Env } from "../env.ts";
import type { ConversationTurn, ResumeState } from "../harness/fit-conversation.ts";
import { Message } from "../model/messages.ts";
import type { BlockPage, StoredBlock } from "../session/conversation-store.ts";
import { reach } from "./reach.ts";

/** Length of stored blocks after which no older turn is loaded, in UTF-16 units: twice what a request can hold. */
const MAX_LOADED_LENGTH = 1_000_000;

/**
 * The earlier turns, oldest first, or undefined when the run's grant is old. A conversation that cannot be read is left
 * behind in a closed epoch and the turn starts with none: it must never fail for that.
 *
 * @throws {AppError} 503 when the session cannot be reached.
 */
export const loadConversation = async (
  env: Env,
  run: { readonly sessionId: HarnessSessionId; readonly runId: RunId; readonly grant: number },
): Promise<ResumeState | undefined> => {
  const session = () => env.SESSIONS.getByName(run.sessionId);
  const blocks: StoredBlock[] = [];
  let before: number | null = null;
  let length = 0;
  do {
    const page: BlockPage | undefined = await reach(async () => await session().load(run.runId, run.grant, before));
    if (page === undefined) return undefined;
    blocks.push(...page.blocks);
    length += page.blocks.reduce((sum, { body }) => sum + body.length, 0);
    before = page.nextBefore;
  } while (before !== null && length < MAX_LOADED_LENGTH);
  try {
    const turns = turnsOf(blocks.toReversed());
    // Where loading stopped, the oldest turn may be there in part only.
    return before === null ? { turns, hasOlder: false } : { turns: turns.slice(1), hasOlder: true };
  } catch (error) {
    const { sessionId } = run;
    console.error(
      JSON.stringify({ level: "error", message: "Unreadable conversation.", sessionId, error: String(error) }),
    );
    await reach(async () => await session().startEpoch(run.runId, run.grant));
    return { turns: [], hasOlder: false };
  }
};

const turnsOf = (blocks: readonly StoredBlock[]): ConversationTurn[] =>
  [...Map.groupBy(blocks, ({ runId }) => runId).values()].map((turn) => ({
    model: turn[0]?.model ?? "",
    messages: [...Map.groupBy(turn, ({ message }) => message).values()].map((rows) =>
      Message.parse({ role: rows[0]?.role, content: rows.map(({ body }) => JSON.parse(body)) }),
    ),
  }));
