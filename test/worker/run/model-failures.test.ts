/** What a turn does when the model fails: tries again where that can help, says so, and ends in order (api.md §3). */
import { describe, inject, it, type TestContext } from "vitest";
import { callTool, say } from "../../support/model-script.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import {
  cutMidEvent,
  endEarly,
  errorMidStream,
  fail,
  malformed,
  overloaded,
  promptTooLong,
  rateLimited,
  serverError,
  unauthorized,
} from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { ofType, theOnly } from "../../support/workerd/of-type.ts";
import { kinds, type ReceivedEvent } from "../../support/workerd/run-client.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const OPENING = ["run_start", "user_message"];
const SAID = ["message_start", "text_delta", "message_end"];

const NOW = { "retry-after-ms": "1" };

/** A new person's turn, read to its end. A test that runs beside others gives its context. */
const endedTurn = async (replies: readonly Reply[], test?: Pick<TestContext, "onTestFinished">) => {
  const model = await scriptModel(inject("modelUrl"), replies);
  const client = somebody(test?.onTestFinished);
  const turn = await client.startTurn("t", model.prompt("Hello"));
  return { model, client, runId: turn.runId, events: await client.events(turn.events) };
};

const atRetry = (attempt: number, act: () => Promise<void>) => async (event: ReceivedEvent) => {
  if (event.type === "model_retry" && event.attempt === attempt) await act();
};

// Side by side: what the provider gives no time for is tried again after a whole second.
describe.concurrent("a model call that is tried again", () => {
  it.for([
    ["429", rateLimited(NOW), "model_rate_limited"],
    ["529", fail(529, "overloaded_error", "Overloaded", { headers: NOW }), "model_overloaded"],
    ["500", fail(500, "api_error", "Internal server error", { headers: NOW }), "model_unavailable"],
    ["503", fail(503, "api_error", "Unavailable", { headers: NOW }), "model_unavailable"],
  ] as const)("after %s is announced, and the turn goes on", async ([, reply, reason], test) => {
    const { expect } = test;
    const { model, events } = await endedTurn([reply, say("Hi.")], test);
    expect(kinds(events)).toEqual([...OPENING, "model_retry", ...SAID, "run_end"]);
    expect(theOnly(events, "model_retry")).toMatchObject({ attempt: 1, delayMs: expect.any(Number), reason });
    expectWhole(events, "completed");
    expect(await model.requests()).toHaveLength(2);
    expect(await model.violations()).toEqual([]);
  });

  it("waits as long as retry-after asks", async (test) => {
    const { expect } = test;
    const { events } = await endedTurn([rateLimited({ "retry-after": "1" }), say("Hi.")], test);
    const retry = theOnly(events, "model_retry");
    expect(retry.delayMs).toBe(1_000);
    const waitedMs = Date.parse(theOnly(events, "message_start").at) - Date.parse(retry.at);
    expect(waitedMs).toBeGreaterThanOrEqual(990);
  });

  it.for([
    ["is cut in the middle of an event", cutMidEvent("Half"), "model_unavailable"],
    ["ends before its end", endEarly("Half"), "model_unavailable"],
    ["sends what is no JSON", malformed("Half"), "model_unavailable"],
    ["reports an overload", errorMidStream("Half"), "model_overloaded"],
    ["reports a failure", errorMidStream("Half", "api_error"), "model_unavailable"],
    ["reports a rate limit", errorMidStream("Half", "rate_limit_error"), "model_rate_limited"],
  ] as const)(
    "because it %s discards what was said; the next message has a new id",
    async ([, reply, reason], test) => {
      const { expect } = test;
      const { model, events } = await endedTurn([reply, say("Whole.")], test);
      expect(kinds(events)).toEqual([
        ...[...OPENING, "message_start", "text_delta", "message_discard", "model_retry", ...SAID, "run_end"],
      ]);
      const [first, second] = ofType(events, "message_start");
      expect(theOnly(events, "message_discard")).toMatchObject({ messageId: first?.messageId, reason: "retry" });
      expect(theOnly(events, "model_retry")).toMatchObject({ attempt: 1, reason });
      expect(second?.messageId).not.toBe(first?.messageId);
      expect(second?.step).toBe(first?.step);
      expect(theOnly(events, "message_end")).toMatchObject({ messageId: second?.messageId, text: "Whole." });
      expectWhole(events, "completed");
      expect(await model.violations()).toEqual([]);
    },
  );

  it("waits before it, longer each time, when nobody says how long", async (test) => {
    const { expect } = test;
    const model = await scriptModel(inject("modelUrl"), [overloaded(), serverError(), say("Never.")]);
    const client = somebody(test.onTestFinished);
    const { runId, events } = await client.startTurn("t", model.prompt("Hello"));
    const stop = async () => void (await client.abort(runId));
    const retries = ofType(await client.followWith(events, atRetry(2, stop)), "model_retry");
    expect(retries).toMatchObject([
      { attempt: 1, reason: "model_overloaded" },
      { attempt: 2, reason: "model_unavailable" },
    ]);
    const [first, second] = retries.map(({ delayMs }) => delayMs);
    expect(first).toBeGreaterThanOrEqual(1_000);
    expect(second).toBeGreaterThanOrEqual(8_000);
  });

  it("does not run the tools of an earlier step again", async (test) => {
    const { expect } = test;
    const { events } = await endedTurn([callTool("list-stocks", {}), rateLimited(NOW), say("Hi.")], test);
    expect(kinds(events)).toEqual([
      ...[...OPENING, "message_start", "message_end", "tool_start", "tool_end", "model_retry", ...SAID, "run_end"],
    ]);
  });

  it("is sent the same as before: nothing of a discarded message", async (test) => {
    const { expect } = test;
    const { model } = await endedTurn([errorMidStream("Half"), say("Whole.")], test);
    const [first, second] = await model.requests();
    expect(second?.body).toEqual(first?.body);
  });
});

