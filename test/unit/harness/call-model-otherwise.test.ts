/** A model call whose request the provider refuses: shorter and plainer ones are sent at once, and no retry is reported. */
import { describe, expect, inject, it } from "vitest";
import { callModel, type RequestSource } from "../../../src/harness/anthropic/call-model.ts";
import type { ModelRequest } from "../../../src/model/model.ts";
import { ask, modelAt } from "../../support/ask-model.ts";
import { loopWorld } from "../../support/loop-world.ts";
import { say } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import * as trouble from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";

const modelUrl = inject("modelUrl");

/** How many shorter and plainer requests there are. */
const start = async (replies: readonly Reply[], others: { shorter?: number; plainer?: number }) => {
  const left = { shorter: 0, plainer: 0, ...others };
  const accepted: number[] = [];
  const script = await scriptModel(modelUrl, replies);
  const deps = loopWorld(modelAt(modelUrl));
  const request = (system: string): ModelRequest => ask(script.prompt("Hi"), { system: [system] });
  const requests: RequestSource = {
    next: () => request("whole"),
    shorter: async () => (left.shorter-- > 0 ? request("short") : undefined),
    plainer: () => (left.plainer-- > 0 ? request("plain") : undefined),
    accept: async () => void accepted.push((await script.requests()).length),
  };
  const call = () => callModel(1, [], { ...deps, requests }, new AbortController().signal);
  /** What was sent, in order: `whole`, `short` or `plain`. */
  const sent = async () => (await script.requests()).map(({ body }) => Object(body).system[0].text);
  return { deps, accepted, call, sent };
};

/** The provider permanently refuses a request, with a message that nobody knows. */
const refused = (): Reply => trouble.fail(400, "invalid_request_error", "messages.1: something new");

