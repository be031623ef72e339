/** Shortening, over any conversation the loop can leave and any room: what is sent is valid, small enough, and only grows. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ConversationTurn } from "../../../src/harness/anthropic/conversation.ts";
import { repairTurn } from "../../../src/harness/anthropic/keep-turn.ts";
import {
  type SentConversation,
  sentMessages,
  shorten,
  sizeOfConversation,
} from "../../../src/harness/anthropic/shorten-conversation.ts";
import { toMessagesParams } from "../../../src/model/anthropic/anthropic-request.ts";
import type { ContentBlock, Message } from "../../../src/model/messages.ts";
import { whereItDiffers } from "../../support/append-only.ts";
import { ask } from "../../support/ask-model.ts";
import { cutTurn, wholeTurn } from "../../support/conversation-arbitrary.ts";
import { requestProblem } from "../../support/model-server/messages-api-rules.ts";
import { conversationOf, resultsOf, textsOf } from "../../support/sample-turns.ts";

const SUMMARY: ContentBlock = { type: "opaque", block: { type: "compaction", content: "So far.", signature: "c2ln" } };
const REMOVED = "[result removed]";

/** Two sentences that say what is left out. */
const NOTICE_BYTES = 250;

const turn = (runId: string, messages: readonly Message[]): ConversationTurn => ({
  runId,
  model: "claude-sonnet-5-5",
  messages: repairTurn(messages),
});

const earlierTurns = fc
  .nat(5)
  .chain((count) =>
    fc.tuple(...Array.from({ length: count }, (_, at) => cutTurn(`t${at}`).map((m) => turn(`t${at}`, m)))),
  );

/** A conversation as a step of its newest turn sends it. */
const conversation: fc.Arbitrary<SentConversation> = fc
  .tuple(earlierTurns, wholeTurn("now"), fc.boolean(), fc.boolean())
  .map(([earlier, current, isSummarized, hasOlder]) =>
    conversationOf([...earlier, turn("now", current)], { compaction: isSummarized ? SUMMARY : undefined, hasOlder }),
  );

/** A share of the conversation's own size, in percent. */
const room = fc.nat(250);

const maxBytesOf = (sent: SentConversation, percent: number): number =>
  Math.floor((sizeOfConversation(sent) * percent) / 100);

/** The conversation, shortened once for each of these. */
const shortenedBy = (given: SentConversation, percents: readonly number[]): SentConversation => {
  let { cut } = given;
  for (const percent of percents) cut = shorten({ ...given, cut }, maxBytesOf({ ...given, cut }, percent));
  return { ...given, cut };
};

/** The conversation when only so many messages of the running turn were there, the last of them the person's or results. */
const earlierStep = (given: SentConversation, at: number): SentConversation => {
  const current = given.turns.at(-1);
  const ends = (current?.messages ?? []).flatMap(({ role }, index) => (role === "user" ? [index + 1] : []));
  const end = ends[at % ends.length];
  return {
    ...given,
    turns: given.turns.map((one) => (one === current ? { ...one, messages: one.messages.slice(0, end) } : one)),
  };
};

const wireOf = (given: SentConversation) => toMessagesParams(ask("", { messages: sentMessages(given) })).messages;

describe("any conversation, shortened any number of times,", () => {
  const shortened = fc
    .tuple(conversation, fc.array(room, { maxLength: 3 }))
    .map(([given, percents]) => shortenedBy(given, percents));

  it("is sent as one the API accepts, roles alternating, behind a summary where there is one", () => {
    fc.assert(
      fc.property(shortened, (given) => {
        const messages = wireOf(given);
        const headers = { "anthropic-beta": "compact-2026-09-04" };
        const body = { model: "claude-sonnet-5-5", max_tokens: 1, stream: true, messages };
        expect(requestProblem(body, { headers, off: ["prefill"] })).toBeUndefined();
        const first = given.compaction === undefined ? 0 : 1;
        const roles = messages.map((_, index) => ((index + first) % 2 === 0 ? "user" : "assistant"));
        expect(messages.map(({ role }) => role)).toEqual(roles);
      }),
    );
  });

  it("ends with what the model has not seen, whole", () => {
    fc.assert(
      fc.property(shortened, (given) => {
        const newest = given.turns.at(-1)?.messages.at(-1)?.content ?? [];
        const sent = sentMessages(given).flatMap(({ content }) => content);
        expect(sent.slice(-newest.length)).toEqual(newest);
      }),
    );
  });

  it("has lost its results from the oldest on, and all of them but the newest before anything that was said", () => {
    fc.assert(
      fc.property(shortened, (given) => {
        const sent = sentMessages(given);
        const unseen = resultsOf(given.turns.at(-1)?.messages.slice(-1) ?? []);
        const seen = resultsOf(sent).slice(0, resultsOf(sent).length - unseen.length);
        const firstWhole = seen.findIndex((result) => result.length > REMOVED.length);
        expect(firstWhole < 0 || seen.lastIndexOf(REMOVED) < firstWhole).toBe(true);
        const said = textsOf(given.turns.flatMap(({ messages }) => messages));
        expect(firstWhole < 0 || said.every((words) => textsOf(sent).includes(words))).toBe(true);
      }),
    );
  });

  it("is left as it was in the store", () => {
    fc.assert(
      fc.property(conversation, room, (given, percent) => {
        const before = structuredClone(given);
        sentMessages(shortenedBy(given, [percent]));
        expect(given).toEqual(before);
      }),
    );
  });
});

describe("a shortening", () => {
  it("reaches half of the room where that can be reached, and fits into it where it can at all", () => {
    fc.assert(
      fc.property(conversation, room, (given, percent) => {
        const maxBytes = maxBytesOf(given, percent);
        const leastBytes = sizeOfConversation(shortenedBy(given, [0]));
        const size = sizeOfConversation(shortenedBy(given, [percent]));
        if (leastBytes <= maxBytes / 2) expect(size).toBeLessThanOrEqual(maxBytes / 2);
        else if (leastBytes <= maxBytes) expect(size).toBeLessThanOrEqual(maxBytes);
        else expect(size).toBeLessThanOrEqual(leastBytes);
      }),
    );
  });

  it("brings back nothing that was left out before", () => {
    fc.assert(
      fc.property(conversation, room, room, (given, first, second) => {
        const once = shortenedBy(given, [first]);
        expect(sizeOfConversation(shortenedBy(once, [second]))).toBeLessThanOrEqual(
          sizeOfConversation(once) + NOTICE_BYTES,
        );
      }),
    );
  });
});

describe("as long as the cut stays where it is, a request begins with the one before it:", () => {
  it("at the next step of the turn", () => {
    fc.assert(
      fc.property(conversation, room, fc.nat(), (given, percent, at) => {
        const before = shortenedBy(earlierStep(given, at), [percent]);
        const after = { ...given, cut: before.cut };
        expect(whereItDiffers({ messages: wireOf(before) }, { messages: wireOf(after) })).toBeUndefined();
      }),
    );
  });

  it("in the next turn", () => {
    fc.assert(
      fc.property(conversation, room, (given, percent) => {
        const before = shortenedBy(given, [percent]);
        const next = turn("next", [{ role: "user", content: [{ type: "text", text: "And now?" }] }]);
        const after = { ...before, turns: [...before.turns, next] };
        expect(whereItDiffers({ messages: wireOf(before) }, { messages: wireOf(after) })).toBeUndefined();
      }),
    );
  });
});
