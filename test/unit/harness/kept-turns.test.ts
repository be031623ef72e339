/** What passes through the run and the session as JSON that only the adapter reads: turns that are kept, and resumed again. */
import { describe, expect, it } from "vitest";
import type { EndedTurn } from "../../../src/harness/adapter.ts";
import { guidanceOf } from "../../../src/harness/anthropic/again/guidance.ts";
import { anthropicHarness } from "../../../src/harness/anthropic/anthropic-harness.ts";
import { NO_CUT, NO_FACTS, type TurnState } from "../../../src/harness/anthropic/conversation.ts";
import { resumeStateOf } from "../../../src/harness/anthropic/stored-turns.ts";
import {
  type KeptTurn,
  MAX_LOADED_LENGTH,
  NOTHING_STORED,
  type StoredConversation,
} from "../../../src/harness/stored-conversation.ts";
import type { StepCheckpoint, ToolCall } from "../../../src/harness/turn.ts";
import { callOf, editTool, readTool } from "../../support/loop-world.ts";

const usage = { inputTokens: 5, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0 };

const call = (tool: ReturnType<typeof readTool>, status: "completed" | "failed" | "unknown"): ToolCall =>
  callOf(tool, { type: "ended", result: { status, output: "found" } });

/** A step that calls a tool. */
const calling = (toolCall: ToolCall): StepCheckpoint => ({
  content: [
    { type: "text", text: "I look." },
    { type: "tool_use", id: toolCall.toolUseId, name: toolCall.tool, input: {} },
  ],
  stopReason: "tool_use",
  usage,
  calls: [toolCall],
});

const answering: StepCheckpoint = {
  content: [{ type: "text", text: "It is there." }],
  stopReason: "end_turn",
  usage,
  calls: [],
};

const ended = (turn: Partial<EndedTurn> = {}, steps = [calling(call(readTool("read_file"), "completed")), answering]) =>
  anthropicHarness.keepTurn({
    runId: "r1",
    model: "claude-sonnet-5-5",
    checkpoint: { prompt: "Is it there?", steps },
    state: { context: "<context>", facts: { ...NO_FACTS, maxBytes: 9_000 }, notes: {} },
    error: null,
    ...turn,
  });

/** What the session gives back of a turn. */
const storedFrom = ({ turn: { rows, ...turn }, facts, omitted }: KeptTurn): StoredConversation => ({
  ...NOTHING_STORED,
  rows: rows.map((row) => ({ ...turn, ...row })),
  facts: facts ?? null,
  omitted: omitted === undefined ? {} : { [turn.runId]: omitted },
});

/** Steps whose calls return as much as they may, in characters that take two bytes in a call to the session. */
const longSteps = (count: number, said = "I look."): StepCheckpoint[] =>
  Array.from({ length: count }, (_, nth) => {
    const result = { status: "completed" as const, output: `${nth} €`.padEnd(255_000, "x") };
    const step = calling(callOf(readTool("read_file"), { type: "ended", result }, { toolUseId: `toolu_${nth}` }));
    return { ...step, content: [{ type: "text", text: said }, ...[step.content].flat().slice(1)] };
  });

/** The turns of a conversation in what a thread would send of it. */
const retold = (stored: StoredConversation) =>
  anthropicHarness
    .resume(stored)
    .saidTurns()
    .map(({ runId, prompt }) => `${runId}: ${prompt}`);

