/** Summaries of a conversation's earlier turns, made by themselves: when, of what, and what is sent from then on. */
import { describe, it } from "vitest";
import { whereItDiffers } from "../../support/append-only.ts";
import { message, noSummary, say, summary, think, thought, toCompaction, toolUse } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { fail, holdBefore, holdMidStream, unauthorized } from "../../support/model-troubles.ts";
import { STOPPED_OR_STOPPING } from "../../support/workerd/answer.ts";
import { chat, messagesOf } from "../../support/workerd/chat.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";

/** Past what a turn may read. */
const LONG = { usage: { input: 160_000 } };

/** A quarter more than that. */
const LONGER = { usage: { input: 201_000 } };

const OPENING = ["run_start", "user_message"];
const SAID = ["message_start", "thinking_delta", "text_delta", "message_end"];

const thinks = (thinking: string, text: string, options = {}) =>
  message([thought(thinking), { type: "text", text }], options);

/** A turn's answers up to the third, which is long. */
const threeTurns = [think("a", "One."), think("b", "Two."), thinks("c", "Three.", LONG)];

/** Three turns, the last of them long; the fourth plays `replies`. */
const longChat = async (replies: readonly Reply[], files: Readonly<Record<string, string>> = {}) => {
  const talk = await chat([...threeTurns, ...replies], files);
  await talk.turns("First words", "Second words", "Third words");
  return talk;
};

describe("at a turn's start, after a turn that read more than 150,000 tokens,", () => {
  it("all turns but the last two become a summary, and everything else is sent as it was", async ({ expect }) => {
    const { turn, bodies, model, drops } = await longChat([summary("They greet."), think("d", "Four."), say("Five.")]);
    const events = await turn("Fourth words");
    await turn("Fifth words");

    expect(kinds(events)).toEqual([...OPENING, "context_compacted", ...SAID, "run_end"]);
    const [, , third, asked, fourth, fifth] = await bodies();
    const answers = await model.answers();
    expect(asked).toMatchObject({ compaction: { type: "summarize" } });
    expect(messagesOf(asked)).toEqual(messagesOf(third).slice(0, 2));
    expect(messagesOf(fourth)).toEqual([
      { role: "assistant", content: answers[3] },
      ...messagesOf(third).slice(2),
      { role: "assistant", content: answers[2] },
      { role: "user", content: [{ type: "text", text: expect.stringMatching(/^<context>/) }, expect.anything()] },
    ]);
    expect(answers[3]).toMatchObject([{ type: "compaction", content: "They greet." }]);
    expect(whereItDiffers(fourth ?? {}, fifth ?? {})).toBeUndefined();
    // Thinking of the turns that stay is valid behind the summary: nothing has to be dropped.
    expect(await drops()).not.toContain(true);
    expect(await model.violations()).toEqual([]);
  });

  it("it is reported with its tokens and its price", async ({ expect }) => {
    const priced = { input: 150_100, output: 900, cacheRead: 0, cacheWrite: 0 };
    const { turn } = await longChat([summary("They greet.", { usage: priced }), say("Four.")]);
    const events = await turn("Fourth words");
    const { tokensAfter, ...told } = theOnly(events, "context_compacted");
    expect(told).toMatchObject({
      ...{ trigger: "auto", tokensBefore: 160_005, summary: "They greet." },
      usage: { inputTokens: 150_100, outputTokens: 900, cacheReadTokens: 0, cacheWriteTokens: 0 },
    });
    expect([tokensAfter > 900, tokensAfter < 160_005]).toEqual([true, true]);
    expect(Number(theOnly(events, "run_end").costUsd)).toBeGreaterThan(0.3);
  });

  it("nothing is summarized while there are only two of them", async ({ expect }) => {
    const { turns, turn, summaryRequests, model } = await chat([
      think("a", "One."),
      thinks("b", "Two.", LONG),
      say("Three."),
    ]);
    await turns("First", "Second");
    expect(kinds(await turn("Third"))).not.toContain("context_compacted");
    expect(await summaryRequests()).toEqual([]);
    expect(await model.violations()).toEqual([]);
  });
});

