/** A summary of earlier turns, when one is due: at a turn's start and in its middle, and what happens when there is none. */
import { describe, expect, inject, it } from "vitest";
import type { ConversationTurn, TurnState } from "../../../src/harness/anthropic/conversation.ts";
import type { RequestParts } from "../../../src/harness/anthropic/turn-requests.ts";
import { instructionsText } from "../../../src/harness/turn-context.ts";
import { toMessagesParams } from "../../../src/model/anthropic/anthropic-request.ts";
import { ModelFailure } from "../../../src/model/model-failure.ts";
import { noSummary, summary, toCompaction } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { endEarly, holdBefore, unauthorized } from "../../support/model-troubles.ts";
import {
  answered,
  asked,
  askedBehind,
  readStep,
  readTurn,
  resultsOf,
  saidTurn,
  textsOf,
} from "../../support/sample-turns.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { modelWith, OPENED, resumed, turnRequests, unstopped } from "../../support/turn-requests-world.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";

/** Tokens past which a summary is due in a window of 10,000. */
const DUE = 6_001;
const usage = (inputTokens: number) => ({ inputTokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 });
const facts = (inputTokens: number): TurnState => ({ ...OPENED, facts: { ...OPENED.facts, inputTokens } });

const prompt = asked("And now?");
const found = { path: "AGENTS.md", text: "Be brief.", isCut: false, hash: "h" };
const isDue = { state: facts(DUE) };

type EarlierTurns = (first: ConversationTurn) => ConversationTurn[];
const threeMore: EarlierTurns = (first) => [first, ...["b", "c", "d"].map((name) => saidTurn(name))];

/** Earlier turns, four of them, of a model that answers requests for summaries with these. */
const start = async (
  replies: readonly Reply[],
  parts: Partial<RequestParts> = {},
  turnsFrom: EarlierTurns = threeMore,
) => {
  const script = await scriptModel(inject("modelUrl"), replies);
  const first: ConversationTurn = { ...saidTurn("a"), messages: [asked(script.prompt("Ask a")), answered("Answer a")] };
  const world = turnRequests({ model: modelWith(), resumeState: resumed(turnsFrom(first)), ...parts });
  const asksForSummary = async () => (await script.requests()).map(({ body }) => body);
  return { ...world, script, first, asksForSummary };
};

const summaryBlock = {
  type: "opaque",
  block: { type: "compaction", content: "They met.", signature: expect.any(String) },
};