describe("a turn that is larger than what the next one loads", () => {
  const lengthOf = ({ turn }: KeptTurn) => turn.rows.reduce((sum, { body }) => sum + body.length, 0);

  it("is kept without its oldest results", () => {
    const kept = ended({}, [...longSteps(99), answering]);
    const bodies = kept.turn.rows.map(({ body }) => body);
    expect(lengthOf(kept)).toBeLessThan(MAX_LOADED_LENGTH / 2);
    expect(bodies.filter((body) => body.includes('"tool_use"'))).toHaveLength(99);
    expect(bodies.filter((body) => body.includes("[result removed]")).length).toBeGreaterThan(50);
    expect(bodies.findLast((body) => body.includes('"tool_result"'))).toContain("98 €");
  });

  it("is kept without its first steps where the rest is too much", () => {
    const cut = { ...NO_CUT, turnsFrom: "r1", stepsFrom: { runId: "r1", message: 40 } };
    const state = { context: "<context>", facts: { ...NO_FACTS, cut }, notes: {} };
    const kept = ended({ state }, [...longSteps(30, "y".repeat(290_000)), answering]);
    const [context, prompt, notice] = kept.turn.rows.map(({ body }) => body);
    expect(lengthOf(kept)).toBeLessThan(MAX_LOADED_LENGTH / 2);
    expect([context, prompt]).toEqual([expect.stringContaining("<context>"), expect.stringContaining("Is it there?")]);
    expect(notice).toContain("[The first steps of this turn are left out");
    expect(kept.turn.rows.at(-1)?.body).toContain("It is there.");
    expect(JSON.parse(kept.facts ?? "")).toMatchObject({ cut: { ...NO_CUT, turnsFrom: "r1" }, dropsBlocks: true });
  });
});

describe("a turn that has ended", () => {
  it("is kept as a row for each block, with its context before the prompt", () => {
    expect(ended().turn).toEqual({
      runId: "r1",
      model: "claude-sonnet-5-5",
      rows: [
        { message: 0, role: "user", body: '{"type":"text","text":"<context>","isOurs":true}' },
        { message: 0, role: "user", body: '{"type":"text","text":"Is it there?"}' },
        { message: 1, role: "assistant", body: '{"type":"text","text":"I look."}' },
        { message: 1, role: "assistant", body: '{"type":"tool_use","id":"toolu_1","name":"read_file","input":{}}' },
        { message: 2, role: "user", body: '{"type":"tool_result","tool_use_id":"toolu_1","content":"found"}' },
        { message: 3, role: "assistant", body: '{"type":"text","text":"It is there."}' },
      ],
    });
  });

  it("leaves what later requests depend on, and forgets a size after a failure for its length", () => {
    expect(JSON.parse(ended().facts ?? "")).toEqual({ ...NO_FACTS, maxBytes: 9_000, inputTokens: 7 });
    const error = { code: "context_too_long", message: "Too long." } as const;
    expect(JSON.parse(ended({ error }).facts ?? "")).toMatchObject({ maxBytes: null });
  });

  it("is left out when the rest was cut for it and it was too long all the same; that is sent again", () => {
    const cut = { ...NO_CUT, turnsFrom: "r1" };
    const told = { instructionsHash: null, undoneUpToMs: 0 };
    const error = { code: "context_too_long", message: "Too long." } as const;
    const keptWith = (before: TurnState["toldBefore"], steps: StepCheckpoint[] = []) => {
      const state = { context: "<context>", facts: { ...NO_FACTS, cut }, notes: {}, toldBefore: before };
      const { omitted, facts } = ended({ error, state }, steps);
      return [omitted, JSON.parse(facts ?? "").cut];
    };
    const line = "[A turn is left out here, because it was too long. Nothing was changed by it.]";
    expect(keptWith({ ...told, cut: NO_CUT })).toEqual([line, NO_CUT]);
    // What had been cut before the turn stays cut, and nothing is left out for it.
    expect(keptWith({ ...told, cut })).toEqual([undefined, cut]);
    // It was accepted once, with that cut.
    expect(keptWith({ ...told, cut: NO_CUT }, [answering])).toEqual([undefined, cut]);
    // An earlier release did not keep where it was cut before.
    expect(keptWith(told)).toEqual([undefined, cut]);
  });

  it("gives back what was cut for it when the model refused it", () => {
    const toldBefore = { instructionsHash: null, undoneUpToMs: 0, cut: NO_CUT };
    const facts = { ...NO_FACTS, cut: { ...NO_CUT, turnsFrom: "r1" }, dropsBlocks: true };
    const state = { context: "<context>", facts, notes: {}, toldBefore };
    const kept = ended({ state }, [{ ...answering, stopReason: "refusal" }]);
    expect(JSON.parse(kept.facts ?? "")).toMatchObject({ cut: NO_CUT, dropsBlocks: true });
  });

  it("of an earlier release, which kept no state, is kept without a context and leaves no facts", () => {
    const { turn, facts } = ended({ state: undefined });
    expect([turn.rows[0]?.body, facts]).toEqual(['{"type":"text","text":"Is it there?"}', undefined]);
  });

  it("is left out when the model refused it, with what it may have changed, and its size with it", () => {
    const steps = [calling(call(editTool("edit_file"), "unknown")), { ...answering, stopReason: "refusal" }];
    expect(JSON.parse(ended({}, steps).facts ?? "")).toMatchObject({ inputTokens: 0 });
    expect(ended({}, steps).omitted).toContain("edit_file (edit_file, outcome unknown)");
    expect(ended().omitted).toBeUndefined();
  });

  it("is left out with a command that failed, and without an edit that did", () => {
    const failed = (name: string, kind: "edit" | "execute") => calling(call({ ...editTool(name), kind }, "failed"));
    const refused = { ...answering, stopReason: "refusal" };
    expect(ended({}, [failed("run_shell", "execute"), failed("edit_file", "edit"), refused]).omitted).toBe(
      "[A turn is left out here, because the model refused it. What it had done before: " +
        "run_shell (run_shell, ended with an error and may have changed something).]",
    );
  });
});

