/** What of a long conversation is sent: always valid, within the window, oldest parts out first (RUN.md, The conversation). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ConversationTurn, fitConversation } from "../../../src/harness/fit-conversation.ts";
import { repairTurn } from "../../../src/harness/repair-turn.ts";
import type { ContentBlock, Message } from "../../../src/model/messages.ts";
import { conversationProblem, cutTurn, wholeTurn } from "../../support/conversation-arbitrary.ts";

const MODEL = "claude-sonnet-5-5";

/** 70 % of 200,000 tokens, at 3 bytes a token; half of it after the provider found the prompt too long. */
const BUDGET_BYTES = 420_000;
const SHORTENED_BUDGET_BYTES = 210_000;

/** The sentence about turns that are left out may come on top. */
const NOTICE_BYTES = 150;

const NOTICE: ContentBlock = {
  type: "text",
  text: "[Earlier turns of this conversation are left out here because it has become too long.]",
};

const bytesOf = (messages: readonly Message[]): number => new TextEncoder().encode(JSON.stringify(messages)).byteLength;

/** Fits with `roomBytes` for all messages: the rest of the budget is taken by system prompt and tools. */
const fitInto = (roomBytes: number, turns: readonly ConversationTurn[], current: readonly Message[]): Message[] =>
  fitConversation({ turns, hasOlder: false }, current, {
    model: MODEL,
    overheadBytes: BUDGET_BYTES - roomBytes,
    isShortened: false,
  });

const prompt = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });

/** A turn in which one file was read; its result is `size` characters. */
const readingTurn = (name: string, size: number, model = MODEL): ConversationTurn => ({
  model,
  messages: [
    prompt(`Read ${name}`),
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Hm.", signature: "c2ln" },
        { type: "tool_use", id: `toolu_${name}`, name: "read_file", input: {} },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `toolu_${name}`, content: name.repeat(size) }] },
    { role: "assistant", content: [{ type: "text", text: `Read ${name}.` }] },
  ],
});

const resultsOf = (messages: readonly Message[]): string[] =>
  messages.flatMap(({ content }) => content.flatMap((block) => (block.type === "tool_result" ? [block.content] : [])));

const sixTurns = ["a", "b", "c", "d", "e", "f"].map((name) => readingTurn(name, 2_000));

const conversation = fc
  .tuple(
    fc
      .array(fc.tuple(fc.constantFrom(MODEL, "claude-opus-5"), fc.boolean()), { maxLength: 6 })
      .chain((turns) =>
        fc.tuple(
          ...turns.map(([model], index) =>
            cutTurn(`t${index}`).map((messages): ConversationTurn => ({ model, messages: repairTurn(messages) })),
          ),
        ),
      ),
    wholeTurn("now").map((messages) => repairTurn(messages)),
    fc.nat(8_000),
  )
  .map(([earlier, current, spare]) => ({ earlier, current, roomBytes: bytesOf(current) + spare }));

describe("any conversation whose newest turn fits", () => {
  it("is sent as one the API accepts, with roles that alternate", () => {
    fc.assert(
      fc.property(conversation, ({ earlier, current, roomBytes }) => {
        const sent = fitInto(roomBytes, earlier, current);
        expect(conversationProblem(sent)).toBeUndefined();
        expect(sent.map(({ role }) => role)).toEqual(sent.map((_, index) => (index % 2 === 0 ? "user" : "assistant")));
      }),
    );
  });

  it("is sent within the budget", () => {
    fc.assert(
      fc.property(conversation, ({ earlier, current, roomBytes }) => {
        expect(bytesOf(fitInto(roomBytes, earlier, current))).toBeLessThanOrEqual(roomBytes + NOTICE_BYTES);
      }),
    );
  });

  it("ends with the newest turn, whole", () => {
    fc.assert(
      fc.property(conversation, ({ earlier, current, roomBytes }) => {
        const newest = current.flatMap(({ content }) => content);
        const sent = fitInto(roomBytes, earlier, current).flatMap(({ content }) => content);
        expect(sent.slice(-newest.length)).toEqual(newest);
      }),
    );
  });

  it("is left as it was in the store", () => {
    fc.assert(
      fc.property(conversation, ({ earlier, current, roomBytes }) => {
        const before = structuredClone({ earlier, current });
        fitInto(roomBytes, earlier, current);
        expect({ earlier, current }).toEqual(before);
      }),
    );
  });
});

