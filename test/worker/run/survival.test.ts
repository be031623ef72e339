/** What must survive a death that no reconnecting client repairs: alarms, repeats, hand-overs, revocations. */

import { abortAllDurableObjects, env, runInDurableObject } from "cloudflare:test";
import { expect, inject, it } from "vitest";
import { dayOf } from "../../../src/contract/day.ts";
import { ownerHash } from "../../../src/contract/digest.ts";
import { HarnessSessionId, OwnerEmail, RunId } from "../../../src/contract/ids.ts";
import { addDayCost } from "../../../src/db/day-costs.ts";
import { openDb } from "../../../src/db/db.ts";
import { startTurn } from "../../../src/turn/start-turn.ts";
import { callTool, say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { insertLostStart, lostStart } from "../../support/workerd/lost-start.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const scripted = (...replies: Parameters<typeof scriptModel>[1]) => scriptModel(inject("modelUrl"), replies);

const addApple = () => callTool("add-stock", { symbol: "AAPL" });

it("a run that only its alarm brings back completes (RUN, Recovery)", async () => {
  const model = await scripted(say("One."), say("One."));
  const client = somebody();
  planCrashes("alarm", ["before closeMessage"]);
  const { runId, events } = await client.startTurn("alarm", model.prompt("Hello"));
  await died("alarm");
  await client.wake(runId);
  expectWhole(await client.follow(events), "completed");
});

it("a run that died between its hand-over and its row in D1 holds up nobody, also when its start is repeated", async () => {
  const model = await scripted(say("One."), say("Two."));
  const client = somebody();
  const key = { "Idempotency-Key": "handed-over" };
  const prompt = model.prompt("Hello");
  planCrashes("handed over", ["before send index"]);
  await client.startTurn("handed over", prompt, key);
  await died("handed over");
  await client.startTurn("handed over", prompt, key);
  const second = await client.startTurn("handed over", model.prompt("Again"));
  expectWhole(await client.follow(second.events), "completed");
});

it("a start that died on its way comes alive when its key is repeated (RUN, Starting)", async () => {
  const model = await scripted(say("One."));
  const client = somebody();
  const prompt = model.prompt("Hello");
  const lost = await insertLostStart(client.email, "lost", prompt);
  expect(await client.ask("GET", "/_framework/threads/lost/runs")).toMatchObject({
    body: { runs: [{ runId: lost, status: "failed" }] },
  });
  const { runId, events } = await client.startTurn("lost", prompt, { "Idempotency-Key": "lost" });
  expect(runId).toBe(lost);
  expectWhole(await client.follow(events), "completed");
});

it("a lost start that the person has gone back before is started anew when its key is repeated", async () => {
  const model = await scripted(say("One."), say("Two."), say("Three."));
  const client = somebody();
  expectWhole(await client.runToEnd("lost", model.prompt("First")), "completed");
  const prompt = model.prompt("Hello");
  const lost = await insertLostStart(client.email, "lost", prompt);
  await client.ask("GET", "/_framework/threads/lost/runs");
  const back = { beforeRunId: lost };
  expect(await client.ask("POST", "/_framework/threads/lost/rewind", back)).toMatchObject({ status: 200 });
  const key = { "Idempotency-Key": "lost" };
  const { runId, events } = await client.startTurn("lost", prompt, key);
  expect(runId).not.toBe(lost);
  expectWhole(await client.follow(events), "completed");
  expect(await client.startTurn("lost", prompt, key)).toMatchObject({ runId });
  await client.runToEnd("lost", model.prompt("Next"));
  expect(JSON.stringify((await model.requests()).at(-1)?.body)).toContain("Two.");
});

it("a lost start that is repeated once the day's budget is used up is refused, and its row stays closed", async () => {
  // The budget is of a day.
  heldClock(Date.now() + 3_600_000);
  const client = somebody();
  const ownerEmail = OwnerEmail.parse(client.email);
  await insertLostStart(client.email, "lost", "hello");
  const listed = () => client.ask("GET", "/_framework/threads");
  await client.ask("GET", "/_framework/threads/lost/runs");
  const before = await listed();
  const atMs = Date.now();
  const cost = { id: "earlier", ownerHash: await ownerHash(client.email), day: dayOf(atMs), costUsd: "1" };
  await addDayCost(openDb(env.DB), cost);
  const budgeted = { ...env, AGENT_OWNER_DAY_BUDGET_USD: "1" };
  const request = { threadId: "lost", prompt: "hello", model: undefined, effort: undefined, idempotencyKey: "lost" };
  const repeated = startTurn(budgeted, { ownerEmail, orgId: null }, request, async () => undefined);
  await expect(repeated).rejects.toThrow("Today's budget is used up.");
  const rows = env.DB.prepare("SELECT status FROM runs WHERE owner_email = ?").bind(ownerEmail);
  expect((await rows.all()).results).toEqual([{ status: "failed" }]);
  expect(await listed()).toEqual(before);
});

it("a session that dies while its rules are read costs no run; the person is asked", async () => {
  const model = await scripted(addApple());
  const client = somebody();
  planCrashes("session", ["before listRules", "before listRules"]);
  const { runId, events } = await client.startTurn("rules", model.prompt("Add"));
  await client.eventsUntil(events, "run_status");
  await died("session");
  expect(await client.view(runId)).toMatchObject({ status: "waiting_permission" });
});

it("a standing rule that was revoked stays revoked, also when its delivery is repeated", async () => {
  const model = await scripted(addApple(), say("Done."));
  const client = somebody();
  planCrashes("revoked", ["after send rule"]);
  const { runId, events } = await client.startTurn("revoked", model.prompt("Add"));
  const { requestId } = theOnly(await client.eventsUntil(events, "run_status"), "permission_request");
  await client.decide(runId, requestId, { decision: "allow_always" });
  await died("revoked");
  const rules = `${client.threadPath("revoked")}/rules`;
  expect(await client.ask("DELETE", `${rules}/${requestId}`)).toEqual({ status: 200, body: { ok: true } });
  await client.wake(runId);
  expect(await client.ask("GET", rules)).toEqual({ status: 200, body: { rules: [] } });
});

it("a run that is stopped before it had a place in the queue begins as every run does (api.md §3, Order)", async () => {
  const model = await scripted(say("One."), say("Never."));
  const client = somebody();
  // A thread's first run has nothing to load.
  await client.runToEnd("unheard", model.prompt("Hello"));
  planCrashes("session", ["before load", "before load"]);
  const { runId, events } = await client.startTurn("unheard", "Hello again");
  await died("session");
  await client.abort(runId);
  expect(kinds(await client.events(events))).toEqual(["run_queued", "user_message", "run_end"]);
});

it("a repeated answer brings back the loop that died after the first", async () => {
  const model = await scripted(addApple(), say("Done."));
  const client = somebody();
  planCrashes("answered", ["before markStarted"]);
  const { runId, events } = await client.startTurn("answered", model.prompt("Add"));
  const { requestId } = theOnly(await client.eventsUntil(events, "run_status"), "permission_request");
  await client.decide(runId, requestId, { decision: "allow_once" });
  await died("answered");
  expect(await client.decide(runId, requestId, { decision: "allow_once" })).toMatchObject({ status: 200 });
  await expect.poll(() => client.action("list-stocks", {})).toMatchObject({ total: 1 });
});

it("a run whose log has expired still says what it cost; its events are gone (api.md §3)", async () => {
  const model = await scripted(say("One."));
  const client = somebody();
  const { runId, events } = await client.startTurn("old", model.prompt("Hello"));
  await client.events(events);
  const { usage, lastSeq } = await client.view(runId);
  await runInDurableObject(env.RUNS.getByName(runId), async (_, { storage }) => {
    storage.sql.exec("UPDATE run SET state = json_set(state, '$.endedAtMs', 0)");
    await storage.sync();
  });
  await abortAllDurableObjects();
  await client.wake(runId);
  expect(await client.view(runId)).toMatchObject({ usage, lastSeq, status: "completed" });
  expect(await client.ask("GET", events)).toEqual({ status: 410, body: { error: "Run events have expired." } });
});

it("what a run asked for is deleted with its log: neither the command nor the rule it would have made is kept", async () => {
  const model = await scripted(callTool("run_shell", { command: "echo private-words" }), say("Done."));
  const client = somebody();
  const { runId, events } = await client.startTurn("asked", model.prompt("Hello"));
  const { requestId } = theOnly(await client.eventsUntil(events, "run_status"), "permission_request");
  await client.decide(runId, requestId, { decision: "reject" });
  await client.follow(events);
  await client.wake(runId);
  await runInDurableObject(env.RUNS.getByName(runId), async (_, { storage }) => {
    storage.sql.exec("UPDATE run SET state = json_set(state, '$.endedAtMs', 0)");
    await storage.sync();
  });
  await abortAllDurableObjects();
  await client.wake(runId);
  const rows = await runInDurableObject(env.RUNS.getByName(runId), (_, { storage }) => [
    ...storage.sql.exec("SELECT * FROM permission_request"),
  ]);
  expect(rows).toEqual([]);
  const request = `/_framework/runs/${runId}/permissions/${requestId}`;
  expect(await client.ask("GET", request)).toMatchObject({ status: 404 });
  expect(await client.decide(runId, requestId, { decision: "reject" })).toMatchObject({ status: 410 });
});

it("what was deleted is not brought back by a call that was on its way (decision 0004)", async () => {
  const runId = RunId.parse(crypto.randomUUID());
  const sessionId = HarnessSessionId.parse(crypto.randomUUID());
  const run = env.RUNS.getByName(runId);
  await run.purge();
  await env.SESSIONS.getByName(sessionId).purge();
  const spec = { ...lostStart("gone@example.com", "t", "Hello"), runId, sessionId };
  expect(await run.start(spec)).toBe("gone");
  expect(await env.SESSIONS.getByName(sessionId).enqueue(runId)).toBeUndefined();
});
