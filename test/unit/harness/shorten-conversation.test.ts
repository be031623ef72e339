/** What of a conversation is left out when it is too long: what matters most goes last, and never more than has to. */
import { describe, expect, it } from "vitest";
import { type ConversationTurn, NO_CUT } from "../../../src/harness/anthropic/conversation.ts";
import {
  type SentConversation,
  sentMessages,
  shorten,
  sizeOfConversation,
} from "../../../src/harness/anthropic/shorten-conversation.ts";
import type { Message } from "../../../src/model/messages.ts";
import {
  answered,
  asked,
  conversationOf,
  readStep,
  readTurn,
  resultsOf,
  saidTurn,
  textsOf,
  turnOf,
} from "../../support/sample-turns.ts";

const REMOVED = "[result removed]";
const TURNS_LEFT_OUT = "[Earlier turns of this conversation are left out here because it has become too long.]";
const ANSWERED = "[A result whose call is left out here. The person's answer:]";
const STEPS_LEFT_OUT = "[The first steps of this turn are left out here because it has become too long.]";

/** What a conversation sends after it was shortened to half of `maxBytes`. */
const shortened = (conversation: SentConversation, maxBytes: number): Message[] =>
  sentMessages({ ...conversation, cut: shorten(conversation, maxBytes) });

/** The same, to a size that is so many bytes below its own. */
const shortenedBy = (bytes: number, conversation: SentConversation): Message[] =>
  shortened(conversation, 2 * (sizeOfConversation(conversation) - bytes));

/** How long the results are that are sent, in order. */
const results = (messages: readonly Message[]) =>
  resultsOf(messages).map((result) => (result === REMOVED ? "removed" : result.length));

const bytesOf = (messages: readonly Message[]): number => new TextEncoder().encode(JSON.stringify(messages)).byteLength;

const now = turnOf("now", [asked("And now?")]);

const smallTurns = (count: number, name = "small"): ConversationTurn[] =>
  Array.from({ length: count }, (_, index) => saidTurn(`${name}${index}`));

/** Prompts and answers of turns, in order. */
const saidIn = (turns: readonly ConversationTurn[]): string[] => textsOf(turns.flatMap(({ messages }) => messages));

