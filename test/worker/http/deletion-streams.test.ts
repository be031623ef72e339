/** Who watches a run while its thread is deleted: the stream ends as every transcript does. */
import { env, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { inject, it } from "vitest";
import { callTool, say } from "../../support/model-script.ts";
import { holdMidStream } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { kinds, parseFrames } from "../../support/workerd/run-client.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

const ABORTED = { type: "run_end", status: "aborted", stopReason: "aborted", error: null };

/** What a subscriber that is there reads from the beginning to its stream's end, while the thread `t` is deleted. */
const watchDeletion = async (client: Somebody, events: string) => {
  const stream = await client.request(events);
  const reading = stream.text();
  const answer = await client.ask("DELETE", client.threadPath("t"));
  return { answer, events: parseFrames(await reading) };
};

const OK = { status: 200, body: { ok: true } };

it("reads the end of a run that was running, and what it had said", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [holdMidStream("Before. ", "After.")]);
  const client = somebody();
  const turn = await client.startTurn("t", model.prompt("Hello"));
  await client.eventsUntil(turn.events, "text_delta");
  const { answer, events } = await watchDeletion(client, turn.events);
  expect(answer).toEqual(OK);
  expectWhole(events, "aborted");
  expect(events.at(-1)).toMatchObject({ ...ABORTED, steps: 1 });
  expect(theOnly(events, "message_end")).toMatchObject({ text: "Before. ", stopReason: "aborted" });
});

it("reads the end of a run that waited for a person", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [callTool("add-stock", { symbol: "AAPL" })]);
  const client = somebody();
  const turn = await client.startTurn("t", model.prompt("Add AAPL"));
  await client.eventsUntil(turn.events, "run_status");
  const { answer, events } = await watchDeletion(client, turn.events);
  expect(answer).toEqual(OK);
  expectWhole(events, "aborted");
  expect(events.at(-1)).toMatchObject(ABORTED);
  expect(theOnly(events, "permission_reply")).toMatchObject({ decision: "aborted", by: "system" });
});

it("reads the end of a run that waited for its turn", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [holdMidStream("Before. ", "After."), say("Never.")]);
  const client = somebody();
  await client.startTurn("t", model.prompt("First"));
  const queued = await client.startTurn("t", model.prompt("Second"));
  await model.reaches(1, "held");
  const { answer, events } = await watchDeletion(client, queued.events);
  expect(answer).toEqual(OK);
  expect(kinds(events)).toEqual(["run_queued", "user_message", "run_end"]);
  expect(events.at(-1)).toMatchObject({ ...ABORTED, seq: 3, steps: 0 });
});

it("is one of several: each reads it once, also one that came back with its cursor", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [callTool("add-stock", { symbol: "AAPL" })]);
  const client = somebody();
  const turn = await client.startTurn("t", model.prompt("Add AAPL"));
  const asked = await client.eventsUntil(turn.events, "run_status");
  const after = await client.request(`${turn.events}?after=${asked.at(-1)?.seq}`);
  const reading = after.text();
  const { events } = await watchDeletion(client, turn.events);
  expect(parseFrames(await reading)).toEqual(events.slice(asked.length));
  expect(kinds(events.slice(asked.length))).toEqual(["permission_reply", "tool_end", "run_end"]);
});

it("finds nothing of a run whose row could not be read: it is deleted all the same", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [callTool("add-stock", { symbol: "AAPL" })]);
  const client = somebody();
  const turn = await client.startTurn("t", model.prompt("Add AAPL"));
  await client.eventsUntil(turn.events, "run_status");
  const run = env.RUNS.getByName(turn.runId);
  await runInDurableObject(run, (_, { storage }) => void storage.sql.exec("UPDATE run SET state = '{}'"));
  await evictDurableObject(run);
  expect(await client.ask("DELETE", client.threadPath("t"))).toEqual(OK);
  expect((await client.ask("GET", `/_framework/runs/${turn.runId}`)).status).toBe(404);
});