describe("a summary that is due", () => {
  it("at a turn's start covers all but the two newest turns, which follow it whole", async () => {
    const { asksForSummary, first, keeper, requests, script } = await start([summary("They met.")], isDue);
    await requests.prepare([prompt], undefined, unstopped());
    const [body] = await asksForSummary();
    expect(textsOf(requests.next([prompt]).messages)).toEqual([
      ...["Ask c", "Answer c", "Ask d", "Answer d"],
      ...["<context>", "And now?"],
    ]);
    expect(requests.next([prompt]).messages[0]).toEqual({ role: "assistant", content: [summaryBlock] });
    expect(body).toMatchObject({ compaction: { type: "summarize" }, system: [{ text: "Rules." }] });
    expect(body?.messages).toEqual(
      toMessagesParams({ ...requests.next([]), messages: [...first.messages, ...saidTurn("b").messages] }).messages,
    );
    expect(keeper.compactions).toEqual([
      {
        ...{ upToRunId: "b", block: summaryBlock, model: "claude-sonnet-5-5", guidance: {} },
        event: {
          ...{ trigger: "auto", tokensBefore: DUE, tokensAfter: expect.any(Number), summary: "They met." },
          usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
        },
      },
    ]);
    expect(await script.violations()).toEqual([]);
  });

  it("is reported with what is left: less than before by what it covers, more by its own words", async () => {
    const { keeper, requests } = await start([summary("They met.", { usage: { output: 7 } })], isDue);
    await requests.prepare([prompt], undefined, unstopped());
    const after = keeper.compactions[0]?.event.tokensAfter ?? 0;
    expect([after > 7 + DUE / 4, after < DUE]).toEqual([true, true]);
    expect(keeper.saved.at(-1)?.facts.inputTokens).toBe(after);
  });

  it("in the middle of a turn is known by what the last answer has used", async () => {
    const { keeper, requests } = await start([summary("They met.")], { state: facts(10) });
    const current = [prompt, ...readStep("p", "found")];
    await requests.prepare([prompt], undefined, unstopped());
    expect(keeper.compactions).toEqual([]);
    await requests.prepare(current, usage(DUE), unstopped());
    expect(keeper.compactions).toMatchObject([{ event: { tokensBefore: DUE } }]);
    expect(requests.next(current).messages.slice(-3)).toEqual([
      askedBehind("<context>", "And now?"),
      ...current.slice(1),
    ]);
  });

  it("is known by an estimate where nothing was sent before", async () => {
    const { asksForSummary, requests } = await start([summary("They met.")], {
      ...{ state: facts(0), prefix: { system: ["Rules."], tools: [], hash: "prefix-1", bytes: 4 * DUE } },
    });
    await requests.prepare([prompt], undefined, unstopped());
    expect(await asksForSummary()).toHaveLength(1);
  });

  it("comes before anything is left out, also where the provider has counted less", async () => {
    const turns: EarlierTurns = (first) => [first, readTurn("b", [25_000]), saidTurn("c"), saidTurn("d")];
    const { keeper, requests } = await start([summary("They met.")], { state: facts(10) }, turns);
    await requests.prepare([prompt], undefined, unstopped());
    expect(keeper.compactions).toHaveLength(1);
    expect(requests.next([prompt]).dropsBlocks).toBe(false);
  });

  it.each([
    ["it is not", facts(DUE - 1)],
    ["nothing was sent and the conversation is short", facts(0)],
  ])("is not asked for where %s", async (_, state) => {
    const { asksForSummary, keeper, requests } = await start([], { state });
    await requests.prepare([prompt], undefined, unstopped());
    expect([await asksForSummary(), keeper.saved]).toEqual([[], []]);
  });

  it("is not asked for again in the turn, however much it grows: nothing old is left", async () => {
    const { asksForSummary, requests } = await start([summary("They met."), summary("Again.")], isDue);
    await requests.prepare([prompt], undefined, unstopped());
    await requests.prepare([prompt, ...readStep("p", "found")], usage(DUE), unstopped());
    expect(await asksForSummary()).toHaveLength(1);
  });

  it("has the earlier summary in what it covers", async () => {
    const { asksForSummary, keeper, requests, script, first } = await start(
      [summary("Once."), summary("Twice.")],
      isDue,
    );
    await requests.prepare([prompt], undefined, unstopped());
    const compaction = keeper.compactions[0]?.block;
    const later = turnRequests({
      ...{ model: modelWith(), ...isDue },
      resumeState: resumed([saidTurn("c"), { ...first, runId: "e" }, saidTurn("f"), saidTurn("g")], { compaction }),
    });
    await later.requests.prepare([prompt], undefined, unstopped());
    expect((await asksForSummary())[1]?.messages).toMatchObject([
      { content: [{ type: "compaction", content: "Once." }] },
      {},
      {},
      {},
      {},
    ]);
    expect(later.keeper.compactions).toMatchObject([{ upToRunId: "e", event: { summary: "Twice." } }]);
    expect(await script.violations()).toEqual([]);
  });
});

describe("turns that were left out before a summary was due", () => {
  const state = facts(DUE);
  const cutFrom = (turnsFrom: string): TurnState => ({
    ...state,
    facts: { ...state.facts, cut: { ...state.facts.cut, turnsFrom } },
  });

  it("are not sent for it, and what they were cut by goes", async () => {
    const turns: EarlierTurns = (first) => [saidTurn("gone"), first, saidTurn("b"), saidTurn("c")];
    const { asksForSummary, keeper, requests } = await start([summary("Met.")], { state: cutFrom("a") }, turns);
    await requests.prepare([prompt], undefined, unstopped());
    expect(JSON.stringify(await asksForSummary())).not.toContain("Ask gone");
    expect(keeper.saved.at(-1)?.facts.cut.turnsFrom).toBeNull();
    expect(textsOf(requests.next([prompt]).messages)[0]).toBe("Ask b");
  });

  it("leave nothing to summarize where only the newest are sent", async () => {
    const { asksForSummary, keeper, requests } = await start([], { state: cutFrom("c") });
    await requests.prepare([prompt], undefined, unstopped());
    expect([await asksForSummary(), keeper.compactions]).toEqual([[], []]);
  });
});

describe("project instructions that a summary covers", () => {
  const known: TurnState = { ...facts(DUE), facts: { ...facts(DUE).facts, instructionsHash: "h" } };
  const compacted = async (state: TurnState, current = [prompt], more: Partial<RequestParts> = {}) => {
    const { keeper, requests } = await start([summary("They met.")], {
      ...{ state, readInstructions: async () => found },
      ...more,
    });
    await requests.prepare(current, usage(DUE), unstopped());
    return { kept: keeper.saved.at(-1), last: requests.next(current).messages.at(-1) };
  };

  it("are said again before the prompt, where the turn begins", async () => {
    const { kept, last } = await compacted(known);
    expect(last).toEqual(askedBehind(`<context>\n${instructionsText(found)}`, "And now?"));
    expect([kept?.context, kept?.notes]).toEqual([`<context>\n${instructionsText(found)}`, {}]);
  });

  it("are repeated after the newest results, when the turn has come further", async () => {
    const current = [prompt, ...readStep("p1", "one"), ...readStep("p2", "two")];
    const { kept, last } = await compacted({ ...known, notes: { 1: "A note." } }, current);
    expect([resultsOf([last ?? prompt]), textsOf([last ?? prompt])]).toEqual([["two"], [instructionsText(found)]]);
    expect(kept?.notes).toEqual({ 1: "A note.", 2: instructionsText(found) });
  });

  it("are not repeated where this turn has brought them itself", async () => {
    const { kept } = await compacted({ ...known, context: `<context>${instructionsText(found)}` });
    expect([kept?.context, kept?.notes]).toEqual([`<context>${instructionsText(found)}`, {}]);
  });

  it.each([
    ["the model never had any", facts(DUE), async () => found],
    ["there are none any more", known, async () => "none" as const],
    ["the workspace does not say", known, async () => "unknown" as const],
  ])("are not said where %s", async (_, state, readInstructions) => {
    const { kept } = await compacted(state, [prompt], { readInstructions });
    expect([kept?.context, kept?.notes]).toEqual(["<context>", {}]);
  });
});

