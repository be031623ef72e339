/** An owner's limits come last: whatever else is wrong with a request is reported first, on every route that has one (api.md §1). */
import { env } from "cloudflare:test";
import { describe, expect, inject, it } from "vitest";
import { callTool, say } from "../../support/model-script.ts";
import { holdBefore } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { answerOf } from "../../support/workerd/answer.ts";
import { askWith } from "../../support/workerd/ask-as-developer.ts";
import { fetchAs } from "../../support/workerd/fetch-as.ts";
import { handedOver } from "../../support/workerd/handed-over.ts";
import { addThreads } from "../../support/workerd/many-threads.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { inOneMinute, overRate, useUp } from "../../support/workerd/over-rate.ts";
import { aPhone } from "../../support/workerd/push-device.ts";
import { somebody } from "../../support/workerd/somebody.ts";
import { aPerson } from "../../support/workerd/stocks-client.ts";

const LIMITED = { status: 429, body: { error: "Too many requests. Try again later." } };
const ID = "0b8d5f0e-3c55-4d8e-9a63-0d1f6f6f2c11";
const TURN = "/api/agent/turn";
const LIST = "/_framework/actions/list-stocks";

const post = async (email: string, path: string, body: unknown, headers: Record<string, string> = {}) =>
  answerOf(
    await fetchAs(email, path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    }),
  );

const get = async (email: string, path: string) => answerOf(await fetchAs(email, path));

describe("a read over the limit is answered first", () => {
  it.each([
    ["threads?cursor=none", 400],
    ["threads/nothing/runs?cursor=none", 400],
    ["threads/nothing/runs", 404],
    ["threads/nothing/rules", 404],
    [`runs/${ID}`, 404],
    [`runs/${ID}/prompt`, 404],
    [`runs/${ID}/events?after=none`, 400],
    [`runs/${ID}/events`, 404],
    [`runs/${ID}/permissions/${ID}`, 404],
    ["actions/list-stocks?limit=none", 400],
    ["actions/list-stocks?cursor=none", 400],
    [`actions/get-stock?id=${ID}`, 404],
  ])(
    "what is wrong with it: %s",
    inOneMinute(async (path, status) => {
      const { email } = aPerson();
      await overRate(env.READ_LIMIT, email, () => fetchAs(email, "/_framework/session"));
      expect(await get(email, `/_framework/${path}`)).toMatchObject({ status });
    }),
  );
});

it(
  "a read over the limit that is sound is refused, whatever it reads",
  inOneMinute(async () => {
    const client = somebody();
    const model = await scriptModel(inject("modelUrl"), [say("Hi.")]);
    const { runId, events } = await client.startTurn("t", model.prompt("Hello"));
    await client.follow(events);
    const { email } = client;
    await overRate(env.READ_LIMIT, email, () => fetchAs(email, "/_framework/session"));
    const paths = ["threads", "threads/t/runs", "threads/t/rules", `runs/${runId}`, `runs/${runId}/prompt`];
    const others = [`runs/${runId}/events`, "models", "account/export", "actions/list-stocks", "actions/view-screen"];
    const answers = [];
    for (const path of [...paths, ...others]) answers.push(await get(email, `/_framework/${path}`));
    expect(answers).toEqual(answers.map(() => LIMITED));
  }),
);

