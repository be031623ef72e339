/** When a summary is due and what it covers, and summaries that a person asks for. */
import { describe, expect, inject, it } from "vitest";
import {
  compactByHand,
  coveredTurns,
  estimateTokens,
  isCompactionDue,
} from "../../../src/harness/anthropic/compaction.ts";
import { NO_CUT, NO_FACTS } from "../../../src/harness/anthropic/conversation.ts";
import { MAX_COMPACTION_MS } from "../../../src/harness/turn.ts";
import { noSummary, summary } from "../../support/model-script.ts";
import { answered, asked, conversationOf, readStep, readTurn, saidTurn, turnOf } from "../../support/sample-turns.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import {
  modelWith,
  modelWithoutSummaries,
  OPENED,
  PREFIX,
  resumed,
  turnRequests,
  unstopped,
} from "../../support/turn-requests-world.ts";
import { watchTimers } from "../../support/watch-timers.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";

describe("a summary is due", () => {
  it.each([
    [1_000_000, 150_000, false],
    [1_000_000, 150_001, true],
    [200_000, 120_000, false],
    [200_000, 120_001, true],
  ])("in a window of %i tokens at %i: %s", (contextTokens, inputTokens, isDue) => {
    expect(isCompactionDue(contextTokens, inputTokens)).toBe(isDue);
  });
});

describe("a summary covers", () => {
  const unanswered = (runId: string) => turnOf(runId, [asked("Read"), ...readStep(runId, "found")]);
  const covered = (...turns: Parameters<typeof coveredTurns>[0]) => coveredTurns(turns).map(({ runId }) => runId);

  it("all turns but the two newest", () => {
    expect(covered(...["a", "b", "c", "d"].map((name) => saidTurn(name)))).toEqual(["a", "b"]);
  });

  it("nothing of so few turns", () => {
    expect([covered(), covered(saidTurn("a")), covered(saidTurn("a"), saidTurn("b"))]).toEqual([[], [], []]);
  });

  it("no turn that ends without the model's words: the prompt behind it would join it", () => {
    expect(covered(saidTurn("a"), unanswered("b"), unanswered("c"), saidTurn("d"), saidTurn("e"))).toEqual(["a"]);
    expect(covered(unanswered("a"), saidTurn("b"), saidTurn("c"), saidTurn("d"))).toEqual(["a", "b"]);
    expect(covered(unanswered("a"), saidTurn("b"), saidTurn("c"))).toEqual([]);
  });
});

it("the tokens of a request that nobody has counted are a quarter of its bytes", () => {
  const base = { model: modelWith(), prefix: { ...PREFIX, bytes: 400 }, effort: undefined, dropsBlocks: false };
  const tokens = estimateTokens(conversationOf([turnOf("a", [asked("x".repeat(4_000))])]), base);
  expect([tokens > 1_100, tokens < 1_130]).toEqual([true, true]);
});