describe("a conversation", () => {
  it("that fits is sent whole", () => {
    const sent = fitInto(100_000, sixTurns, [prompt("Hi")]);
    expect(sent).toEqual([...sixTurns.flatMap(({ messages }) => messages), prompt("Hi")]);
  });

  it("over the budget loses the tool results older than three turns first", () => {
    const sent = fitInto(9_000, sixTurns, [prompt("Hi")]);
    const removed = "[result removed]";
    expect(resultsOf(sent)).toEqual([removed, removed, removed, ...["d", "e", "f"].map((name) => name.repeat(2_000))]);
    expect(sent).toHaveLength(25);
  });

  it("that is still over it loses its oldest whole turns, and the model is told", () => {
    const sent = fitInto(5_500, sixTurns, [prompt("Hi")]);
    expect(resultsOf(sent)).toEqual(["e", "f"].map((name) => name.repeat(2_000)));
    expect(sent[0]).toEqual({ role: "user", content: [NOTICE, { type: "text", text: "Read e" }] });
  });

  it("with no room for any earlier turn is the newest turn alone, and the model is told", () => {
    expect(fitInto(100, sixTurns, [prompt("Hi")])).toEqual([
      { role: "user", content: [NOTICE, { type: "text", text: "Hi" }] },
    ]);
  });

  it("whose newest turn is too long by itself is sent all the same: the provider decides", () => {
    const long = [prompt("a".repeat(500_000))];
    expect(fitInto(100, [], long)).toEqual(long);
  });

  it("is sent by half after the provider found it too long", () => {
    const turns = [readingTurn("a", 150_000), readingTurn("b", 150_000)];
    const sent = fitConversation({ turns, hasOlder: false }, [prompt("Hi")], {
      model: MODEL,
      overheadBytes: 0,
      isShortened: true,
    });
    expect(resultsOf(sent)).toEqual(["b".repeat(150_000)]);
    expect(bytesOf(sent)).toBeLessThanOrEqual(SHORTENED_BUDGET_BYTES);
  });

  it("of which older turns were not even loaded is sent with the notice", () => {
    const resumed = { turns: [readingTurn("a", 10)], hasOlder: true };
    const [first] = fitConversation(resumed, [prompt("Hi")], { model: MODEL, overheadBytes: 0, isShortened: false });
    expect(first?.content[0]).toEqual(NOTICE);
  });

  it("counts its bytes, so that scripts of three bytes a character do not pass for short", () => {
    const sent = fitInto(30_000, [readingTurn("漢", 12_000)], [prompt("Hi")]);
    expect(sent).toHaveLength(1);
  });
});

/** How often the newest of so many turns is looked at while all but the last few are left out. */
const looksAtNewest = (turnCount: number): number => {
  let looks = 0;
  const { content } = prompt("Newest");
  const newest: Message = {
    role: "user",
    get content() {
      looks += 1;
      return content;
    },
  };
  const older = Array.from({ length: turnCount }, (_, index) => readingTurn(`t${index}`, 100));
  fitInto(1_000, [...older, { model: MODEL, messages: [newest] }], [prompt("Hi")]);
  return looks;
};

it("fitting takes as many looks at a turn in a long thread as in a short one", () => {
  expect(looksAtNewest(200)).toBe(looksAtNewest(20));
});

describe("thinking", () => {
  const kinds = (messages: readonly Message[]) => messages.flatMap(({ content }) => content.map(({ type }) => type));

  it("of the same model is sent again", () => {
    expect(kinds(fitInto(10_000, [readingTurn("a", 1)], [prompt("Hi")]))).toContain("thinking");
  });

  it("of another model stays out, and its turn stays in", () => {
    const sent = fitInto(10_000, [readingTurn("a", 1, "claude-opus-5")], [prompt("Hi")]);
    expect(kinds(sent)).toEqual(["text", "tool_use", "tool_result", "text", "text"]);
  });

  it("of the newest turn stays where it is", () => {
    const sent = fitInto(10_000, [], readingTurn("a", 1).messages);
    expect(kinds(sent)).toContain("thinking");
  });
});

it("a turn that was stopped behind its results and the next prompt are one user message, results first", () => {
  const stopped = { model: MODEL, messages: readingTurn("a", 1).messages.slice(0, 3) };
  expect(fitInto(10_000, [stopped], [prompt("Hi")]).at(-1)).toEqual({
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "toolu_a", content: "a" },
      { type: "text", text: "Hi" },
    ],
  });
});
