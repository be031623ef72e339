/**
 * Loads the thread's conversation from its session: this is how a turn resumes without a replay. Newest turns come first,
 * and only as many as a request could hold: a thread of years must not fill the memory of an object.
 */
import type { HarnessSessionId } from "../contract/ids.ts";
import type { Env } from "../env.ts";
import {
  ConversationFacts,
  type ConversationTurn,
  NO_FACTS,
  type ResumeState,
  textBlock,
} from "../harness/conversation.ts";
import { Message, OpaqueBlock } from "../model/messages.ts";
import type { ConversationHead, Notice, StoredBlock } from "../session/conversation-store.ts";
import type { LoadedPage } from "../session/session-wire.ts";
import { reach } from "./reach.ts";

/**
 * Length of stored blocks after which no older turn is loaded, in UTF-16 units: more than the largest window holds, even where
 * most of it are results that are no longer sent.
 */
const MAX_LOADED_LENGTH = 8_000_000;

/** Who loads: a run, or whoever else has the session's place. */
export type Loader = { readonly sessionId: HarnessSessionId; readonly holder: string; readonly grant: number };

/** A conversation, and what happened to it that no run has told yet. */
export type LoadedConversation = { readonly resumeState: ResumeState; readonly notices: readonly Notice[] };

/**
 * The earlier turns, oldest first, or undefined when the grant is old. A conversation that cannot be read is left behind in a
 * closed epoch and the turn starts with none: it must never fail for that.
 *
 * @throws {AppError} 503 when the session cannot be reached.
 */
export const loadConversation = async (env: Env, loader: Loader): Promise<LoadedConversation | undefined> => {
  const session = () => env.SESSIONS.getByName(loader.sessionId);
  const { holder, grant } = loader;
  const blocks: StoredBlock[] = [];
  let head: ConversationHead | undefined;
  let before: number | null = null;
  let length = 0;
  const isLongEnough = () => {
    const from = factsOf(head).cut.turnsFrom;
    const hasFirst = from !== null && blocks.some(({ runId }) => runId === from) && blocks.at(-1)?.runId !== from;
    return hasFirst || length >= MAX_LOADED_LENGTH;
  };
  do {
    const page: LoadedPage | undefined = await reach(async () => await session().load(holder, grant, before));
    if (page === undefined) return undefined;
    head ??= page.head;
    blocks.push(...page.blocks);
    length += page.blocks.reduce((sum, { body }) => sum + body.length, 0);
    before = page.nextBefore;
  } while (before !== null && !isLongEnough());
  try {
    return { resumeState: resumeStateOf(blocks.toReversed(), head, before !== null), notices: head?.notices ?? [] };
  } catch (error) {
    const { sessionId } = loader;
    console.error(
      JSON.stringify({ level: "error", message: "Unreadable conversation.", sessionId, error: String(error) }),
    );
    const key = `${holder}:unreadable`;
    const notice = await reach(async () => await session().startEpoch(holder, grant, key, [], UNREADABLE));
    const notices = notice === undefined ? [] : [notice];
    return { resumeState: { turns: [], compaction: undefined, hasOlder: false, facts: NO_FACTS }, notices };
  }
};

const UNREADABLE = "The earlier conversation could not be read, so the model starts without it.";

const resumeStateOf = (
  blocks: readonly StoredBlock[],
  head: ConversationHead | undefined,
  isCut: boolean,
): ResumeState => {
  const facts = factsOf(head);
  const compaction = head?.compaction ? OpaqueBlock.parse(JSON.parse(head.compaction)) : undefined;
  const turns = turnsOf(blocks, head?.omitted ?? {});
  const first = turns.findIndex(({ runId }) => runId === facts.cut.turnsFrom);
  if (first >= 0) return { turns: turns.slice(first), compaction, hasOlder: true, facts };
  if (!isCut) return { turns, compaction, hasOlder: false, facts };
  // Where loading stopped, the oldest turn may be there in part only. Half of the turns are let go with it: else each further
  // turn would push another one out, and no two requests would begin alike.
  const kept = turns.slice(Math.ceil(turns.length / 2));
  const cut = { ...facts.cut, turnsFrom: kept[0]?.runId ?? null };
  return { turns: kept, compaction, hasOlder: true, facts: { ...facts, cut } };
};

/** The facts; none where another release has written them: the conversation holds without, and its thinking may be dropped. */
const factsOf = (head: ConversationHead | undefined): ConversationFacts =>
  ConversationFacts.safeParse(head?.facts ? JSON.parse(head.facts) : undefined).data ?? NO_FACTS;

const turnsOf = (blocks: readonly StoredBlock[], omitted: Readonly<Record<string, string>>): ConversationTurn[] =>
  [...Map.groupBy(blocks, ({ runId }) => runId)].map(([runId, turn]) => {
    const model = turn[0]?.model ?? "";
    const line = omitted[runId];
    return { runId, model, messages: line === undefined ? messagesOf(turn) : [inItsPlace(line)] };
  });

const messagesOf = (blocks: readonly StoredBlock[]): Message[] =>
  [...Map.groupBy(blocks, ({ message }) => message).values()].map((rows) =>
    Message.parse({ role: rows[0]?.role, content: rows.map(({ body }) => JSON.parse(body)) }),
  );

const inItsPlace = (line: string): Message => ({ role: "user", content: [textBlock(line)] });
