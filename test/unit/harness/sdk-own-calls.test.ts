/** What the agent SDK's own model calls took, such as its summaries: nothing of them is streamed (`agent-sdk/usage.test.ts`). */
import { expect, it } from "vitest";
import {
  called,
  DONE,
  MESSAGE_STOP,
  OVER_BUDGET,
  runOn,
  said,
  saidFor,
} from "../../support/agent-sdk/host-in-memory.ts";

/** The SDK's count since its result before, as it names it. */
const counted = (inputTokens: number, outputTokens: number, rest: object = {}) => ({
  model_usage_since_last_result: {
    "claude-sonnet-5-5": { inputTokens, outputTokens, cacheReadInputTokens: 0, cacheCreationInputTokens: 0, ...rest },
  },
});

const OWN = { inputTokens: 900, outputTokens: 20, cacheReadTokens: 7, cacheWriteTokens: 3 };

it("is booked as a message that was dropped, behind those that were streamed", async () => {
  const count = counted(1_010, 30, { cacheReadInputTokens: 7, cacheCreationInputTokens: 3 });
  const { outcome, journal } = await runOn([
    ...saidFor(100, "Hello."),
    ...saidFor(10, "Again."),
    { ...DONE, ...count },
  ]);
  expect(outcome).toMatchObject({ status: "completed" });
  expect(journal.commits).toEqual([
    "open m2",
    "close 1 end_turn",
    "open m3",
    "close 2 end_turn",
    "open m4",
    "discard m4",
  ]);
  expect(journal.discarded).toEqual([OWN]);
});

it("is booked once for each result, and also where the turn stops for its budget", async () => {
  const read = called({ id: "toolu_1", name: "Read", input: { file_path: "a" } });
  const { journal } = await runOn([...read, { ...OVER_BUDGET, ...counted(910, 5) }], {
    budget: { before: () => undefined, leftUsd: () => 1 },
  });
  expect(journal.discarded.slice(0, 1)).toMatchObject([{ inputTokens: 900, outputTokens: 0 }]);
});

it.each([
  ["a count of what was streamed", [...said("Hello."), { ...DONE, ...counted(10, 5) }], []],
  ["a count that is less", [...said("Hello."), { ...DONE, ...counted(1, 1) }], []],
  ["an SDK that counts nothing", [...said("Hello."), DONE], []],
  [
    "a message that broke off, which the SDK counts too",
    [...said("Who").slice(0, 2), MESSAGE_STOP, ...said("Whole."), { ...DONE, ...counted(20, 6) }],
    [{ inputTokens: 10, outputTokens: 1 }],
  ],
])("books nothing for %s", async (_, messages, discarded) => {
  const { journal } = await runOn(messages);
  expect(journal.discarded).toMatchObject(discarded);
});

it("says what is kept for an hour, which costs more", async () => {
  const usage = { cache_creation_input_tokens: 30, cache_creation: { ephemeral_1h_input_tokens: 20 } };
  const start = { type: "stream_event", event: { type: "message_start", message: { usage } } };
  const count = counted(0, 5, { cacheCreationInputTokens: 40, cacheCreationEphemeral1hInputTokens: 25 });
  const { journal } = await runOn([start, ...said("Hello.").slice(1), { ...DONE, ...count }]);
  expect(journal.closed).toMatchObject([{ usage: { cacheWriteTokens: 30, cacheWrite1hTokens: 20 } }]);
  expect(journal.discarded).toMatchObject([{ cacheWriteTokens: 10, cacheWrite1hTokens: 5 }]);
});

it("is apart from what a streamed message took, which says where the model ran", async () => {
  const usage = { input_tokens: 10, output_tokens: 1, inference_geo: "us" };
  const start = { type: "stream_event", event: { type: "message_start", message: { usage } } };
  const { journal } = await runOn([start, ...said("Hello.").slice(1), DONE]);
  expect(journal.closed).toMatchObject([{ usage: { inputTokens: 10, outputTokens: 5, inferenceGeo: "us" } }]);
});
