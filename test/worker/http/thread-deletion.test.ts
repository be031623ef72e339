/** `DELETE /_framework/threads/<thread_id>`: what lives is stopped, everything is forgotten (api.md §2). */
import { inject, it } from "vitest";
import { TurnStartResponse } from "../../../src/contract/turn.ts";
import { RunObject } from "../../../src/run/run-object.ts";
import { SessionObject } from "../../../src/session/session-object.ts";
import { aroundMethod } from "../../support/around-method.ts";
import { callTool, say } from "../../support/model-script.ts";
import { holdMidStream } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const OK = { status: 200, body: { ok: true } };
const RUN_NOT_FOUND = { status: 404, body: { error: "Run not found." } };
const THREAD_NOT_FOUND = { status: 404, body: { error: "Thread not found." } };

it("takes the thread's runs away on every route of theirs", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [callTool("add-stock", { symbol: "AAPL" }), say("Done.")]);
  const client = somebody();
  const { runId, events } = await client.startTurn("t", model.prompt("Add AAPL"));
  const { requestId } = theOnly(await client.eventsUntil(events, "run_status"), "permission_request");
  await client.decide(runId, requestId, { decision: "allow_once" });
  await client.events(events);
  expect(await client.ask("DELETE", client.threadPath("t"))).toEqual(OK);
  const run = `/_framework/runs/${runId}`;
  expect([
    await client.ask("GET", run),
    await client.ask("GET", `${run}/events`),
    await client.ask("GET", `${run}/events?after=999`),
    await client.ask("GET", `${run}/prompt`),
    await client.ask("POST", `${run}/abort`),
    await client.ask("GET", `${run}/permissions/${requestId}`),
    await client.decide(runId, requestId, { decision: "allow_once" }),
  ]).toEqual(Array.from({ length: 7 }, () => RUN_NOT_FOUND));
});

it("takes the thread away, and is 404 the second time", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two.")]);
  const client = somebody();
  await client.runToEnd("t", model.prompt("Hello"));
  await client.runToEnd("other", model.prompt("Hello"));
  expect(await client.ask("DELETE", client.threadPath("t"))).toEqual(OK);
  expect(await client.ask("GET", "/_framework/threads")).toMatchObject({ body: { threads: [{ threadId: "other" }] } });
  expect(await client.ask("GET", `${client.threadPath("t")}/runs`)).toEqual(THREAD_NOT_FOUND);
  expect(await client.ask("GET", `${client.threadPath("t")}/rules`)).toEqual(THREAD_NOT_FOUND);
  expect(await client.ask("PATCH", client.threadPath("t"), { title: "New" })).toEqual(THREAD_NOT_FOUND);
  expect(await client.ask("DELETE", client.threadPath("t"))).toEqual(THREAD_NOT_FOUND);
});

it("takes the conversation away: the next turn begins a new one", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("Hi Ann."), say("I do not know.")]);
  const client = somebody();
  await client.runToEnd("t", model.prompt("I am Ann"));
  await client.ask("DELETE", client.threadPath("t"));
  const turn = await client.startTurn("t", model.prompt("Who am I?"));
  expect(turn.sessionId).toBeNull();
  expect(theOnly(await client.events(turn.events), "run_start").resumed).toBe(false);
  const [, request] = await model.requests();
  expect(request?.body.messages).toMatchObject([{ role: "user" }]);
  expect(JSON.stringify(request?.body.messages)).not.toContain("I am Ann");
});

it("is not undone by a start that is sent once more: it has its first answer", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("One.")]);
  const client = somebody();
  const body = { threadId: "t", prompt: model.prompt("Hello") };
  const headers = { "idempotency-key": "once" };
  const first = await client.postTurn(body, headers);
  await client.events(TurnStartResponse.parse(first.body).events);
  await client.ask("DELETE", client.threadPath("t"));
  expect(await client.postTurn(body, headers)).toEqual(first);
  expect(await client.postTurn({ ...body, prompt: "Other" }, headers)).toMatchObject({ status: 422 });
  expect(await client.ask("GET", "/_framework/threads")).toMatchObject({ body: { threads: [] } });
  expect(await model.requests()).toHaveLength(1);
});

it("takes the standing rules away: the agent asks again", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [
    callTool("add-stock", { symbol: "AAPL" }),
    say("Done."),
    callTool("add-stock", { symbol: "MSFT" }),
  ]);
  const client = somebody();
  const { runId, events } = await client.startTurn("t", model.prompt("Add AAPL"));
  const { requestId } = theOnly(await client.eventsUntil(events, "run_status"), "permission_request");
  await client.decide(runId, requestId, { decision: "allow_always" });
  await client.events(events);
  await client.ask("DELETE", client.threadPath("t"));
  const next = await client.startTurn("t", model.prompt("Add MSFT"));
  await client.eventsUntil(next.events, "run_status");
  expect(await client.view(next.runId)).toMatchObject({ status: "waiting_permission" });
  expect(await client.ask("GET", `${client.threadPath("t")}/rules`)).toEqual({ status: 200, body: { rules: [] } });
});