it("what was to be done before a refused turn is known behind it, where that turn has said it again", () => {
  const guidance = { plan: "First this, then that." };
  const state = { context: "<context>", facts: NO_FACTS, notes: {}, guidance };
  const kept = ended({ state }, [{ ...answering, stopReason: "refusal" }]);
  expect(guidanceOf(resumeStateOf(storedFrom(kept)), [])).toEqual(guidance);
});

describe("a thread is resumed", () => {
  it("from what was kept, and can be retold without what the app put before a prompt", () => {
    const thread = anthropicHarness.resume(storedFrom(ended()));
    expect([thread.isResumed, thread.lastModel]).toEqual([true, "claude-sonnet-5-5"]);
    expect(thread.saidTurns()).toEqual([{ runId: "r1", prompt: "Is it there?", answer: "It is there." }]);
    expect(thread.stateWithoutOpening()).toMatchObject({ context: "", facts: { maxBytes: 9_000, inputTokens: 7 } });
  });

  it("and retold with what the person said while a turn ran", () => {
    const checkpoint = {
      prompt: "Delete AAPL",
      said: [{ step: 1, text: "No, MSFT instead" }],
      steps: [calling(call(readTool("read_file"), "completed")), answering],
    };
    const [turn] = anthropicHarness.resume(storedFrom(ended({ checkpoint }))).saidTurns();
    expect(turn?.prompt).toMatch(/^Delete AAPL\n\n\[The person sent this while .*\]\n\nNo, MSFT instead$/);
    expect(turn?.answer).toBe("It is there.");
  });

  it("from nothing", () => {
    const thread = anthropicHarness.resume(NOTHING_STORED);
    expect([thread.isResumed, thread.lastModel, thread.saidTurns()]).toEqual([false, undefined, []]);
  });

  it("without facts that another release wrote, but not from rows that cannot be read", () => {
    const stored = storedFrom(ended());
    const thread = anthropicHarness.resume({ ...stored, facts: '{"another":1}' });
    expect(thread.stateWithoutOpening()).toEqual({ context: "", facts: NO_FACTS, notes: {} });
    const strange = stored.rows.map((row) => ({ ...row, body: '{"type":"text"}' }));
    expect(() => anthropicHarness.resume({ ...stored, rows: strange })).toThrow();
  });

  it("from the turns behind one that was loaded only in part", () => {
    const loaded = ["r1", "r2", "r3"].flatMap((runId) => storedFrom(ended({ runId })).rows);
    const stored = { ...storedFrom(ended()), rows: loaded.slice(4), isCut: true };
    expect(retold(stored)).toEqual(["r3: Is it there?"]);
    // Although the first turn that is sent is among the rows: it is not all there.
    const facts = JSON.stringify({ ...NO_FACTS, cut: { ...NO_CUT, turnsFrom: "r1" } });
    expect(retold({ ...stored, facts })).toEqual(["r3: Is it there?"]);
    expect(retold({ ...stored, facts, rows: loaded, isCut: false })).toHaveLength(3);
  });

  it("when a turn before the first one that is sent is loaded too: that one is complete", () => {
    const facts = JSON.stringify({ ...NO_FACTS, cut: { ...NO_FACTS.cut, turnsFrom: "r1" } });
    const stored = { ...storedFrom(ended()), facts, isCut: true };
    const [older] = ended({ runId: "r0" }).turn.rows.map((row) => ({ ...row, runId: "r0", model: "m" }));
    const rows = older === undefined ? [] : [older, ...stored.rows];
    expect([stored, { ...stored, rows }].map((loaded) => anthropicHarness.hasEnough?.(loaded))).toEqual([false, true]);
  });

  it("with what was left out for a turn, and what else was learned from it, unless the person went back to before it", () => {
    const known = { ...NO_FACTS, dropsBlocks: true, maxBytes: 9_000, noSummaryAt: 80, inputTokens: 90 };
    const loaded = ["r0", "r1"].flatMap((runId) => storedFrom(ended({ runId })).rows);
    const backWith = (by: string): StoredConversation => ({
      ...{ ...NOTHING_STORED, rows: loaded, isRewound: true },
      facts: JSON.stringify({ ...known, cut: { ...NO_CUT, turnsFrom: "r1", by } }),
    });
    const resumed = ["r1", "r2"].map((by) => resumeStateOf(backWith(by)));
    expect(resumed.map(({ turns }) => turns.map(({ runId }) => runId))).toEqual([["r1"], ["r0", "r1"]]);
    expect(resumed.map(({ facts }) => facts)).toEqual([
      { ...NO_FACTS, dropsBlocks: true, maxBytes: 9_000, cut: { ...NO_CUT, turnsFrom: "r1", by: "r1" } },
      { ...NO_FACTS, dropsBlocks: true },
    ]);
    const isEnough = (by: string) => anthropicHarness.hasEnough?.({ ...backWith(by), isCut: true });
    expect([isEnough("r1"), isEnough("r2")]).toEqual([true, false]);
  });
});