describe("an action over the limit", () => {
  const action = (email: string, name: string, body: unknown) => post(email, `/_framework/actions/${name}`, body);
  const overActions = async () => {
    const { email } = aPerson();
    const { body } = await action(email, "add-stock", { symbol: "AAPL", idempotencyKey: "first" });
    await overRate(env.ACTION_RATE, email, () => fetchAs(email, LIST));
    return { email, stock: Object(body).stock };
  };

  it(
    "is refused first for what it cannot do",
    inOneMinute(async () => {
      const { email, stock } = await overActions();
      const answers = [
        await action(email, "get-stock", { id: ID }),
        await action(email, "update-stock", { id: ID, set: { name: "A" } }),
        await action(email, "delete-stock", { id: ID }),
        await action(email, "add-stock", { symbol: "AAPL" }),
        await action(email, "add-stock", { symbol: "MSFT", idempotencyKey: "first" }),
        await action(email, "update-stock", { id: stock.id, version: 7, set: { name: "A" } }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 409, 422, 409]);
    }),
  );

  it(
    "whose key has an answer gets that answer again",
    inOneMinute(async () => {
      const { email, stock } = await overActions();
      const again = { symbol: "AAPL", idempotencyKey: "first" };
      expect(await action(email, "add-stock", again)).toEqual({ status: 200, body: { stock } });
    }),
  );

  it(
    "that can be done is refused, and nothing is changed",
    inOneMinute(async () => {
      const { email, stock } = await overActions();
      const answers = [
        await action(email, "get-stock", { id: stock.id }),
        await action(email, "update-stock", { id: stock.id, set: { name: "A" } }),
        await action(email, "delete-stock", { id: stock.id }),
        await action(email, "update-stock", { id: stock.id, set: { name: null }, idempotencyKey: "no change" }),
        await action(email, "add-stock", { symbol: "MSFT" }),
        await action(email, "add-stock", { items: [{ symbol: "MSFT" }], dryRun: true, idempotencyKey: "dry" }),
        await action(email, "set-navigation", { view: "stocks" }),
      ];
      expect(answers).toEqual(answers.map(() => LIMITED));
      const { results } = await env.DB.prepare("SELECT symbol, version, deleted_at FROM stocks WHERE owner_email = ?")
        .bind(email)
        .all();
      expect(results).toEqual([{ symbol: "AAPL", version: 1, deleted_at: null }]);
    }),
  );
});

describe("a turn over the limit is answered first", () => {
  const overTurns = (email: string) =>
    overRate(env.TURN_RATE, email, () =>
      fetchAs(email, TURN, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ threadId: "t", prompt: "Hello" }),
      }),
    );

  it(
    "that its model does not take the effort",
    inOneMinute(async () => {
      const { email } = somebody();
      await overTurns(email);
      const turn = { threadId: "t", prompt: "Hello", model: "claude-haiku-4-5", effort: "max" };
      expect(await post(email, TURN, turn)).toMatchObject({ status: 400 });
    }),
  );

  it(
    "that it would be a thread too many",
    inOneMinute(async () => {
      const { email } = somebody();
      await overTurns(email);
      await addThreads(email);
      expect(await post(email, TURN, { threadId: "new", prompt: "Hello" })).toMatchObject({ status: 409 });
      expect(await post(email, TURN, { threadId: "thread-1", prompt: "Hello" })).toEqual(LIMITED);
    }),
  );
});

describe("a summary by hand over the limit is answered first", () => {
  const compact = (email: string, thread: string) => post(email, `/_framework/threads/${thread}/compact`, {});

  it(
    "that there is no such thread, and that it is busy",
    inOneMinute(async () => {
      const client = somebody();
      const model = await scriptModel(inject("modelUrl"), [say("Hi."), holdBefore(say("Never."))]);
      const first = await client.startTurn("idle", model.prompt("Hello"));
      await client.follow(first.events);
      await client.startTurn("busy", model.prompt("Hello"));
      await model.reaches(2, "held");
      const { email } = client;
      const path = "/_framework/threads/idle/compact";
      const refused = await overRate(env.TURN_RATE, email, () => fetchAs(email, path, { method: "POST" }));
      expect(await answerOf(refused)).toEqual(LIMITED);
      expect(await compact(email, "nothing")).toMatchObject({ status: 404 });
      expect(await compact(email, "busy")).toMatchObject({ status: 409 });
      // The place that it took to find that out is free again.
      expect(await compact(email, "idle")).toEqual(LIMITED);
    }),
  );
});

