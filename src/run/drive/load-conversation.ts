/**
 * Loads the thread's conversation from its session, which is how a turn resumes without a replay. Newest turns come first, and
 * only as many as a request could hold: a thread that is years old must not fill the memory of an object.
 */
import type { HarnessSessionId } from "../../contract/ids.ts";
import { log } from "../../contract/log.ts";
import type { Env } from "../../env.ts";
import type { HarnessAdapter, ResumedThread } from "../../harness/adapter.ts";
import { MAX_LOADED_LENGTH, NOTHING_STORED, type StoredConversation } from "../../harness/stored-conversation.ts";
import { reach } from "../../objects/reach.ts";
import type { ConversationHead, StoredBlock } from "../../session/conversation-store.ts";
import type { Report } from "../../session/report.ts";
import type { LoadedPage } from "../../session/session-wire.ts";

/** Who loads it: a run, or whoever else holds the session's place. */
export type Loader = {
  readonly sessionId: HarnessSessionId;
  /** The harness of the session. */
  readonly harness: HarnessAdapter;
  readonly holder: string;
  readonly grant: number;
};

/** A thread as its harness resumes it, and what happened to it that no run has reported yet. */
export type LoadedConversation = {
  readonly thread: ResumedThread;
  readonly reports: readonly Report[];
  /** Runs whose turns are not sent any more. */
  readonly leftOut: readonly string[];
  /** The conversation could not be read, so the thread begins without it. */
  readonly isLost?: boolean;
};

/**
 * The thread, or undefined when the grant is out of date. A conversation that cannot be read is left
 * behind in a closed epoch and the turn starts without one: a turn must never fail because of that.
 *
 * @throws {AppError} 503 when the session cannot be reached.
 */
export const loadConversation = async (env: Env, loader: Loader): Promise<LoadedConversation | undefined> => {
  const session = () => env.SESSIONS.getByName(loader.sessionId);
  const { harness, holder, grant } = loader;
  const blocks: StoredBlock[] = [];
  let head: ConversationHead | undefined;
  let before: number | null = null;
  let length = 0;
  let stored: StoredConversation;
  do {
    const page: LoadedPage | undefined = await reach(async () => await session().load(holder, grant, before));
    if (page === undefined) return undefined;
    head ??= page.head;
    blocks.push(...page.blocks);
    length += page.blocks.reduce((sum, { body }) => sum + body.length, 0);
    before = page.nextBefore;
    stored = { ...NOTHING_STORED, ...head, rows: blocks.toReversed(), isCut: before !== null };
  } while (
    stored.isCut &&
    (length < MAX_LOADED_LENGTH || !hasWholeTurn(blocks)) &&
    harness.hasEnough?.(stored) !== true
  );
  const leftOut = Object.keys(stored.omitted);
  try {
    return { thread: harness.resume(stored), reports: [...(head?.notices ?? []), ...(head?.bills ?? [])], leftOut };
  } catch (error) {
    const { sessionId } = loader;
    log.error("Unreadable conversation.", { sessionId, error });
    const key = `${holder}:unreadable`;
    const report = await reach(async () => await session().startEpoch(holder, grant, key, [], UNREADABLE));
    const reports = report === undefined ? [] : [report];
    return { thread: harness.resume(NOTHING_STORED), reports, leftOut, isLost: true };
  }
};

/** Whether these rows are of more than one turn, so that the newest one is whole. */
const hasWholeTurn = (blocks: readonly StoredBlock[]): boolean =>
  blocks.some(({ runId }) => runId !== blocks[0]?.runId);

const UNREADABLE = "The earlier conversation could not be read, so the model starts without it.";