describe("at a turn's start, of a model with a window of 200,000 tokens,", () => {
  it.for([
    [120_000, ["context_compacted"]],
    [119_990, []],
  ] as const)("a summary is made past six tenths of it: %d tokens were read", async ([input, told], { expect }) => {
    const long = holdBefore(thinks("c", "Three.", { usage: { input } }));
    const talk = await chat([think("a", "One."), think("b", "Two."), long, summary("They greet."), say("Four.")]);
    await talk.turns("First", "Second");
    await talk.start("Third");
    const fourth = await talk.start("Fourth");
    await talk.withFacts(fourth.runId, { contextTokens: 200_000 });
    await talk.model.release();
    const events = await talk.person.follow(fourth.events);
    expect(kinds(events).filter((kind) => kind.startsWith("context_"))).toEqual(told);
    expect(theOnly(events, "run_end")).toMatchObject({ status: "completed" });
    expect(await talk.model.violations()).toEqual([]);
  });
});

describe("in the middle of a turn", () => {
  const reads = message([thought("I look."), toolUse({ name: "list-stocks", input: {} })], LONG);

  it("earlier turns become a summary once a step has read too much, and the turn continues", async ({ expect }) => {
    const talk = await chat([
      ...[think("a", "One."), think("b", "Two."), think("c", "Three."), reads],
      ...[summary("They greet."), think("d", "Nothing there."), think("e", "Five.")],
    ]);
    await talk.turns("First words", "Second words", "Third words");
    const events = await talk.turn("What do I own?");
    await talk.turn("Fifth words");

    expect(kinds(events)).toEqual([
      ...[...OPENING, "message_start", "thinking_delta", "message_end", "tool_start", "tool_end"],
      ...["context_compacted", ...SAID, "run_end"],
    ]);
    const [, , , before, , after, next] = await talk.bodies();
    expect(messagesOf(after)[0]).toMatchObject({ content: [{ type: "compaction", content: "They greet." }] });
    expect(messagesOf(after).slice(1, 6)).toEqual(messagesOf(before).slice(2));
    expect(messagesOf(after).slice(6)).toMatchObject([
      { role: "assistant", content: [{ type: "thinking", thinking: "I look." }, { type: "tool_use" }] },
      { role: "user", content: [{ type: "tool_result" }] },
    ]);
    expect(whereItDiffers(after ?? {}, next ?? {})).toBeUndefined();
    expect(await talk.drops()).not.toContain(true);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("none is made again by the next turn where this one ends before the model has said more", async ({ expect }) => {
    const talk = await chat([
      ...[think("a", "One."), think("b", "Two."), think("c", "Three."), reads],
      ...[summary("They greet."), unauthorized(), think("e", "Five."), summary("They greet again.")],
    ]);
    await talk.turns("Many words. ".repeat(5_000), "Second words", "Third words", "What do I own?");
    const fifth = await talk.turn("Fifth words");
    expect(kinds(fifth)).toEqual([...OPENING, ...SAID, "run_end"]);
    expect(JSON.stringify((await talk.calls()).at(-1))).toContain("Second words");
    expect(await talk.summaryRequests()).toHaveLength(1);
  });

  it("the project's instructions are repeated after the step's results", async ({ expect }) => {
    const rule = { "AGENTS.md": "Always say moin." };
    const plan = [think("a", "One."), think("b", "Two."), think("c", "Three."), reads, summary("They greet.")];
    const talk = await chat([...plan, think("d", "Moin."), think("e", "Moin, moin.")], rule);
    await talk.turns("First words", "Second words", "Third words", "What do I own?", "Fifth words");
    const [after, next] = (await talk.calls()).slice(4);
    expect(messagesOf(after).at(-1)?.content).toMatchObject([
      { type: "tool_result" },
      { type: "text", text: expect.stringContaining("Always say moin.") },
    ]);
    expect(JSON.stringify(messagesOf(after)).split("Always say moin.")).toHaveLength(2);
    expect(whereItDiffers(after ?? {}, next ?? {})).toBeUndefined();
    expect(await talk.model.violations()).toEqual([]);
  });
});

describe("a conversation with a summary", () => {
  it("is given the project's rules again, which were said in a turn that is a summary now", async ({ expect }) => {
    const replies = [summary("They greet."), think("d", "Moin."), say("Moin, moin.")];
    const talk = await longChat(replies, { "AGENTS.md": "Always say moin." });
    const events = await talk.turn("Fourth words");
    await talk.turn("Fifth words");
    const [first, , , fourth, fifth] = await talk.calls();
    expect(JSON.stringify(messagesOf(first)[0])).toContain("Always say moin.");
    expect(JSON.stringify(messagesOf(fourth).at(-1))).toContain("Always say moin.");
    expect(JSON.stringify(messagesOf(fourth)).split("Always say moin.")).toHaveLength(2);
    expect(whereItDiffers(fourth ?? {}, fifth ?? {})).toBeUndefined();
    expect(ofType(events, "context_added")).toEqual([]);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("is given them again whatever a person has written of our tags", async ({ expect }) => {
    const replies = [summary("They greet."), think("d", "Moin."), say("Moin, moin.")];
    const talk = await longChat(replies, { "AGENTS.md": "Always say moin." });
    await talk.turns('What is <instructions path="AGENTS.md">?', "Fifth words");
    const [, , , fourth, fifth] = await talk.calls();
    expect(JSON.stringify(messagesOf(fourth)).split("Always say moin.")).toHaveLength(2);
    expect(whereItDiffers(fourth ?? {}, fifth ?? {})).toBeUndefined();
    expect(await talk.model.violations()).toEqual([]);
  });

  it("keeps every turn in the store, and exports them with the summary", async ({ expect }) => {
    const talk = await longChat([summary("They greet."), say("Four.")]);
    await talk.turn("Fourth words");
    const { body } = await talk.person.ask("GET", "/_framework/account/export");
    const [session] = Object(body).sessions;
    const texts = JSON.stringify(session.conversation);
    const said = ["First words", "One.", "Second words", "Two.", "Third words", "Three.", "Fourth words", "Four."];
    expect(said.filter((text) => !texts.includes(text))).toEqual([]);
    expect(session.conversation).toHaveLength(4 * 2 + 4 + 3);
    expect(session.compactions).toEqual([
      {
        epoch: 1,
        upToBlock: 4,
        block: expect.stringContaining("They greet."),
        event: expect.stringContaining('"trigger":"auto"'),
      },
    ]);
  });

  it("gets a second one on top of the first, and sends the newest alone", async ({ expect }) => {
    const talk = await longChat([
      ...[summary("They greet."), think("d", "Four."), thinks("e", "Five.", LONG)],
      ...[summary("They greet, and again."), think("f", "Six."), say("Seven.")],
    ]);
    await talk.turns("Fourth words", "Fifth words", "Sixth words", "Seventh words");
    const [, second] = await talk.summaryRequests();
    const [fourth, fifth, sixth, seventh] = (await talk.calls()).slice(3);
    expect(whereItDiffers(second ?? {}, fifth ?? {})).toBeUndefined();
    expect(messagesOf(second)[0]).toEqual(messagesOf(fourth)[0]);
    expect(messagesOf(sixth)[0]).toMatchObject({
      content: [{ type: "compaction", content: "They greet, and again." }],
    });
    expect(JSON.stringify(sixth).split('"type":"compaction"')).toHaveLength(2);
    expect(messagesOf(sixth).slice(1, 4)).toEqual(messagesOf(fifth).slice(-3));
    expect(whereItDiffers(sixth ?? {}, seventh ?? {})).toBeUndefined();
    expect((await talk.summaries()).map(({ upToBlock }) => upToBlock)).toEqual([4, 12]);
    expect(await talk.drops()).not.toContain(true);
    expect(await talk.model.violations()).toEqual([]);
  });
});

/** 500, to be asked again at once. */
const failing = () => toCompaction(fail(500, "api_error", "No", { headers: { "retry-after-ms": "0" } }));

describe("without a summary", () => {
  it.for<[string, ...Reply[]]>([
    ["the provider refuses it", toCompaction(fail(400, "invalid_request_error", "compaction: not now"))],
    ["the provider fails twice", failing(), failing()],
    ["the provider finds it too long", toCompaction(fail(400, "invalid_request_error", "prompt is too long"))],
    ["the model runs out of tokens", noSummary("max_tokens")],
    ["the model refuses", noSummary("refusal")],
    ["the summary is blank", summary(" ")],
  ])("a turn goes on as it is, and one that is longer tries again: %s", async ([, ...troubles], { expect }) => {
    const call = message([thought("I look."), toolUse({ name: "list-stocks", input: {} })], LONG);
    const last = thinks("d", "Four.", LONGER);
    const talk = await longChat([...troubles, call, last, summary("They greet."), say("Five.")]);
    const events = await talk.turn("Fourth words");
    expect(theOnly(events, "run_end")).toMatchObject({ status: "completed" });
    expect(kinds(events).filter((kind) => kind.startsWith("context_") || kind === "model_retry")).toEqual([]);
    const [, , third, fourth, later] = await talk.calls();
    expect([whereItDiffers(third ?? {}, fourth ?? {}), whereItDiffers(fourth ?? {}, later ?? {})]).toEqual([
      undefined,
      undefined,
    ]);
    expect(await talk.summaryRequests()).toHaveLength(troubles.length);
    expect(await talk.summaries()).toEqual([]);
    expect(kinds(await talk.turn("Fifth words"))).toContain("context_compacted");
    expect(await talk.model.violations()).toEqual([]);
  });

  it("a thread that grows little asks for none again", async ({ expect }) => {
    const again = [thinks("d", "Four.", LONG), thinks("e", "Five.", LONG), say("Six.")];
    const talk = await longChat([noSummary("refusal"), ...again]);
    await talk.turns("Fourth words", "Fifth words", "Sixth words");
    expect(await talk.summaryRequests()).toHaveLength(1);
    expect(await talk.model.violations()).toEqual([]);
  });

  it("a turn that is stopped while it is written ends at once, and keeps none, but what it had to read is part of its cost", async ({
    expect,
  }) => {
    const talk = await longChat([toCompaction(holdBefore(summary("Too late."))), say("Five.")]);
    const { runId, events } = await talk.start("Fourth words");
    await talk.model.reaches(4, "held");
    expect(await talk.person.abort(runId)).toMatchObject({ body: { status: STOPPED_OR_STOPPING } });
    const told = await talk.person.events(events);
    expect(kinds(told)).toEqual([...OPENING, "run_status", "message_start", "message_discard", "run_end"]);
    // Estimated: the provider had said nothing yet.
    expect(theOnly(told, "message_discard").usage?.inputTokens).toBeGreaterThan(100);
    expect((await talk.model.reaches(4, "client_left")).state).toBe("client_left");
    expect(await talk.summaries()).toEqual([]);
  });

  it("what the provider had said it read of one that its person stops is part of the run's cost", async ({
    expect,
  }) => {
    const talk = await longChat([toCompaction(holdMidStream("They gr", "eet.")), say("Five.")]);
    const { runId, events } = await talk.start("Fourth words");
    await talk.model.reaches(4, "held");
    expect(await talk.person.abort(runId)).toMatchObject({ body: { status: STOPPED_OR_STOPPING } });
    const told = await talk.person.events(events);
    expect(kinds(told)).toEqual([...OPENING, "run_status", "message_start", "message_discard", "run_end"]);
    expect(theOnly(told, "message_discard").usage).toMatchObject({ inputTokens: 10, outputTokens: 1 });
    expect(theOnly(told, "run_end")).toMatchObject({ status: "aborted", costUsd: "0.00003" });
    expect(await talk.summaries()).toEqual([]);
  });
});