describe("a model call that fails permanently", () => {
  it("after four tries ends the turn with the failure's code", async ({ expect }) => {
    const replies = Array.from({ length: 4 }, () => rateLimited(NOW));
    const { model, client, runId, events } = await endedTurn([...replies, say("Never.")]);
    expect(kinds(events)).toEqual([...OPENING, "model_retry", "model_retry", "model_retry", "run_end"]);
    expect(ofType(events, "model_retry").map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    const error = { code: "model_rate_limited", message: expect.stringMatching(/\S/) };
    expect(events.at(-1)).toMatchObject({ status: "failed", stopReason: "error", error });
    expect(await client.view(runId)).toMatchObject({ status: "failed", error });
    expect(await model.requests()).toHaveLength(4);
  });

  it("in the middle of a text keeps what it said last", async ({ expect }) => {
    const { events } = await endedTurn([cutMidEvent("One"), rateLimited(NOW), rateLimited(NOW), cutMidEvent("Four")]);
    const discarded = ["message_start", "text_delta", "message_discard"];
    const retries = ["model_retry", "model_retry", "model_retry"];
    expect(kinds(events)).toEqual([...OPENING, ...discarded, ...retries, ...SAID, "run_end"]);
    expect(theOnly(events, "message_end")).toMatchObject({ text: "Four", stopReason: "error" });
    expect(theOnly(events, "run_end")).toMatchObject({ status: "failed", error: { code: "model_unavailable" } });
    expectWhole(events, "failed");
  });

  it.for([
    ["400", fail(400, "invalid_request_error", "Bad."), "model_invalid_request"],
    ["401", unauthorized(), "model_auth"],
    ["403", fail(403, "permission_error", "No."), "model_auth"],
    ["404", fail(404, "not_found_error", "No such model."), "model_invalid_request"],
    ["422", fail(422, "invalid_request_error", "Bad."), "model_invalid_request"],
  ] as const)("with %s is not tried again", async ([, reply, code], { expect }) => {
    const { model, events } = await endedTurn([reply, say("Never.")]);
    expect(kinds(events)).toEqual([...OPENING, "run_end"]);
    expect(events.at(-1)).toMatchObject({ status: "failed", stopReason: "error", error: { code } });
    expect(await model.requests()).toHaveLength(1);
  });

  it.for([
    ["prompt is too long", promptTooLong],
    ["413", () => fail(413, "request_too_large", "Request exceeds the maximum size")],
  ] as const)("because of %s is context_too_long", async ([, reply], { expect }) => {
    const { events } = await endedTurn([reply(), reply(), say("Never.")]);
    expect(kinds(events)).toEqual([...OPENING, "run_end"]);
    expect(events.at(-1)).toMatchObject({ status: "failed", error: { code: "context_too_long" } });
  });

  it("leaves a thread whose next turn is sound", async ({ expect }) => {
    const { model, client } = await endedTurn([callTool("list-stocks", {}), unauthorized(), say("Hi again.")]);
    const events = await client.runToEnd("t", "Again");
    expectWhole(events, "completed");
    expect(theOnly(events, "run_start").resumed).toBe(true);
    expect(await model.violations()).toEqual([]);
  });

  it("leaves nothing of the provider's own words in the transcript", async ({ expect }) => {
    const { events } = await endedTurn([fail(400, "invalid_request_error", "test-key and the prompt are private")]);
    expect(JSON.stringify(events)).not.toContain("private");
  });
});

describe("a conversation that no longer fits", () => {
  it("is asked about once more, shortened, without a model_retry", async ({ expect }) => {
    const long = "word ".repeat(35_000);
    const model = await scriptModel(inject("modelUrl"), [say(long), promptTooLong(), say("Shorter.")]);
    const client = somebody();
    await client.runToEnd("t", model.prompt(long));
    const events = await client.runToEnd("t", model.prompt("Again"));
    expect(kinds(events)).toEqual([...OPENING, ...SAID, "run_end"]);
    expectWhole(events, "completed");
    const [, whole, shortened] = (await model.requests()).map(({ body }) => JSON.stringify(body.messages));
    expect(whole).toContain(long);
    expect(shortened).not.toContain(long);
    expect(shortened).toContain(model.prompt("Again"));
    expect(await model.violations()).toEqual([]);
  });
});
