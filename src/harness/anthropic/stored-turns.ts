/** Turns as a session stores them: one row for each content block, so that no row comes near SQLite's 2 MB. */
import * as z from "zod";
import { parseJson } from "../../contract/parse-json.ts";
import { Message, OpaqueBlock } from "../../model/messages.ts";
import type { SaidTurn } from "../adapter.ts";
import type { StoredConversation, StoredRow, TurnRows } from "../stored-conversation.ts";
import {
  ConversationFacts,
  type ConversationTurn,
  type Cut,
  Guidance,
  NO_CUT,
  NO_FACTS,
  type ResumeState,
  textBlock,
} from "./conversation.ts";
import { holdsInstructions } from "./open-turn.ts";

/** The rows of a turn. */
export const turnRows = ({ runId, model, messages }: ConversationTurn): TurnRows => ({
  runId,
  model,
  rows: messages.flatMap(({ role, content }, message) =>
    content.map((block) => ({ message, role, body: JSON.stringify(block) })),
  ),
});

/** Whether everything that is not left out is loaded, and one older turn, so that the oldest turn that is sent is complete. */
export const hasEnough = ({ rows, facts, isRewound }: StoredConversation): boolean => {
  const { cut } = factsOf(facts);
  const { turnsFrom } = isRewound ? cutBehind(cut, rows) : cut;
  return turnsFrom !== null && rows[0]?.runId !== turnsFrom && rows.some(({ runId }) => runId === turnsFrom);
};

/** The conversation that these rows contain. @throws {Error} when they cannot be read. */
export const resumeStateOf = ({ rows, isCut, ...stored }: StoredConversation): ResumeState => {
  const summary = stored.compaction ? StoredSummary.parse(parseJson(stored.compaction)) : undefined;
  const turns = turnsOf(rows, stored.omitted);
  const facts = stored.isRewound ? rewoundFacts(factsOf(stored.facts), turns) : factsOf(stored.facts);
  const first = turns.findIndex(({ runId }) => runId === facts.cut.turnsFrom);
  const compaction: OpaqueBlock | undefined = summary && { type: summary.type, block: summary.block };
  const before = { compaction, guidance: summary?.guidance };
  // The oldest turn may have been loaded only in part.
  if (first > 0 || (first === 0 && !isCut)) return { turns: turns.slice(first), ...before, hasOlder: true, facts };
  if (!isCut) return { turns, ...before, hasOlder: false, facts };
  // Half of the turns are dropped with the incomplete one: otherwise each further turn would push out one more, and no two requests would
  // begin alike.
  const kept = turns.slice(Math.ceil(turns.length / 2));
  const cut = { ...facts.cut, turnsFrom: kept[0]?.runId ?? null };
  return { turns: kept, ...before, hasOlder: true, facts: { ...facts, cut } };
};

/** Summaries of earlier releases have no guidance. */
const StoredSummary = OpaqueBlock.extend({ guidance: Guidance.exactOptional() });

/** The facts, or none if another release wrote them: the conversation still works, but its thinking may be dropped. */
const factsOf = (facts: string | null): ConversationFacts =>
  ConversationFacts.safeParse(facts === null ? undefined : parseJson(facts)).data ?? NO_FACTS;

/** Some project instructions were given in a turn that is sent, but it is not known which: the current ones are given again. */
const UNKNOWN_INSTRUCTIONS = "unknown";

/**
 * The facts once the newest turns are no longer sent. The stored size is that of a longer conversation, so it is estimated again. What
 * those turns said of project instructions and undone changes is gone with them, and so is what was left out or learned for them, perhaps
 * with another model. The other thinking stays valid, because it precedes the turns that were removed. If a cut goes with those turns,
 * thinking may already be dropped.
 */
const rewoundFacts = (
  { noSummaryAt: _, ...facts }: ConversationFacts,
  turns: readonly ConversationTurn[],
): ConversationFacts => {
  const areSaid = turns.some(({ messages }) => messages.some(holdsInstructions));
  const instructionsHash = facts.instructionsHash ?? (areSaid ? UNKNOWN_INSTRUCTIONS : null);
  const cut = cutBehind(facts.cut, turns);
  // A limit is learned only together with a cut. So what was learned of sizes goes with the cut.
  const maxBytes = cut === NO_CUT ? null : facts.maxBytes;
  return { ...facts, cut, maxBytes, inputTokens: 0, instructionsHash, undoneUpToMs: 0 };
};

/** The cut, if the turn for which it was made is among these turns or rows; otherwise none. */
const cutBehind = (cut: Cut, left: readonly { readonly runId: string }[]): Cut =>
  left.some(({ runId }) => runId === cut.by) ? cut : NO_CUT;

const turnsOf = (rows: readonly StoredRow[], omitted: Readonly<Record<string, string>>): ConversationTurn[] =>
  [...Map.groupBy(rows, ({ runId }) => runId)].map(([runId, turn]) => {
    const model = turn[0]?.model ?? "";
    const line = omitted[runId];
    return { runId, model, messages: line === undefined ? messagesOf(turn) : [inItsPlace(line, turn)] };
  });

const messagesOf = (rows: readonly StoredRow[]): Message[] =>
  [...Map.groupBy(rows, ({ message }) => message).values()].map((blocks) =>
    Message.parse({ role: blocks[0]?.role, content: blocks.map(({ body }) => parseJson(body)) }),
  );

/** The line, with the guidance that its turn repeated: the message that first gave it may not be loaded. */
const inItsPlace = (line: string, rows: readonly StoredRow[]): Message => {
  const [holds] = rows.flatMap(({ body }) => Holding.safeParse(parseJson(body)).data?.holds ?? []);
  return { role: "user", content: [{ ...textBlock(line), ...(holds && { holds }) }] };
};

const Holding = z.object({ type: z.literal("text"), isOurs: z.literal(true), holds: Guidance });

/** What was said in a conversation: what the person wrote, and the last message of each answer. */
export const saidTurns = ({ turns }: ResumeState): SaidTurn[] =>
  turns.map(({ runId, messages }) => ({
    runId,
    prompt: saidIn(messages.filter(({ role }) => role === "user")),
    answer: saidIn(messages.filter(({ role }) => role === "assistant").slice(-1)),
  }));

const saidIn = (messages: readonly Message[]): string =>
  messages
    .flatMap(({ content }) => content)
    .flatMap((block) => (block.type === "text" && block.isOurs !== true ? [block.text] : []))
    .join("\n\n");
