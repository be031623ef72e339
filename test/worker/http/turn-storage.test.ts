/** What the turn start does with its storage: makes sure that it exists, looks up its own sessions (run.md, Starting). */
import { env } from "cloudflare:test";
import { inject, it, onTestFinished } from "vitest";
import { say } from "../../support/model-script.ts";
import { holdMidStream } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const EVERYTHING = ["harness_sessions", "runs", "run_costs", "threads", "idempotency_keys", "model_facts"];

const drop = (tables: readonly string[]) => env.DB.batch(tables.map((table) => env.DB.prepare(`DROP TABLE ${table}`)));

it.for([
  ["the harness sessions", ["harness_sessions"]],
  ["everything that turns need", EVERYTHING],
  // Where 0004 has not been applied, as after a deploy of the code alone.
  ["the facts of models and the costs of runs", ["model_facts", "run_costs"]],
] as const)("starts a turn where %s do not exist yet (run.md, Starting)", async ([, tables], { expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two.")]);
  const client = somebody();
  await drop(tables);
  const first = await client.startTurn("t", model.prompt("Hello"));
  expect(first.sessionId).toBeNull();
  expect((await client.events(first.events)).at(-1)).toMatchObject({ type: "run_end", status: "completed" });
  const second = await client.startTurn("t", model.prompt("Again"));
  expect(second.sessionId).toBe((await client.view(first.runId)).sessionId);
  await client.events(second.events);
  const { threads } = Object((await client.ask("GET", "/_framework/threads")).body);
  expect(threads).toMatchObject([{ threadId: "t", costUsd: "0.00014", activeRunId: null }]);
});

it("ends a run that began before the table of costs was there, and lists it", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [holdMidStream("One", "!")]);
  const client = somebody();
  const turn = await client.startTurn("t", model.prompt("Hello"));
  await client.eventsUntil(turn.events, "text_delta");
  await drop(["model_facts", "run_costs"]);
  expect(await client.ask("GET", "/_framework/threads")).toMatchObject({ status: 200 });
  await drop(["model_facts", "run_costs"]);
  await model.release();
  await client.events(turn.events);
  await client.wake(turn.runId);
  const row = await env.DB.prepare("SELECT status FROM runs WHERE run_id = ?").bind(turn.runId).first();
  expect(row).toEqual({ status: "completed" });
  await drop(["model_facts", "run_costs"]);
  const { runs } = Object((await client.ask("GET", `${client.threadPath("t")}/runs`)).body);
  expect(runs).toMatchObject([{ runId: turn.runId, status: "completed", costUsd: null }]);
});

it("starts each of several turns that find no tables at the same instant (run.md, Starting)", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two."), say("Three.")]);
  const client = somebody();
  await drop(EVERYTHING);
  const turns = await Promise.all(["a", "b", "c"].map((id) => client.startTurn(id, model.prompt("Hello"))));
  const ends = await Promise.all(turns.map(async ({ events }) => (await client.events(events)).at(-1)));
  expect(ends).toMatchObject([{ status: "completed" }, { status: "completed" }, { status: "completed" }]);
});

it("resumes no session of another harness (run.md, Starting)", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("Hi.")]);
  const client = somebody();
  const foreignId = crypto.randomUUID();
  await env.DB.prepare(
    `INSERT INTO harness_sessions (id, owner_email, thread_id, harness, workspace_dir, permission_mode, created_at_ms)
     VALUES (?, ?, 't', 'another', '.', 'allow-reads', 0)`,
  )
    .bind(foreignId, client.email)
    .run();
  const turn = await client.startTurn("t", model.prompt("Hello"));
  expect(turn.sessionId).toBeNull();
  expect((await client.view(turn.runId)).sessionId).not.toBe(foreignId);
});

it("deletes a chat where there is no table of notices yet", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("Hi.")]);
  const client = somebody();
  const turn = await client.startTurn("t", model.prompt("Hello"));
  await client.events(turn.events);
  const rename = (from: string, to: string) => env.DB.prepare(`ALTER TABLE ${from} RENAME TO ${to}`).run();
  await rename("notices", "notices_away");
  onTestFinished(async () => void (await rename("notices_away", "notices")));
  expect((await client.ask("DELETE", client.threadPath("t"))).status).toBe(200);
  expect(Object((await client.ask("GET", "/_framework/threads")).body).threads).toEqual([]);
});
