/** When a summary is due and what it covers, and summaries that a person asks for. */
import { describe, expect, inject, it } from "vitest";
import {
  compactByHand,
  coveredTurns,
  estimateTokens,
  isCompactionDue,
} from "../../../src/harness/anthropic/compaction.ts";
import { NO_FACTS } from "../../../src/harness/anthropic/conversation.ts";
import { noSummary, summary } from "../../support/model-script.ts";
import { answered, asked, conversationOf, readStep, saidTurn, turnOf } from "../../support/sample-turns.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { modelWith, modelWithoutSummaries, PREFIX, resumed } from "../../support/turn-requests-world.ts";
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

  it("has failed when the provider returns none", async () => {
    captureLog();
    const { ask } = await start([noSummary("max_tokens")]);
    expect(await ask()).toEqual({
      failed: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
    });
  });
});
