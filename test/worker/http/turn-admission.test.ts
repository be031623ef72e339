/** Which turns belong together and how many may be open: sessions, idempotency keys, limits (api.md §2). */
import { describe, expect, inject, it } from "vitest";
import { say } from "../../support/model-script.ts";
import { holdBefore } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { kinds } from "../../support/workerd/run-client.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

/** What comes before each prompt. */
const CONTEXT = { text: expect.stringMatching(/^<context>/) };

const TOO_MANY = { error: "Too many runs. Try again later." };
const OTHER_REQUEST = { status: 422, body: { error: "Idempotency key was used with a different request." } };
const BAD_KEY = { status: 400, body: { error: "Idempotency-Key: use 1 to 255 characters." } };

/** A model that has `count` answers, and sends none of them. */
const silentModel = (count: number) =>
  scriptModel(
    inject("modelUrl"),
    Array.from({ length: count }, () => holdBefore(say("Never."))),
  );

const openTurns = (client: Somebody, count: number, threadOf: (nth: number) => string, prompt: string) =>
  Promise.all(Array.from({ length: count }, (_, nth) => client.startTurn(threadOf(nth), prompt)));

describe("the harness session of a thread", () => {
  it("is null for the first turn and the same id for all later ones (api.md §2)", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two."), say("Three.")]);
    const client = somebody();
    const first = await client.startTurn("t", model.prompt("1"));
    await client.events(first.events);
    const { sessionId } = await client.view(first.runId);
    const second = await client.startTurn("t", model.prompt("2"));
    const third = await client.startTurn("t", model.prompt("3"));
    expect([first, second, third].map((turn) => turn.sessionId)).toEqual([null, sessionId, sessionId]);
  });

  it("is resumed by the second turn: the model sees the first one (run.md, The conversation)", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [say("Hi Ann."), say("Ann.")]);
    const client = somebody();
    const first = await client.runToEnd("t", model.prompt("I am Ann"));
    const second = await client.runToEnd("t", model.prompt("Who am I?"));
    expect(theOnly(first, "run_start").resumed).toBe(false);
    expect(theOnly(second, "run_start").resumed).toBe(true);
    expect(kinds(second)).toEqual(kinds(first));
    const [, request] = await model.requests();
    expect(request?.body.messages).toMatchObject([
      { role: "user", content: [CONTEXT, { type: "text", text: model.prompt("I am Ann") }] },
      { role: "assistant", content: [{ type: "text", text: "Hi Ann." }] },
      { role: "user", content: [CONTEXT, { type: "text", text: model.prompt("Who am I?") }] },
    ]);
    expect(await model.violations()).toEqual([]);
  });

  it("is one for two turns that start at the same instant; one runs, the other waits (api.md §2)", async ({
    expect,
  }) => {
    const model = await scriptModel(inject("modelUrl"), [holdBefore(say("One.")), say("Two.")]);
    const client = somebody();
    const turns = await Promise.all([
      client.startTurn("t", model.prompt("Hello")),
      client.startTurn("t", model.prompt("Hello")),
    ]);
    await model.reaches(1, "held");
    const views = await Promise.all(turns.map(({ runId }) => client.view(runId)));
    expect(views.map(({ status }) => status).toSorted()).toEqual(["queued", "running"]);
    expect(new Set(views.map(({ sessionId }) => sessionId)).size).toBe(1);
    expect(turns.map((turn) => turn.sessionId).toSorted()).toEqual([views[0]?.sessionId, null]);
    await model.release();
    const transcripts = await Promise.all(turns.map((turn) => client.events(turn.events)));
    const [waited = [], ran = []] = transcripts.toSorted((a, b) => b.length - a.length);
    expect(kinds(ran)).toEqual(["run_start", "user_message", "message_start", "text_delta", "message_end", "run_end"]);
    expect(kinds(waited)).toEqual(["run_queued", "user_message", ...kinds(ran).toSpliced(1, 1)]);
    expect(theOnly(waited, "run_queued").position).toBe(1);
  });

  it("is nobody else's: another person's thread id is a fresh thread (api.md §2)", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [say("Hi Ann."), say("Hi.")]);
    await somebody().runToEnd("t", model.prompt("I am Ann"));
    const other = somebody();
    const turn = await other.startTurn("t", model.prompt("Who am I?"));
    expect(turn.sessionId).toBeNull();
    expect(theOnly(await other.events(turn.events), "run_start").resumed).toBe(false);
    const [, request] = await model.requests();
    expect(request?.body.messages).toMatchObject([{ role: "user" }]);
  });
});

