/** How a session watches the run whose turn it is, and what hand-overs wait for (decision 0006). */
import { abortAllDurableObjects, env, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, inject, it } from "vitest";
import { say } from "../../support/model-script.ts";
import { holdMidStream } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { died, planCrashes, planHang } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { shiftedClock } from "../../support/workerd/shifted-clock.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const HOUR_MS = 3_600_000;

/** How often a run that waits for its turn looks after it, at most. */
const MINUTE_MS = 60_000;

const alarmOf = (stub: DurableObjectStub) => runInDurableObject(stub, (_, { storage }) => storage.getAlarm());

/** A run whose model hangs, and one that waits behind it; the session has just asked the first how it is. */
const oneBehindAnother = async () => {
  // What is set meanwhile rings for the test alone.
  shiftedClock().forward(HOUR_MS);
  const model = await scriptModel(inject("modelUrl"), [holdMidStream("One", "."), say("Two.")]);
  const client = somebody();
  const first = await client.startTurn("watched", model.prompt("First"));
  const { sessionId } = theOnly(await client.eventsUntil(first.events, "text_delta"), "run_start");
  const second = await client.startTurn("watched", "Second");
  const session = () => env.SESSIONS.getByName(sessionId);
  await runDurableObjectAlarm(session());
  return { client, first, second, session };
};

it("a run that asks again for its place does not have the head asked sooner", async () => {
  const { client, second, session } = await oneBehindAnother();
  const askedAtMs = await alarmOf(session());
  expect(askedAtMs).not.toBeNull();
  await client.wake(second.runId);
  expect(await alarmOf(session())).toBe(askedAtMs);
});

it("a run that asks again for its place does not have the head asked later either, by an instance that knows of no alarm", async () => {
  const { client, second, session } = await oneBehindAnother();
  const askedAtMs = await alarmOf(session());
  await abortAllDurableObjects();
  await client.wake(second.runId);
  expect(await alarmOf(session())).toBe(askedAtMs);
});

it("a session that has lost its alarm has one again once a run asks for its place", async () => {
  const { client, second, session } = await oneBehindAnother();
  await runInDurableObject(session(), (_, { storage }) => storage.deleteAlarm());
  await abortAllDurableObjects();
  await client.wake(second.runId);
  expect(await alarmOf(session())).not.toBeNull();
});

it("a run that waits for its turn looks after it once a minute", async () => {
  const { client, second } = await oneBehindAnother();
  const sinceMs = Date.now();
  await client.wake(second.runId);
  const atMs = await alarmOf(env.RUNS.getByName(second.runId));
  expect(atMs).toBeGreaterThanOrEqual(sinceMs + MINUTE_MS);
});

it("a run that is in a long pause hands over as soon as its session asks for it", async () => {
  const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two.")]);
  const client = somebody();
  planCrashes("paused", ["before send session"]);
  const first = await client.startTurn("paused", model.prompt("First"));
  await client.follow(first.events);
  // The end is told before it is handed over.
  await died("paused");
  const run = () => env.RUNS.getByName(first.runId);
  await runInDurableObject(run(), async (_, { storage }) => {
    storage.sql.exec("INSERT OR REPLACE INTO outbox VALUES ('session', '', 9, ?)", Date.now() + 4 * MINUTE_MS);
    await storage.sync();
  });
  const second = await client.startTurn("paused", "Second");
  expectWhole(await client.follow(second.events), "completed");
  expect(JSON.stringify((await model.requests())[1]?.body)).toContain("One.");
});

it("a run that has ended tells its session so, while D1 says nothing to it", async () => {
  const model = await scriptModel(inject("modelUrl"), [say("One.")]);
  const client = somebody();
  const { reached } = planHang("hung copy", "before send index");
  const { runId, events } = await client.startTurn("hung copy", model.prompt("First"));
  await client.follow(events);
  await reached;
  expect(await env.RUNS.getByName(runId).granted(1)).toBe("ended");
});