it("stops a run that lives, and ends its streams", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [holdMidStream("Before. ", "After.")]);
  const client = somebody();
  const { runId, events } = await client.startTurn("t", model.prompt("Hello"));
  await client.eventsUntil(events, "text_delta");
  const stream = await client.request(events);
  expect(await client.ask("DELETE", client.threadPath("t"))).toEqual(OK);
  await model.reaches(1, "client_left");
  await stream.text();
  expect(await client.ask("GET", `/_framework/runs/${runId}`)).toEqual(RUN_NOT_FOUND);
});

it("stops runs that wait for their turn: they never start", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [holdMidStream("Before. ", "After."), say("Fresh.")]);
  const client = somebody();
  await client.startTurn("t", model.prompt("First"));
  const queued = await client.startTurn("t", model.prompt("Second"));
  await model.reaches(1, "held");
  expect(await client.ask("DELETE", client.threadPath("t"))).toEqual(OK);
  expect(await client.ask("GET", `/_framework/runs/${queued.runId}`)).toEqual(RUN_NOT_FOUND);
  await client.runToEnd("t", model.prompt("Third"));
  const prompts = (await model.requests()).map(({ body }) => JSON.stringify(body.messages));
  expect(prompts).toHaveLength(2);
  expect(prompts.join()).not.toContain("Second");
});

it("stops a run that waits for a person: the request cannot be answered any more", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [callTool("add-stock", { symbol: "AAPL" })]);
  const client = somebody();
  const { runId, events } = await client.startTurn("t", model.prompt("Add AAPL"));
  const { requestId } = theOnly(await client.eventsUntil(events, "run_status"), "permission_request");
  expect(await client.ask("DELETE", client.threadPath("t"))).toEqual(OK);
  expect(await client.decide(runId, requestId, { decision: "allow_once" })).toEqual(RUN_NOT_FOUND);
  expect(await client.action("list-stocks", {})).toMatchObject({ total: 0 });
});

it("makes room: what was deleted counts against no limit", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [holdMidStream("One", "."), holdMidStream("Two", ".")]);
  const client = somebody();
  const prompt = model.prompt("Hello");
  await Promise.all(Array.from({ length: 9 }, () => client.startTurn("t", prompt)));
  expect(await client.postTurn({ threadId: "t", prompt })).toMatchObject({ status: 429 });
  await client.ask("DELETE", client.threadPath("t"));
  expect(await client.postTurn({ threadId: "t", prompt })).toMatchObject({ status: 200 });
});

it("and a turn that starts at the same instant leave a whole thread or none", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two.")]);
  const client = somebody();
  await client.runToEnd("t", model.prompt("Hello"));
  const body = { threadId: "t", prompt: model.prompt("Again") };
  const [deleted, started] = await Promise.all([client.ask("DELETE", client.threadPath("t")), client.postTurn(body)]);
  expect(deleted).toEqual(OK);
  const run = await client.ask("GET", `/_framework/runs/${Object(started.body).runId}`);
  const threads = await client.ask("GET", "/_framework/threads");
  expect([run.status, Object(threads.body).threads.length]).toBeOneOf([
    [200, 1],
    [404, 0],
  ]);
});

it("leaves a turn alone that starts while its sessions are deleted: that one begins the thread anew", async ({
  expect,
}) => {
  const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two."), say("Three.")]);
  const client = somebody();
  await client.runToEnd("t", model.prompt("Hello"));
  const between: Promise<{ runId: string; sessionId: string | null; events: string }>[] = [];
  aroundMethod(SessionObject.prototype, "purge", async (_self, _args, purge) => {
    between[0] ??= client.startTurn("t", model.prompt("Again"));
    await between[0];
    return await purge();
  });
  expect(await client.ask("DELETE", client.threadPath("t"))).toEqual(OK);
  const turn = await between[0];
  expect(turn?.sessionId).toBeNull();
  expect(theOnly(await client.events(String(turn?.events)), "run_end").status).toBe("completed");
  const runs = await client.ask("GET", `${client.threadPath("t")}/runs`);
  expect(runs.body).toMatchObject({ runs: [{ runId: turn?.runId }] });
  // It has a session of its own, which the next turn resumes.
  expect((await client.startTurn("t", model.prompt("And again"))).sessionId).not.toBeNull();
});

it("lets a turn that came too late be asked for again under its key", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two.")]);
  const client = somebody();
  await client.runToEnd("t", model.prompt("Hello"));
  const deletions: Promise<unknown>[] = [];
  aroundMethod(RunObject.prototype, "start", async (_self, _args, start) => {
    deletions[0] ??= client.ask("DELETE", client.threadPath("t"));
    await deletions[0];
    return await start();
  });
  const late = () => client.postTurn({ threadId: "t", prompt: model.prompt("Again") }, { "idempotency-key": "late" });
  expect(await late()).toEqual(THREAD_NOT_FOUND);
  expect(await deletions[0]).toEqual(OK);
  const again = await late();
  expect(again).toMatchObject({ status: 200, body: { sessionId: null } });
  expect(theOnly(await client.events(Object(again.body).events), "run_end").status).toBe("completed");
});
