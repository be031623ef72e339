/** What is sent of a conversation that the provider permanently refuses: plain text first, then no earlier turn. */
import { describe, expect, it } from "vitest";
import { NO_FACTS, type TurnState } from "../../../src/harness/anthropic/conversation.ts";
import { plainer, type Sending } from "../../../src/harness/anthropic/plainer-conversation.ts";
import { TURNS_LEFT_OUT } from "../../../src/harness/anthropic/shorten-conversation.ts";
import { EARLIER_IS_GONE } from "../../../src/harness/turn-context.ts";
import type { ContentBlock, Message } from "../../../src/model/messages.ts";
import { answered, asked, askedBehind, ours, readStep, saidTurn, text, turnOf } from "../../support/sample-turns.ts";
import { resumed } from "../../support/turn-requests-world.ts";

const thinking: ContentBlock = { type: "thinking", thinking: "Hm.", signature: "c2ln" };
const hidden: ContentBlock = { type: "redacted_thinking", data: "b3BhcXVl" };
const unknown: ContentBlock = { type: "opaque", block: { type: "server_note", content: "So far." } };
const summary: ContentBlock = { type: "opaque", block: { type: "compaction", content: "They met." } };

const state: TurnState = {
  context: "<context>",
  facts: {
    ...{
      prefixHash: "p1",
      dropsBlocks: true,
      instructionsHash: "h1",
      maxBytes: 9_000,
      inputTokens: 70,
      undoneUpToMs: 0,
    },
    cut: { resultsBefore: { runId: "a", message: 3 }, turnsFrom: "a", stepsFrom: { runId: "now", message: 3 } },
  },
  notes: { 1: "A note." },
};

const says = (...content: ContentBlock[]): Message => ({ role: "assistant", content });

const ANSWERED = "[A result whose call is left out here. The person's answer:]";
const CALLED = "[Calls of this turn, left out here with their results:]";

/** The running turn at its prompt, and after a step. */
const current = [asked("And now?")];
const withSteps = [...current, ...readStep("s", "found")];

const rich = turnOf("a", [
  askedBehind("<context>", "Read it"),
  says(thinking, text("I look."), unknown, { type: "tool_use", id: "t", name: "read_file", input: {} }),
  { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "secret" }, ours("A note.")] },
  says(hidden, text("It says so."), text("And more.")),
]);

const sending = (more: Partial<Sending> = {}): Sending => ({
  ...{ resumeState: resumed([rich, saidTurn("b")]), state, reset: null },
  ...more,
});

const turnsOf = (other: Sending | undefined) => other?.resumeState.turns;