describe("a conversation that is too long", () => {
  it.each<[string, Reply]>([
    ["prompt is too long", trouble.promptTooLong()],
    ["413", trouble.fail(413, "request_too_large", "Too large.")],
  ])("by %s is shortened once, without a word", async (_, reply) => {
    const { call, deps, sent } = await start([reply, say("Hello")], { shorter: 1 });
    expect(await call()).toMatchObject({ type: "answered", message: { text: "Hello" } });
    expect([deps.journal.commits, deps.waits]).toEqual([["open m2"], []]);
    expect(await sent()).toEqual(["whole", "short"]);
  });

  it("is shortened as often as there is something left to leave out", async () => {
    const tooLong = Array.from({ length: 3 }, trouble.promptTooLong);
    const { call, sent } = await start([...tooLong, say("Hello")], { shorter: 3 });
    expect(await call()).toMatchObject({ type: "answered" });
    expect(await sent()).toEqual(["whole", "short", "short", "short"]);
  });

  it("fails when shortening was not enough", async () => {
    const { call, sent } = await start([trouble.promptTooLong(), trouble.promptTooLong()], { shorter: 1 });
    expect(await call()).toMatchObject({ type: "failed", error: { code: "context_too_long" } });
    expect(await sent()).toEqual(["whole", "short"]);
  });

  it("is not asked again where nothing can be left out", async () => {
    const { call, deps, sent } = await start([trouble.promptTooLong()], { shorter: 0 });
    expect(await call()).toMatchObject({ type: "failed", error: { code: "context_too_long" } });
    expect([deps.waits, await sent()]).toEqual([[], ["whole"]]);
  });

  it("is asked differently only so often, whatever the provider makes of it", async () => {
    const inTurns = Array.from({ length: 40 }, (_, nth) => (nth % 2 === 0 ? trouble.promptTooLong() : refused()));
    const { call, sent } = await start(inTurns, { shorter: 100, plainer: 100 });
    expect(await call()).toMatchObject({ type: "failed" });
    expect(await sent()).toHaveLength(17);
  });

  it("keeps its four tries, and stays short in them", async () => {
    const replies = [trouble.promptTooLong(), ...Array.from({ length: 4 }, trouble.overloaded)];
    const { call, deps, sent } = await start(replies, { shorter: 1 });
    expect(await call()).toMatchObject({ type: "failed", error: { code: "model_overloaded" } });
    expect(deps.journal.retries.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(await sent()).toEqual(["whole", "short", "short", "short", "short"]);
  });
});

describe("a conversation that is permanently refused", () => {
  it("is sent plainer at once, without a word to anybody", async () => {
    const { accepted, call, deps, sent } = await start([refused(), say("Hello")], { plainer: 1 });
    expect(await call()).toMatchObject({ type: "answered", message: { messageId: "m2", text: "Hello" } });
    expect(await sent()).toEqual(["whole", "plain"]);
    expect([deps.journal.commits, deps.waits, accepted]).toEqual([["open m2"], [], [2]]);
  });

  it("is sent plainer twice at most, and fails then, with what the provider said last", async () => {
    const { accepted, call, deps, sent } = await start([refused(), refused(), refused(), say("never sent")], {
      shorter: 1,
      plainer: 2,
    });
    expect(await call()).toMatchObject({ type: "failed", error: { code: "model_invalid_request" } });
    expect(await sent()).toEqual(["whole", "plain", "plain"]);
    expect([deps.journal.commits, accepted]).toEqual([[], []]);
  });

  it("and then too long is shortened", async () => {
    const replies = [refused(), trouble.promptTooLong(), say("Hello")];
    const { call, sent } = await start(replies, { shorter: 1, plainer: 1 });
    expect(await call()).toMatchObject({ type: "answered" });
    expect(await sent()).toEqual(["whole", "plain", "short"]);
  });

  it("stays plain in the tries that follow", async () => {
    const replies = [refused(), trouble.overloaded(), say("Hello")];
    const { call, deps, sent } = await start(replies, { plainer: 1 });
    await call();
    expect(await sent()).toEqual(["whole", "plain", "plain"]);
    expect(deps.journal.commits).toEqual(["retry 1 model_overloaded", "open m3"]);
  });

  it.each<[string, Reply]>([
    ["the credential", trouble.unauthorized()],
    ["the model's name", trouble.fail(404, "not_found_error", "model: x")],
    ["the account's money", trouble.spendLimitReached()],
    ["the answer", trouble.fail(400, "invalid_request_error", "Output blocked by content filtering policy")],
    ["a body that could not be processed", trouble.fail(422, "invalid_request_error", "No.")],
  ])("is not what a failure over %s is", async (_, reply) => {
    const { call, sent } = await start([reply, say("never sent")], { shorter: 1, plainer: 1 });
    expect(await call()).toMatchObject({ type: "failed" });
    expect(await sent()).toEqual(["whole"]);
  });
});

describe("a request that may have been cut on its way to the provider", () => {
  it.each<[string, () => Reply]>([
    ["ends too early", trouble.cutUpload],
    ["was refused by something in between", trouble.badGatewayRequest],
  ])("and %s is sent again as it is, without a word", async (_, reply) => {
    const { call, deps, sent } = await start([reply(), say("Hello")], { plainer: 1 });
    expect(await call()).toMatchObject({ type: "answered", message: { text: "Hello" } });
    expect(await sent()).toEqual(["whole", "whole"]);
    expect([deps.journal.commits, deps.waits]).toEqual([["open m2"], []]);
  });

  it("is sent plainer when it is refused in the same way again", async () => {
    const { call, sent } = await start([trouble.cutUpload(), trouble.badGatewayRequest(), say("Hello")], {
      plainer: 1,
    });
    expect(await call()).toMatchObject({ type: "answered" });
    expect(await sent()).toEqual(["whole", "whole", "plain"]);
  });
});

describe("the provider has taken a request", () => {
  it("that it refuses in the middle of its answer, such as for what it was about to say: none is sent plainer", async () => {
    const broken = trouble.errorMidStream("Hel", "invalid_request_error");
    const { call, deps, sent } = await start([broken, say("never sent")], { plainer: 1 });
    expect(await call()).toMatchObject({ type: "failed", error: { code: "model_invalid_request" } });
    expect([await sent(), deps.journal.commits]).toEqual([["whole"], ["open m1", "close 1 error"]]);
  });

  it("before the message opens, and once for each that it answers", async () => {
    const { accepted, call, deps } = await start([trouble.cutMidEvent("Hel"), say("Hello", { deltas: 3 })], {});
    const acceptedBefore: number[] = [];
    deps.journal.afterCommit = (commit) => commit.startsWith("open") && acceptedBefore.push(accepted.length);
    await call();
    expect([acceptedBefore, accepted]).toEqual([
      [1, 2],
      [1, 2],
    ]);
  });

  it("nowhere where it has refused, or is too busy", async () => {
    const { accepted, call } = await start([trouble.overloaded(), trouble.unauthorized()], {});
    await call();
    expect(accepted).toEqual([]);
  });
});