describe("a conversation that is too long", () => {
  const reading = ["a", "b", "c"].map((name) => readTurn(name, [1_000]));

  it("is sent whole until it is shortened", () => {
    expect(sentMessages(conversationOf([...reading, now]))).toEqual(
      [...reading, now].flatMap(({ messages }) => messages),
    );
  });

  it("is left as it is where it has half of the room at most", () => {
    expect(shorten(conversationOf([...reading, now]), 20_000)).toEqual(NO_CUT);
  });

  it("loses its oldest results first, and nothing else", () => {
    const sent = shortenedBy(500, conversationOf([...reading, now]));
    expect(results(sent)).toEqual(["removed", 1_000, 1_000]);
    expect(textsOf(sent)).toEqual(saidIn([...reading, now]));
  });

  it("loses results of the newest earlier turn, too, before a single turn", () => {
    const sent = shortenedBy(2_500, conversationOf([...reading, now]));
    expect(results(sent)).toEqual(["removed", "removed", "removed"]);
    expect(textsOf(sent)).toEqual(saidIn([...reading, now]));
  });

  it("loses results of the running turn that the model has seen before a single turn", () => {
    const running = turnOf("now", [asked("Read"), ...readStep("p1", "y".repeat(900)), ...readStep("p2", "new")]);
    const sent = shortenedBy(500, conversationOf([saidTurn("a"), running]));
    expect(results(sent)).toEqual(["removed", 3]);
    expect(textsOf(sent)).toEqual(["Ask a", "Answer a", "Read"]);
  });

  it("keeps results that are no longer than the words in their place", () => {
    const sent = shortenedBy(500, conversationOf([readTurn("a", [1_000, REMOVED.length]), now]));
    expect(results(sent)).toEqual(["removed", REMOVED.length]);
    expect(shorten(conversationOf([readTurn("b", [REMOVED.length]), now]), 10).resultsBefore).toBeNull();
  });

  it("keeps that a result was an error, and which call it belongs to", () => {
    const failed = { type: "tool_result", tool_use_id: "t", content: "no".repeat(500), is_error: true } as const;
    const turn = turnOf("a", [asked("Read"), { role: "user", content: [failed] }, answered("It failed.")]);
    const sent = shortenedBy(500, conversationOf([turn, now]));
    expect(sent[0]?.content).toContainEqual({ ...failed, content: REMOVED });
  });

  it("loses whole turns, oldest first, once all results are gone, and the model is told", () => {
    const kept = [...smallTurns(3, "new"), now];
    const room = 2 * sizeOfConversation(conversationOf(kept, { hasOlder: true }));
    const sent = shortened(conversationOf([readTurn("a", [1_000]), ...smallTurns(3, "old"), ...kept]), room);
    expect(textsOf(sent)).toEqual([TURNS_LEFT_OUT, ...saidIn(kept)]);
  });

  it("keeps what the person wrote during its turns, longer than what tools returned", () => {
    const [call, result] = readStep("p0", "x".repeat(9_000));
    const [refused] = readStep("p1", "");
    const words = `Rejected. They said: ${"not this one. ".repeat(100)}`;
    const denied: Message = {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "toolu_p1", content: words, is_error: true, isSaid: true }],
    };
    const messages = [call, result, refused].flatMap((message) => message ?? []);
    const current = turnOf("now", [
      asked("And now?"),
      ...messages,
      denied,
      asked("Faster."),
      ...readStep("p2", "last"),
    ]);
    expect(results(shortenedBy(8_000, conversationOf([current])))).toEqual(["removed", words.length, 4]);
    const least = shortened(conversationOf([current]), 1);
    expect(textsOf(least)).toEqual([...["And now?", STEPS_LEFT_OUT, `${ANSWERED}\n<data>${words}</data>`, "Faster."]]);
    expect(results(least)).toEqual([4]);
  });

  it("loses steps of the running turn last of all, but never its prompt and its last step", () => {
    const running = turnOf("now", [asked("Read"), ...["p1", "p2", "p3"].flatMap((path) => readStep(path, "kept"))]);
    const sent = shortened(conversationOf([saidTurn("a"), running]), 10);
    expect(sent).toEqual([asked(TURNS_LEFT_OUT, "Read", STEPS_LEFT_OUT), ...readStep("p3", "kept")]);
  });

  it("says of no step that it is left out where the running turn has but one", () => {
    const running = turnOf("now", [asked("Read"), ...readStep("p1", "kept")]);
    expect(textsOf(shortened(conversationOf([running]), 10))).toEqual(["Read"]);
  });

  it("is not marked as cut where nothing can go", () => {
    expect(shorten(conversationOf([now]), 10)).toEqual(NO_CUT);
  });

  it("keeps what was cut before, whatever room there is now", () => {
    const conversation = conversationOf([...reading, now]);
    const cut = shorten(conversation, sizeOfConversation(conversation));
    expect(cut).not.toEqual(NO_CUT);
    expect(shorten({ ...conversation, cut }, 1_000_000)).toEqual(cut);
  });

  it("counts its bytes, so that scripts of three bytes a character do not pass for short", () => {
    const wide = turnOf("a", [asked("Read"), ...readStep("p", "漢".repeat(4_000)), answered("Read it.")]);
    expect(results(shortened(conversationOf([wide, now]), 20_000))).toEqual(["removed"]);
  });

  it("keeps the provider's summary in front, whatever else goes", () => {
    const compaction = { type: "opaque", block: { type: "compaction", content: "So far." } } as const;
    const sent = shortened(conversationOf([...smallTurns(2), now], { compaction }), 10);
    expect(sent).toEqual([{ role: "assistant", content: [compaction] }, asked(TURNS_LEFT_OUT, "And now?")]);
  });
});

describe("one large turn", () => {
  /** Of a window of 200,000 tokens, less some for the rules and the tools. */
  const ROOM = 400_000;
  const pages = Array.from({ length: 7 }, () => 120_000);

  it("that is over does not cost a thread its small turns", () => {
    const turns = [...smallTurns(10, "old"), readTurn("large", pages), ...smallTurns(10, "new"), now];
    const sent = shortened(conversationOf(turns), ROOM);
    expect(textsOf(sent)).toEqual(saidIn(turns));
    expect(bytesOf(sent)).toBeLessThan(ROOM / 2);
  });

  it("of 840 KB that is running is shortened, keeps its newest page, and costs no earlier turn", () => {
    const steps = pages.flatMap((length, index) => readStep(`p${index}`, String(index).repeat(length)));
    const turns = [...smallTurns(20), turnOf("now", [asked("Read it all"), ...steps])];
    const sent = shortened(conversationOf(turns), ROOM);
    expect(results(sent)).toEqual([...Array.from({ length: 6 }, () => "removed"), 120_000]);
    expect(textsOf(sent)).toEqual(saidIn(turns));
    expect(bytesOf(sent)).toBeLessThan(ROOM / 2);
  });

  it("whose newest page alone is over half of the room costs no more than it has to", () => {
    const steps = [200_000, 250_000].flatMap((length, index) => readStep(`p${index}`, "x".repeat(length)));
    const turns = [...smallTurns(20), turnOf("now", [asked("Read it all"), ...steps])];
    const sent = shortened(conversationOf(turns), ROOM);
    expect(results(sent)).toEqual(["removed", 250_000]);
    expect(textsOf(sent)).toEqual(saidIn(turns));
  });

  it("that nothing can make fit loses all it can: the provider decides", () => {
    const huge = turnOf("now", [asked("x".repeat(500_000))]);
    expect(textsOf(shortened(conversationOf([...smallTurns(3), huge]), ROOM))).toEqual([
      TURNS_LEFT_OUT,
      "x".repeat(500_000),
    ]);
  });
});