describe("an Idempotency-Key (api.md §2)", () => {
  it("returns the first answer again, even at the same instant, and starts one run", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [say("Once.")]);
    const client = somebody();
    const post = () => client.startTurn("t", model.prompt("Hello"), { "Idempotency-Key": "k" });
    const [first, ...again] = await Promise.all([post(), post(), post()]);
    await client.events(first.events);
    expect([...again, await post()]).toEqual([first, first, first]);
    expect(await client.ask("GET", `${client.threadPath("t")}/runs`)).toMatchObject({
      body: { runs: [{ runId: first.runId }] },
    });
    expect(await model.requests()).toHaveLength(1);
  });

  it("answers 422 to another prompt or another thread under the same key", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [say("Once.")]);
    const client = somebody();
    const key = { "Idempotency-Key": "k" };
    await client.startTurn("t", model.prompt("Hello"), key);
    expect(await client.postTurn({ threadId: "t", prompt: "Other" }, key)).toEqual(OTHER_REQUEST);
    expect(await client.postTurn({ threadId: "u", prompt: model.prompt("Hello") }, key)).toEqual(OTHER_REQUEST);
  });

  it("is the first request's when two come at the same instant", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [say("Once.")]);
    const client = somebody();
    const post = (threadId: string) =>
      client.postTurn({ threadId, prompt: model.prompt("Hello") }, { "Idempotency-Key": "k" });
    const answers = await Promise.all([post("t"), post("u")]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });

  it("may have 255 characters, not 256 and not none", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [say("Once.")]);
    const client = somebody();
    const body = { threadId: "t", prompt: model.prompt("Hello") };
    expect(await client.postTurn(body, { "Idempotency-Key": "" })).toEqual(BAD_KEY);
    expect(await client.postTurn(body, { "Idempotency-Key": "k".repeat(256) })).toEqual(BAD_KEY);
    expect(await client.postTurn(body, { "Idempotency-Key": "k".repeat(255) })).toMatchObject({ status: 200 });
  });

  it("is scoped by owner", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two.")]);
    const key = { "Idempotency-Key": "k" };
    const mine = await somebody().startTurn("t", model.prompt("Hello"), key);
    const theirs = await somebody().startTurn("t", model.prompt("Other"), key);
    expect(theirs.runId).not.toBe(mine.runId);
  });

  it("is not stored by a turn that is refused for its request", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [say("Hi.")]);
    const client = somebody();
    const key = { "Idempotency-Key": "k" };
    expect(await client.postTurn({ threadId: "t".repeat(201), prompt: "Hello" }, key)).toMatchObject({ status: 400 });
    expect(await client.postTurn({ threadId: "t", prompt: model.prompt("Hi") }, key)).toMatchObject({ status: 200 });
  });

  it("is not stored by a turn that is refused for want of room", async ({ expect }) => {
    const model = await silentModel(2);
    const client = somebody();
    const key = { "Idempotency-Key": "k" };
    const prompt = model.prompt("Hello");
    const [first] = await openTurns(client, 9, () => "t", prompt);
    expect(await client.postTurn({ threadId: "t", prompt }, key)).toMatchObject({ status: 429 });
    await client.abort(String(first?.runId));
    await client.events(String(first?.events));
    expect(await client.postTurn({ threadId: "t", prompt: model.prompt("Other") }, key)).toMatchObject({ status: 200 });
  });
});

