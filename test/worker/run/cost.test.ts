/** What a run costs: all that the provider counted, by the price table, whatever became of it (api.md §7). */
import { inject, it } from "vitest";
import { callTools, message, say, summary } from "../../support/model-script.ts";
import { openMessage } from "../../support/model-server/message-frames.ts";
import type { Reply } from "../../support/model-server/reply.ts";
import { errorMidStream, fail, holdMidStream, rateLimited, unauthorized } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { chat } from "../../support/workerd/chat.ts";
import { died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const NOW = { "retry-after-ms": "1" };

/** What a scripted message costs that says nothing of its usage: 10 tokens in, 5 out; and one that ends at its start. */
const WHOLE = "0.00007";
const BEGUN = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** A new person's turn, read to its end. */
const endedTurn = async (replies: readonly Reply[], threadId = "t") => {
  const model = await scriptModel(inject("modelUrl"), replies);
  const client = somebody();
  const turn = await client.startTurn(threadId, model.prompt("Hello"));
  return { model, client, runId: turn.runId, events: await client.follow(turn.events) };
};

it("is the sum over its messages, exact, at the end and in the run's view", async ({ expect }) => {
  const usages = [
    { input: 100, output: 20, cacheRead: 7, cacheWrite: 3 },
    { input: 150, output: 30, cacheRead: 90, cacheWrite: 0 },
  ];
  const call = callTools([{ name: "list-stocks", input: {} }], { usage: usages[0] ?? {} });
  const { client, runId, events } = await endedTurn([call, say("Done.", { usage: usages[1] ?? {} })]);
  expect(theOnly(events, "run_end").costUsd).toBe("0.0010172");
  expect(await client.view(runId)).toMatchObject({ costUsd: "0.0010172" });
  expectWhole(events, "completed");
});

it("is a tenth more where the model ran in the US: its messages, what was dropped, and its summary", async ({
  expect,
}) => {
  const usage = { input: 1_000, output: 100, geo: "us" };
  const dropped: Reply = { type: "stream", frames: [...openMessage(usage), { type: "cut" }] };
  const long = say("Three.", { usage: { ...usage, input: 160_000 } });
  const talk = await chat([
    ...[say("One.", { usage: { ...usage, geo: "global" } }), say("Two.", { usage }), long],
    ...[summary("They greet.", { usage }), dropped, say("Four.", { usage })],
  ]);
  const costs = [await talk.turn("1"), await talk.turn("2"), await talk.turn("3")].map(
    (events) => theOnly(events, "run_end").costUsd,
  );
  expect(costs).toEqual(["0.003", "0.0033", "0.3531"]);
  const fourth = await talk.turn("4");
  const { usage: counted, costUsd } = theOnly(fourth, "run_end");
  // Three calls of 1,000 tokens; the dropped one has said one token.
  expect(costUsd).toBe("0.008811");
  expect(counted).toEqual({ inputTokens: 1_000, outputTokens: 100, cacheReadTokens: 0, cacheWriteTokens: 0 });
  expect(theOnly(fourth, "message_end").usage).toEqual({ ...counted, inferenceGeo: "us" });
  expectWhole(fourth, "completed");
});

it("counts a try that was dropped, which its event tells of", async ({ expect }) => {
  const { events } = await endedTurn([errorMidStream("Half"), say("Whole.")]);
  expect(theOnly(events, "message_discard")).toMatchObject({ reason: "retry", usage: BEGUN });
  expect(theOnly(events, "run_end")).toMatchObject({
    usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
    costUsd: "0.0001",
  });
  expectWhole(events, "completed");
});

it("counts what a crash dropped, as far as the provider had said", async ({ expect }) => {
  const threadId = crypto.randomUUID();
  planCrashes(threadId, ["before closeMessage"]);
  const { events } = await endedTurn([say("Half"), say("Whole.")], threadId);
  expect(theOnly(events, "message_discard")).toMatchObject({ reason: "restart", usage: BEGUN });
  expect(theOnly(events, "run_end").costUsd).toBe("0.0001");
  expectWhole(events, "completed");
  await died(threadId);
});

it("counts a message that broke off permanently", async ({ expect }) => {
  // Refused three times at once, so that the try that breaks off is the last one.
  const refused = rateLimited({ "retry-after-ms": "0" });
  const { events } = await endedTurn([refused, refused, refused, errorMidStream("Four", "api_error")]);
  expect(theOnly(events, "message_end")).toMatchObject({ stopReason: "error", usage: BEGUN });
  expect(theOnly(events, "run_end").costUsd).toBe("0.00003");
  expectWhole(events, "failed");
});

it("counts a message that was stopped", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [holdMidStream("So far", "never")]);
  const client = somebody();
  const turn = await client.startTurn("t", model.prompt("Hello"));
  await model.reaches(1, "held");
  await client.eventsUntil(turn.events, "text_delta");
  expect(await client.view(turn.runId)).toMatchObject({ status: "running", costUsd: "0" });
  await client.abort(turn.runId);
  const events = await client.follow(turn.events);
  expect(theOnly(events, "run_end").costUsd).toBe("0.00003");
  expectWhole(events, "aborted");
});

it.for([
  ["is refused", [unauthorized()], "failed", "0"],
  [
    "is overloaded first",
    [rateLimited(NOW), fail(529, "overloaded_error", "No", { headers: NOW }), say("Hi.")],
    "completed",
    WHOLE,
  ],
] as const)("counts nothing for a call that %s", async ([, replies, status, cost], { expect }) => {
  const { events } = await endedTurn(replies);
  expect(theOnly(events, "run_end").costUsd).toBe(cost);
  expectWhole(events, status);
});

it.for([
  ["nothing for an answer that is refused before it begins, which the provider does not bill", [], "0"],
  ["all of one that is refused in its middle", [{ type: "text", text: "So" }], "0.03"],
] as const)("counts %s", async ([, blocks, cost], { expect }) => {
  const log = captureLog();
  const usage = { input: 15_000, output: 0 };
  const { events, runId } = await endedTurn([message(blocks, { stopReason: "refusal", usage })]);
  expect(theOnly(events, "run_end")).toMatchObject({ stopReason: "refusal", costUsd: cost });
  expect(log.lines({ level: "warn", runId })).toEqual([]);
});

it("is nothing for a run that never had its turn", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [holdMidStream("One", "never")]);
  const client = somebody();
  const first = await client.startTurn("t", model.prompt("First"));
  const second = await client.startTurn("t", model.prompt("Second"));
  await client.abort(second.runId);
  expect(theOnly(await client.follow(second.events), "run_end").costUsd).toBe("0");
  await client.abort(first.runId);
});