describe("a summary by hand", () => {
  const start = async (replies: Parameters<typeof scriptModel>[1], model = modelWith()) => {
    const script = await scriptModel(inject("modelUrl"), replies);
    const first = turnOf("a", [asked(script.prompt("Ask a")), answered("Answer a")]);
    const turns = [first, saidTurn("b"), saidTurn("c"), saidTurn("d")];
    const facts = { ...NO_FACTS, prefixHash: PREFIX.hash, inputTokens: 500 };
    const ask = (kept = turns, known = facts, prefix = PREFIX) =>
      compactByHand(resumed(kept, { facts: known }), model, prefix);
    return { ask, script, turns, facts };
  };

  it("covers what one of a turn's own would, however short the conversation is", async () => {
    const { ask, script } = await start([summary("They met.")]);
    const done = await ask();
    expect(done).toMatchObject({
      compaction: {
        ...{ upToRunId: "b", model: "claude-sonnet-5-5", block: expect.stringContaining('"content":"They met."') },
        event: { trigger: "manual", tokensBefore: 500, summary: "They met." },
      },
      tokensBefore: 500,
    });
    expect(Object(done).tokensAfter).toBe(Object(done).compaction.event.tokensAfter);
    expect((await script.requests()).map(({ body }) => Object(body).messages.length)).toEqual([4]);
    expect(await script.violations()).toEqual([]);
  });

  it("takes away the tokens of what it covers, and adds those of its own words", async () => {
    const { ask, facts, turns } = await start([summary("They met."), summary("They met.")]);
    const done = Object(await ask());
    expect([done.tokensAfter > 150, done.tokensAfter < 300]).toEqual([true, true]);
    const behindLongRules = Object(await ask(turns, facts, { ...PREFIX, bytes: 1_000_000 }));
    expect(behindLongRules.tokensAfter).toBe(500 + 5);
  });

  it("is asked for under the rules that hold now: thinking that does not fit them may be dropped", async () => {
    const { ask, facts, script, turns } = await start([summary("They met.")]);
    await ask(turns, { ...facts, prefixHash: "prefix-0" });
    const [request] = await script.requests();
    expect(request?.body.thinking).toMatchObject({ block_binding: { prefix_mismatch_behavior: "drop_block" } });
  });

  it.each([
    ["there is nothing to summarize", modelWith(), 2],
    ["the model writes none", modelWithoutSummaries(), 4],
  ])("is none, and changes no figure, where %s", async (_, model, count) => {
    const { ask, script, turns } = await start([], model);
    expect(await ask(turns.slice(0, count))).toEqual({ compaction: undefined, tokensBefore: 500, tokensAfter: 500 });
    expect(await script.requests()).toEqual([]);
  });

  it("has an estimate for its figures where nothing was counted", async () => {
    const { ask, facts, turns } = await start([]);
    const done = Object(await ask(turns.slice(0, 1), { ...facts, inputTokens: 0 }));
    expect([done.tokensBefore > 10, done.tokensAfter === done.tokensBefore]).toEqual([true, true]);
  });

  it("leaves no time limit behind, which would keep its object in memory", async () => {
    const { ask } = await start([summary("They met.")]);
    const timers = watchTimers();
    expect(await ask()).toMatchObject({ compaction: { upToRunId: "b" } });
    expect([timers.set(MAX_COMPACTION_MS), timers.left(MAX_COMPACTION_MS)]).toEqual([1, 0]);
  });

  it("has failed when the provider returns none", async () => {
    captureLog();
    const { ask } = await start([noSummary("max_tokens")]);
    expect(await ask()).toEqual({
      failed: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
    });
  });
});

describe("results that were left out before a summary", () => {
  const RESULT = "x".repeat(15_000);

  /** A conversation with results left out before this message, of which the first two turns are summarized. */
  const start = async (runId: string, message: number) => {
    const script = await scriptModel(inject("modelUrl"), [summary("They met.")]);
    const first = turnOf("a", [asked(script.prompt("Ask a")), ...readStep("p", RESULT), answered("Answer a")]);
    const cut = { ...NO_CUT, resultsBefore: { runId, message } };
    const facts = { ...NO_FACTS, prefixHash: PREFIX.hash, inputTokens: 6_001, cut };
    const sent = async () => JSON.stringify((await script.requests()).map(({ body }) => body.messages));
    const turns = [first, readTurn("b", [20, 21]), readTurn("c", [3_000]), saidTurn("d")];
    return { facts, resumeState: resumed(turns, { facts }), sent };
  };

  it.each([
    ["the turns that it covers", "b", 3, [2, 1]],
    ["a turn that it does not cover", "c", 3, [3, 0]],
  ])("in %s are not sent for it, and not counted", async (_, runId, message, [removed, whole]) => {
    const { resumeState, sent } = await start(runId, message);
    const { tokensAfter } = Object(await compactByHand(resumeState, modelWith(), PREFIX));
    expect((await sent()).split("[result removed]").length - 1).toBe(removed);
    expect([(await sent()).split("x".repeat(21)).length - 1, tokensAfter > 5]).toEqual([whole, true]);
  });

  it("in the running turn are not sent for it either", async () => {
    const { facts, resumeState, sent } = await start("now", 3);
    const { keeper, requests } = turnRequests({ model: modelWith(), resumeState, state: { ...OPENED, facts } });
    await requests.prepare([asked("And now?"), ...readStep("q", "found")], undefined, unstopped());
    expect((await sent()).split("[result removed]").length - 1).toBe(3);
    expect(keeper.compactions).toMatchObject([{ upToRunId: "b", event: { summary: "They met." } }]);
    expect(keeper.saved.at(-1)?.facts.inputTokens).toBeGreaterThan(5);
  });
});