describe("the newest results", () => {
  const step = readStep("p1", "x".repeat(1_000));

  it("stay, because the model has not seen them", () => {
    const sent = shortened(conversationOf([saidTurn("a"), turnOf("now", [asked("Read"), ...step])]), 10);
    expect(results(sent)).toEqual([1_000]);
  });

  it("go like all others once the model has answered them", () => {
    const running = turnOf("now", [asked("Read"), ...step, ...readStep("p2", "short")]);
    expect(results(shortenedBy(500, conversationOf([running])))).toEqual(["removed", 5]);
  });

  it("of an earlier turn go, although nothing was answered to them: that turn is over", () => {
    const stopped = turnOf("a", [asked("Read"), ...step]);
    const running = turnOf("now", [asked("Read"), ...readStep("p2", "short")]);
    expect(results(shortenedBy(500, conversationOf([stopped, running])))).toEqual(["removed", 5]);
  });
});

describe("a mark whose turn is not there any more", () => {
  const turns = [readTurn("a", [1_000]), now];
  const mark = { runId: "gone", message: 9 };

  it.each([
    ["of results", { ...NO_CUT, resultsBefore: mark }],
    ["of turns", { ...NO_CUT, turnsFrom: "gone" }],
    ["of steps", { ...NO_CUT, stepsFrom: mark }],
  ])("%s changes nothing", (_, cut) => {
    expect(sentMessages(conversationOf(turns, { cut }))).toEqual(sentMessages(conversationOf(turns)));
  });

  it("does not keep the conversation from being shortened", () => {
    const cut = { resultsBefore: mark, turnsFrom: "gone", stepsFrom: mark };
    expect(results(shortenedBy(500, conversationOf(turns, { cut })))).toEqual(["removed"]);
    const running = turnOf("now", [asked("Read"), ...readStep("p1", "a"), ...readStep("p2", "b")]);
    expect(textsOf(shortened(conversationOf([running], { cut }), 10))).toEqual(["Read", STEPS_LEFT_OUT]);
  });
});

describe("what is sent", () => {
  it("has results whole from the message on that the cut names", () => {
    const cut = { ...NO_CUT, resultsBefore: { runId: "a", message: 4 } };
    expect(results(sentMessages(conversationOf([readTurn("a", [50, 60, 70])], { cut })))).toEqual(["removed", 60, 70]);
    const behind = { ...NO_CUT, resultsBefore: { runId: "a", message: 5 } };
    expect(results(sentMessages(conversationOf([readTurn("a", [50, 60, 70])], { cut: behind })))).toEqual([
      ...["removed", "removed"],
      70,
    ]);
  });

  it("begins with the notice where older turns were not loaded", () => {
    expect(textsOf(sentMessages(conversationOf([now], { hasOlder: true })))).toEqual([TURNS_LEFT_OUT, "And now?"]);
  });

  it("is the same whether the turns that are left out were loaded or not", () => {
    const turns = [...smallTurns(4), now];
    const cut = { ...NO_CUT, turnsFrom: "small2" };
    const loaded = sentMessages(conversationOf(turns, { cut }));
    expect(sentMessages(conversationOf(turns.slice(2), { cut, hasOlder: true }))).toEqual(loaded);
    expect(textsOf(loaded)).toEqual([TURNS_LEFT_OUT, ...saidIn(turns.slice(2))]);
  });

  it("has what a stopped turn ended with and the next prompt in one user message, results first", () => {
    const stopped = turnOf("a", [asked("Read"), ...readStep("p", "found")]);
    expect(
      sentMessages(conversationOf([stopped, now]))
        .at(-1)
        ?.content.map(({ type }) => type),
    ).toEqual(["tool_result", "text"]);
  });

  it("has a thread's thinking, also that of another model: the provider drops it where it has to", () => {
    const thinking = { type: "thinking", thinking: "Hm.", signature: "c2ln" } as const;
    const turn = turnOf("a", [asked("Hi"), { role: "assistant", content: [thinking] }], "claude-opus-5-5");
    expect(sentMessages(conversationOf([turn, now]))[1]?.content).toEqual([thinking]);
  });
});

/** How often the newest of so many turns is looked at while the results of all go, and turns as well. */
const looksAtNewest = (turnCount: number): number => {
  let looks = 0;
  const { content } = asked("Newest");
  const newest: Message = {
    role: "user",
    get content() {
      looks += 1;
      return content;
    },
  };
  const older = Array.from({ length: turnCount }, (_, index) => readTurn(`t${index}`, [100]));
  const conversation = conversationOf([...older, turnOf("now", [newest])]);
  shorten(conversation, sizeOfConversation(conversation) / 4);
  return looks;
};

it("shortening takes a few looks more at a turn of a thread that is a hundred times as long", () => {
  expect(looksAtNewest(1_000) - looksAtNewest(10)).toBeLessThan(60);
});