describe("what happened to a session's conversation", () => {
  const state = { context: "<context>", facts: { ...NO_FACTS, inputTokens: 90, noSummaryAt: 80 }, notes: {} };

  it("changes what the turn remembers: a summary its size, a new epoch all that was left out", () => {
    const summary = { trigger: "auto", tokensBefore: 90, tokensAfter: 20, summary: "They met.", usage } as const;
    const compacted = anthropicHarness.afterEvent(state, { type: "context_compacted", ...summary }, 1);
    expect(compacted.facts).toEqual({ ...NO_FACTS, inputTokens: 20, noSummaryAt: 0 });
    const reset = (steps: number) =>
      anthropicHarness.afterEvent(state, { type: "context_reset", reason: "Refused." }, steps).facts;
    expect([reset(0), reset(1)]).toEqual([
      { ...NO_FACTS, noSummaryAt: 0 },
      { ...NO_FACTS, noSummaryAt: 0, dropsBlocks: true },
    ]);
  });

  it("is not cut where the epoch before it was, if the turn is left out", () => {
    const cut = { ...NO_CUT, stepsFrom: { runId: "r0", message: 4 } };
    const toldBefore = { instructionsHash: "h1", undoneUpToMs: 5, cut };
    const reset = anthropicHarness.afterEvent(
      { ...state, toldBefore },
      { type: "context_reset", reason: "Refused." },
      0,
    );
    expect(reset.toldBefore).toEqual({ ...toldBefore, cut: NO_CUT });
  });
});

it("a message that a crash left open keeps its text, if there is any", () => {
  expect([anthropicHarness.contentOf("So"), anthropicHarness.contentOf(" ")]).toEqual([
    [{ type: "text", text: "So" }],
    [],
  ]);
});