describe("leading a chat over the limit is answered first", () => {
  it(
    "what is wrong with a message to a run, or with a branch, and what a known key has got",
    inOneMinute(async () => {
      const client = somebody();
      const model = await scriptModel(inject("modelUrl"), [say("Hi."), holdBefore(say("Never."))]);
      const first = await client.startTurn("idle", model.prompt("Hello"));
      await client.follow(first.events);
      const { runId } = await client.startTurn("busy", model.prompt("Hello"));
      await model.reaches(2, "held");
      const { email } = client;
      const tell = (id: string, text: string, key = "") =>
        post(email, `/_framework/runs/${id}/messages`, { text }, key === "" ? {} : { "Idempotency-Key": key });
      const fork = (thread: string, beforeRunId: string, key: string) =>
        post(email, `/_framework/threads/${thread}/fork`, { beforeRunId }, { "Idempotency-Key": key });
      const told = await tell(runId, "Briefly", "told");
      const branched = await fork("idle", first.runId, "branched");
      expect([told.status, branched.status]).toEqual([200, 200]);
      const path = "/_framework/threads/idle/compact";
      await overRate(env.TURN_RATE, email, () => fetchAs(email, path, { method: "POST" }));
      expect(await tell(ID, "Briefly")).toMatchObject({ status: 404 });
      expect(await tell(first.runId, "Briefly")).toMatchObject({ status: 409 });
      expect(await tell(runId, "At length", "told")).toMatchObject({ status: 422 });
      expect(await tell(runId, "Briefly", "told")).toEqual(told);
      expect(await tell(runId, "Briefly", "other")).toEqual(LIMITED);
      expect(await fork("idle", ID, "other")).toMatchObject({ status: 404 });
      expect(await fork("busy", runId, "other")).toMatchObject({ status: 409 });
      expect(await fork("idle", first.runId, "branched")).toEqual(branched);
      expect(await fork("idle", first.runId, "other")).toEqual(LIMITED);
      await addThreads(email);
      expect(await fork("idle", first.runId, "other")).toMatchObject({ status: 409 });
    }),
  );
});

describe("another change over the limit of actions", () => {
  it(
    "is answered first what is wrong with it; a run can be stopped all the same",
    inOneMinute(async () => {
      const client = somebody();
      const script = [callTool("add-stock", { symbol: "AAPL" }), say("Hi."), holdBefore(say("Never."))];
      const model = await scriptModel(inject("modelUrl"), script);
      const first = await client.startTurn("idle", model.prompt("Hello"));
      const { requestId } = theOnly(await client.eventsUntil(first.events, "run_status"), "permission_request");
      await client.decide(first.runId, requestId, { decision: "allow_always" });
      // The session has the rule then, which the run hands over as well.
      await handedOver(await client.follow(first.events));
      const { runId } = await client.startTurn("busy", model.prompt("Hello"));
      await model.reaches(3, "held");
      const { deviceId } = await aPhone(client);
      const { email } = client;
      const { rules } = Object((await get(email, "/_framework/threads/idle/rules")).body);
      await overRate(env.ACTION_RATE, email, () => fetchAs(email, LIST));

      const threads = "/_framework/threads";
      // Not on loopback, where the tests have the limits off.
      const change = async (method: string, path: string, body?: unknown) => {
        const json = { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
        return answerOf(await fetchAs(email, path, { method, ...(body === undefined ? {} : json) }));
      };
      const rewind = (thread: string, beforeRunId: string) =>
        change("POST", `${threads}/${thread}/rewind`, { beforeRunId });
      const wrong = [
        await rewind("idle", ID),
        await rewind("busy", runId),
        await change("PATCH", `${threads}/none`, { title: "A" }),
        await change("DELETE", `${threads}/none`),
        await change("DELETE", `${threads}/idle/rules/${ID}`),
        await change("DELETE", `/_framework/push/${ID}`),
      ];
      expect(wrong.map(({ status }) => status)).toEqual([404, 409, 404, 404, 404, 404]);
      const sound = [
        await rewind("idle", first.runId),
        await change("PATCH", `${threads}/idle`, { title: "A" }),
        await change("DELETE", `${threads}/idle`),
        await change("DELETE", `${threads}/idle/rules/${rules[0].ruleId}`),
        await change("DELETE", `/_framework/push/${deviceId}`),
        await change("DELETE", "/_framework/settings/quotes-key"),
      ];
      expect(sound).toEqual(sound.map(() => LIMITED));
      expect(await change("POST", `/_framework/runs/${runId}/abort`)).toMatchObject({ status: 200 });
    }),
  );
});

it(
  "a key over the limit of actions is answered first that there are none here",
  inOneMinute(async () => {
    await useUp(env.ACTION_RATE, "dev@local.test");
    const put = (variables: Readonly<Record<string, string>>) =>
      askWith({ RATE_LIMITS_DISABLED: "", ...variables }, "PUT", "/_framework/settings/quotes-key", {
        source: "eodhd",
        key: "mine",
      });
    expect(await put({ OFFLINE: "true" })).toEqual({
      status: 409,
      body: { error: "Personal keys are not used here." },
    });
    expect(await put({})).toEqual(LIMITED);
  }),
);
