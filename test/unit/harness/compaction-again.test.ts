/** A summary that could not be had: when it is asked for again, in the same turn and in later ones. */
import { beforeEach, describe, expect, inject, it } from "vitest";
import type { ConversationFacts, ConversationTurn } from "../../../src/harness/anthropic/conversation.ts";
import { noSummary, summary, toCompaction } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { cutUpload, endEarly, fail, unauthorized } from "../../support/model-troubles.ts";
import { answered, asked, readTurn, resultsOf, saidTurn } from "../../support/sample-turns.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { modelWith, OPENED, resumed, turnRequests, unstopped } from "../../support/turn-requests-world.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";

/** Tokens past which a summary is due in a window of 10,000. */
const DUE = 6_001;

const prompt = asked("And now?");

/** 529, to be asked again at once. */
const busy = (): Reply =>
  toCompaction(fail(529, "overloaded_error", "Overloaded", { headers: { "retry-after-ms": "0" } }));

/** A turn of a conversation with a summary due, or too long for its window, at a model that answers requests for one with these. */
const prepared = async (
  replies: readonly Reply[],
  facts: Partial<ConversationFacts> = { inputTokens: DUE },
  second: ConversationTurn = saidTurn("b"),
) => {
  const script = await scriptModel(inject("modelUrl"), replies);
  const first: ConversationTurn = { ...saidTurn("a"), messages: [asked(script.prompt("Ask a")), answered("Answer a")] };
  const world = turnRequests({
    model: modelWith(),
    resumeState: resumed([first, second, saidTurn("c"), saidTurn("d")]),
    state: { ...OPENED, facts: { ...OPENED.facts, ...facts } },
  });
  await world.requests.prepare([prompt], undefined, unstopped());
  const kept = world.keeper.saved.at(-1)?.facts;
  return { ...world, kept, script, asks: (await script.requests()).length };
};

/** Results that have no room in the window. */
const tooLong = () => readTurn("b", [25_000]);

beforeEach(() => void captureLog());

describe("in the same turn, a summary is asked for once more", () => {
  it.each([
    ["the provider is busy", busy],
    ["the request was cut on its way", () => toCompaction(cutUpload())],
  ])("where %s, so that the conversation is not cut for good", async (_, reply) => {
    const { asks, dropped, keeper, kept, script } = await prepared([reply(), summary("They met.")], {}, tooLong());
    expect([asks, keeper.compactions.length, dropped]).toEqual([2, 1, []]);
    expect(kept?.dropsBlocks).toBe(false);
    expect(await script.violations()).toEqual([]);
  });

  it("and no more than once", async () => {
    const { asks, keeper, requests } = await prepared([busy(), busy(), summary("Late.")], {}, tooLong());
    expect([asks, keeper.compactions]).toEqual([2, []]);
    expect(resultsOf(requests.next([prompt]).messages)).toEqual(["[result removed]"]);
  });

  it.each([
    ["it was paid for", toCompaction(endEarly("They"))],
    ["waiting does not help", toCompaction(unauthorized())],
  ])("but not where %s", async (_, reply) => {
    const { asks, keeper } = await prepared([reply, summary("Late.")]);
    expect([asks, keeper.compactions]).toEqual([1, []]);
  });
});

describe("in a later turn, a summary that failed is asked for", () => {
  it("where the conversation has grown by a quarter, and not before", async () => {
    const { kept } = await prepared([noSummary("refusal")]);
    expect(kept?.noSummaryAt).toBe(DUE);
    const same = await prepared([], { ...kept, inputTokens: 1.25 * DUE });
    expect([same.asks, same.keeper.saved]).toEqual([0, []]);
    const grown = await prepared([summary("They met.")], { ...kept, inputTokens: Math.ceil(1.25 * DUE) });
    expect([grown.asks, grown.keeper.compactions.length, grown.kept?.noSummaryAt]).toEqual([1, 1, 0]);
  });

  it("where it is too long to be sent whole", async () => {
    const { keeper } = await prepared([summary("They met.")], { noSummaryAt: DUE, inputTokens: DUE }, tooLong());
    expect(keeper.compactions).toHaveLength(1);
  });
});