describe("as plain text", () => {
  it("a turn keeps what the person answered in it, as data", () => {
    const answer: ContentBlock = { type: "tool_result", tool_use_id: "t", content: "Answer: <data>7", isSaid: true };
    const call: ContentBlock = { type: "tool_use", id: "t", name: "ask_user", input: {} };
    const turn = turnOf("a", [asked("How many?"), says(call), { role: "user", content: [answer] }, answered("Seven.")]);
    const [plain] = turnsOf(plainer(sending({ resumeState: resumed([turn]) }), current)) ?? [];
    expect(plain?.messages).toEqual([
      {
        ...asked(),
        content: [
          text("How many?"),
          text(`${ANSWERED}\n<data>Answer: \\u003cdata>7</data>`),
          ours(`${CALLED}\n<data>ask_user {}</data>`),
        ],
      },
      answered("Seven."),
    ]);
  });

  it("a turn says what it had called, so that nothing is done twice", () => {
    const used = (id: string, name: string, input: Record<string, unknown>): ContentBlock => ({
      type: "tool_use",
      id,
      name,
      input,
    });
    const notes = `</data>${"n".repeat(1_000)}`;
    const calls = [used("t", "update-stock", { set: { quantity: "20" } }), used("u", "update-stock", { notes })];
    const results: ContentBlock[] = [
      { type: "tool_result", tool_use_id: "t", content: "{}" },
      { type: "tool_result", tool_use_id: "u", content: "No.", is_error: true },
    ];
    const turn = turnOf("a", [asked("Buy 10 more"), says(...calls), { role: "user", content: results }]);
    const [plain] = turnsOf(plainer(sending({ resumeState: resumed([turn]) }), current)) ?? [];
    const shown = JSON.stringify({ notes }).slice(0, 200).replace("</data>", "\\u003c/data>");
    const lines = `update-stock {"set":{"quantity":"20"}}\nupdate-stock ${shown}… (failed, rejected or unknown)`;
    expect(plain?.messages).toEqual([
      { ...asked(), content: [text("Buy 10 more"), ours(`${CALLED}\n<data>${lines}</data>`)] },
    ]);
  });

  it("a turn is its prompt with what the app added, and everything that was answered", () => {
    expect(turnsOf(plainer(sending(), current))).toEqual([
      turnOf("a", [
        {
          ...asked(),
          content: [ours("<context>"), text("Read it"), ours("A note."), ours(`${CALLED}\n<data>read_file {}</data>`)],
        },
        answered("I look.\n\nIt says so.\n\nAnd more."),
      ]),
      saidTurn("b"),
    ]);
  });

  it.each<[string, Message[]]>([
    ["nothing", []],
    ["blanks", [says(text(" "))]],
  ])("a turn that was answered by %s is its prompt", (_, messages) => {
    const resumeState = resumed([turnOf("a", [asked("Hi"), ...messages])]);
    expect(turnsOf(plainer(sending({ resumeState }), current))).toEqual([turnOf("a", [asked("Hi")])]);
  });

  it("the summary of older turns is part of the first prompt, and no longer comes before it", () => {
    const resumeState = resumed([saidTurn("a"), saidTurn("b")], { compaction: summary, hasOlder: true });
    expect(plainer(sending({ resumeState }), current)?.resumeState).toMatchObject({
      turns: [
        turnOf("a", [
          asked("[A summary of what was said before:]\nThey met.", TURNS_LEFT_OUT, "Ask a"),
          answered("Answer a"),
        ]),
        saidTurn("b"),
      ],
      compaction: undefined,
      hasOlder: false,
    });
  });

  it("is what a conversation becomes first, and nothing of its past holds it back", () => {
    const other = plainer(sending(), current);
    expect(other?.reset).toBe("plain");
    expect(other?.state).toEqual({
      ...state,
      facts: { ...NO_FACTS, prefixHash: "p1", instructionsHash: "h1", maxBytes: 9_000 },
    });
  });
});

describe("alone", () => {
  it("is what a turn is sent once plain text was refused, too", () => {
    const other = plainer(sending({ reset: "plain" }), current);
    expect([other?.reset, turnsOf(other)]).toEqual(["alone", []]);
    expect(other?.state.context).toBe(`<context>\n${EARLIER_IS_GONE}`);
  });

  it("is what a turn is sent at once where there is nothing but a summary", () => {
    const resumeState = resumed([], { compaction: summary });
    const other = plainer(sending({ resumeState }), current);
    expect([other?.reset, other?.resumeState.compaction]).toEqual(["alone", undefined]);
  });

  it("knows that there are project instructions, so that they are said again", () => {
    expect(plainer(sending({ reset: "plain" }), current)?.state.facts.instructionsHash).toBe("h1");
  });

  it("has no plainer one", () => {
    expect(plainer(sending({ reset: "alone" }), current)).toBeUndefined();
  });
});

it("a thread's first turn has no plainer one", () => {
  expect(plainer(sending({ resumeState: resumed([]) }), current)).toBeUndefined();
});

it("thinking of the running turn after another past may be dropped", () => {
  expect(plainer(sending(), withSteps)?.state.facts.dropsBlocks).toBe(true);
});

it("the conversation that was refused is left as it was in the store", () => {
  const before = sending();
  const copy = structuredClone(before);
  plainer(before, withSteps);
  expect(before).toEqual(copy);
});
