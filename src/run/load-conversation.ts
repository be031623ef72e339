/** Loads the thread's conversation from its session, page by page: this is how a turn resumes without a replay. */
import type { HarnessSessionId, RunId } from "../contract/ids.ts";
import type { Env } from "../env.ts";
import type { ConversationTurn } from "../harness/fit-conversation.ts";
import { Message } from "../model/messages.ts";
import type { BlockPage, StoredBlock } from "../session/conversation-store.ts";

/**
 * The earlier turns, oldest first, or undefined when the run's grant is old. A conversation that cannot be read is left
 * behind in a closed epoch and the turn starts with none: it must never fail for that.
 */
export const loadConversation = async (
  env: Env,
  run: { readonly sessionId: HarnessSessionId; readonly runId: RunId; readonly grant: number },
): Promise<ConversationTurn[] | undefined> => {
  const session = env.SESSIONS.getByName(run.sessionId);
  const blocks: StoredBlock[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const page: BlockPage | undefined = await session.load(run.runId, run.grant, after);
    if (page === undefined) return undefined;
    blocks.push(...page.blocks);
    after = page.nextAfter;
  }
  try {
    return turnsOf(blocks);
  } catch (error) {
    console.error(
      JSON.stringify({
        level: "error",
        message: "Unreadable conversation.",
        sessionId: run.sessionId,
        error: String(error),
      }),
    );
    await session.startEpoch(run.runId, run.grant);
    return [];
  }
};

const turnsOf = (blocks: readonly StoredBlock[]): ConversationTurn[] =>
  [...Map.groupBy(blocks, ({ runId }) => runId).values()].map((turn) => ({
    model: turn[0]?.model ?? "",
    messages: [...Map.groupBy(turn, ({ message }) => message).values()].map((rows) =>
      Message.parse({ role: rows[0]?.role, content: rows.map(({ body }) => JSON.parse(body)) }),
    ),
  }));