describe("a summary that does not come about", () => {
  it.each<[string, Reply]>([
    ["is refused", toCompaction(unauthorized())],
    ["is empty", noSummary("max_tokens")],
  ])("because it %s leaves the turn as it is, and is asked for once a turn", async (_, reply) => {
    const log = captureLog();
    const { asksForSummary, keeper, requests } = await start([reply, summary("Late.")], isDue);
    await requests.prepare([prompt], undefined, unstopped());
    await requests.prepare([prompt, ...readStep("p", "found")], usage(DUE), unstopped());
    expect([keeper.compactions, (await asksForSummary()).length]).toEqual([[], 1]);
    expect(requests.next([prompt]).messages).toHaveLength(9);
    expect(log.lines({ level: "warn", message: "No summary." })).toHaveLength(1);
  });

  it("is not asked for again behind a wait or a crash, and is paid for once", async () => {
    captureLog();
    const { asksForSummary, dropped, keeper, requests } = await start([noSummary("refusal"), summary("Late.")], isDue);
    await requests.prepare([prompt], undefined, unstopped());
    const later = await start([], { state: keeper.saved.at(-1) ?? OPENED });
    await later.requests.prepare([prompt, ...readStep("p", "found")], usage(DUE), unstopped());
    expect([(await asksForSummary()).length, later.dropped]).toEqual([1, []]);
    expect(dropped).toEqual([{ ...usage(10), outputTokens: 5 }]);
  });

  it("is paid for as far as the provider has said where its stream breaks off", async () => {
    captureLog();
    const { dropped, requests } = await start([toCompaction(endEarly("They"))], isDue);
    await requests.prepare([prompt], undefined, unstopped());
    expect(dropped).toMatchObject([{ inputTokens: 10, outputTokens: 1 }]);
  });

  it("costs nothing where it was refused before it began", async () => {
    captureLog();
    const { dropped, requests } = await start([toCompaction(unauthorized())], isDue);
    await requests.prepare([prompt], undefined, unstopped());
    expect(dropped).toEqual([]);
  });

  it("lets the conversation be shortened where it is too long", async () => {
    captureLog();
    const turns: EarlierTurns = (first) => [first, readTurn("b", [25_000]), saidTurn("c"), saidTurn("d")];
    const { keeper, requests } = await start([noSummary("refusal")], {}, turns);
    await requests.prepare([prompt], undefined, unstopped());
    expect(resultsOf(requests.next([prompt]).messages)).toEqual(["[result removed]"]);
    // That there is no summary, and what is left out.
    expect(keeper.saved).toHaveLength(2);
  });

  it("because the turn is stopped is not a failure, and what it has read is paid for", async () => {
    const log = captureLog();
    const { dropped, keeper, requests, script } = await start([toCompaction(holdBefore(summary("Late.")))], isDue);
    const abort = new AbortController();
    const preparing = requests.prepare([prompt], undefined, abort.signal);
    await script.reaches(1, "held");
    abort.abort();
    await preparing;
    expect([keeper.saved, log.text()]).toEqual([[], ""]);
    // All that the request holds, estimated: the provider says it at the end only.
    expect(dropped).toMatchObject([{ inputTokens: expect.any(Number), outputTokens: 0 }]);
    expect(dropped[0]?.inputTokens).toBeGreaterThan(0);
  });

  it("because the turn is stopped is paid for as far as the provider has said", async () => {
    captureLog();
    const taken = { ...usage(150), outputTokens: 3 };
    const abort = new AbortController();
    const compact = async () => {
      abort.abort();
      const cut = new ModelFailure("model_unavailable", "The model gave no summary.", { isRetryable: false });
      cut.taken = taken;
      throw cut;
    };
    const { dropped, keeper, requests } = await start([], { ...isDue, model: { ...modelWith(), compact } });
    await requests.prepare([prompt], undefined, abort.signal);
    expect([dropped, keeper.saved]).toEqual([[taken], []]);
  });
});
