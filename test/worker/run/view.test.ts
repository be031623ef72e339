/** `GET /_framework/runs/<run_id>`: a run from its place in the queue to its end (api.md §2). */
import { inject, it } from "vitest";
import { say } from "../../support/model-script.ts";
import { holdMidStream } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const NO_USAGE = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

it("shows a run that runs, one that waits behind it, and both when they have ended", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [holdMidStream("Before. ", "After."), say("Second.")]);
  const client = somebody();
  const first = await client.startTurn("t", model.prompt("First"));
  const second = await client.startTurn("t", model.prompt("Second"));
  const sofar = await client.eventsUntil(first.events, "text_delta");
  const view = async (runId: string) => (await client.ask("GET", `/_framework/runs/${runId}`)).body;
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const { sessionId } = second;
  const open = {
    ...{ threadId: "t", sessionId, harness: "anthropic", pendingPermissions: [], pendingQuestions: [], error: null },
    ...{ createdAt: time, finishedAt: null },
  };
  expect(await view(first.runId)).toEqual({
    ...open,
    ...{
      runId: first.runId,
      status: "running",
      lastSeq: sofar.at(-1)?.seq,
      usage: NO_USAGE,
      costUsd: "0",
      startedAt: time,
    },
  });
  expect(await view(second.runId)).toEqual({
    ...open,
    ...{ runId: second.runId, status: "queued", lastSeq: 2, usage: NO_USAGE, costUsd: "0", startedAt: null },
  });
  await model.release();
  const ends = [(await client.events(first.events)).at(-1), (await client.events(second.events)).at(-1)];
  const usage = { ...NO_USAGE, inputTokens: 10, outputTokens: 5 };
  const ended = { ...open, status: "completed", usage, costUsd: "0.00007", startedAt: time, finishedAt: time };
  expect(await view(first.runId)).toEqual({ ...ended, runId: first.runId, lastSeq: ends[0]?.seq });
  expect(await view(second.runId)).toEqual({ ...ended, runId: second.runId, lastSeq: ends[1]?.seq });
});

it("gives its times in their order", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("Hi.")]);
  const client = somebody();
  const turn = await client.startTurn("t", model.prompt("Hello"));
  await client.events(turn.events);
  const { createdAt, startedAt, finishedAt } = await client.view(turn.runId);
  const times = [createdAt, String(startedAt), String(finishedAt)];
  expect(times).toEqual(times.toSorted());
});

it("belongs to a prompt with characters that are none, which breaks nothing", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("Hi."), say("Again.")]);
  const client = somebody();
  const turn = await client.startTurn("t", model.prompt("half \ud83d of a pair and \u0000 nothing"));
  const events = await client.events(turn.events);
  expect(events.at(-1)).toMatchObject({ type: "run_end", status: "completed" });
  expect(await client.ask("GET", `/_framework/runs/${turn.runId}/prompt`)).toMatchObject({ status: 200 });
  expect((await client.runToEnd("t", model.prompt("Again"))).at(-1)).toMatchObject({ status: "completed" });
});