describe("how many turns may be open (api.md §2)", () => {
  it("lets one run and eight wait on a thread, and answers 429 to the next", async ({ expect }) => {
    const model = await silentModel(1);
    const client = somebody();
    const prompt = model.prompt("Hello");
    await openTurns(client, 9, () => "t", prompt);
    const refused = await client.post("/api/agent/turn", { threadId: "t", prompt });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
    expect(await refused.json()).toEqual(TOO_MANY);
    expect(await client.ask("GET", `${client.threadPath("t")}/runs`)).toMatchObject({ body: { runs: { length: 9 } } });
  });

  it("tells each waiting turn how many are ahead", async ({ expect }) => {
    const model = await silentModel(1);
    const client = somebody();
    const prompt = model.prompt("Hello");
    await client.startTurn("t", prompt);
    const second = await client.startTurn("t", prompt);
    const third = await client.startTurn("t", prompt);
    const queued = [
      await client.eventsUntil(second.events, "user_message"),
      await client.eventsUntil(third.events, "user_message"),
    ];
    expect(queued.map((events) => theOnly(events, "run_queued").position)).toEqual([1, 2]);
  });

  it("runs the turns of a thread in the order they came", async ({ expect }) => {
    const model = await scriptModel(inject("modelUrl"), [holdBefore(say("0")), ...["1", "2", "3"].map((n) => say(n))]);
    const client = somebody();
    await client.startTurn("t", model.prompt("First"));
    await client.startTurn("t", model.prompt("Second"));
    await client.startTurn("t", model.prompt("Third"));
    const last = await client.startTurn("t", model.prompt("Fourth"));
    await model.release();
    await client.events(last.events);
    const prompts = (await model.requests()).map(({ body }) => JSON.stringify(Object(body.messages).at(-1).content));
    expect(prompts.map((prompt) => /First|Second|Third|Fourth/.exec(prompt)?.[0])).toEqual([
      ...["First", "Second", "Third", "Fourth"],
    ]);
    expect(await model.violations()).toEqual([]);
  });

  it("counts no thread against another", async ({ expect }) => {
    const model = await silentModel(2);
    const client = somebody();
    await openTurns(client, 9, () => "t", model.prompt("Hello"));
    expect(await client.postTurn({ threadId: "u", prompt: model.prompt("Hello") })).toMatchObject({ status: 200 });
  });

  it("has room again once a turn has ended", async ({ expect }) => {
    const model = await silentModel(1);
    const client = somebody();
    const prompt = model.prompt("Hello");
    const turns = await openTurns(client, 9, () => "t", prompt);
    const queued = await Promise.all(turns.map(({ runId }) => client.view(runId)));
    await client.abort(String(queued.find(({ status }) => status === "queued")?.runId));
    expect(await client.postTurn({ threadId: "t", prompt })).toMatchObject({ status: 200 });
  });

  it("answers 429 to the 101st open turn of a person, and only to that person", async ({ expect }) => {
    const model = await silentModel(14);
    const client = somebody();
    const prompt = model.prompt("Hello");
    await openTurns(client, 100, (nth) => `t${nth % 12}`, prompt);
    const refused = await client.post("/api/agent/turn", { threadId: "t12", prompt });
    expect(refused.status).toBe(429);
    expect(refused.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
    expect(await refused.json()).toEqual(TOO_MANY);
    expect(await somebody().postTurn({ threadId: "t12", prompt })).toMatchObject({ status: 200 });
  });

  it("admits no more than nine of twenty turns that start at the same instant", async ({ expect }) => {
    const model = await silentModel(1);
    const client = somebody();
    const body = { threadId: "t", prompt: model.prompt("Hello") };
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.postTurn(body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(11);
  });
});
