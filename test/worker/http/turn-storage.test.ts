/** What the turn start does with its storage: makes sure that it exists, looks up its own sessions (spec §4.1.4 and §4.1.5). */
import { env } from "cloudflare:test";
import { inject, it } from "vitest";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { somebody } from "../../support/workerd/somebody.ts";

const drop = (tables: readonly string[]) => env.DB.batch(tables.map((table) => env.DB.prepare(`DROP TABLE ${table}`)));

it.for([
  ["the harness sessions", ["harness_sessions"]],
  ["everything that turns need", ["harness_sessions", "runs", "threads", "idempotency_keys"]],
] as const)("starts a turn where %s do not exist yet (spec §4.1.4)", async ([, tables], { expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two.")]);
  const client = somebody();
  await drop(tables);
  const first = await client.startTurn("t", model.prompt("Hello"));
  expect(first.sessionId).toBeNull();
  expect((await client.events(first.events)).at(-1)).toMatchObject({ type: "run_end", status: "completed" });
  const second = await client.startTurn("t", model.prompt("Again"));
  expect(second.sessionId).toBe((await client.view(first.runId)).sessionId);
});

it("starts each of several turns that find no tables at the same instant (spec §4.1.4)", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two."), say("Three.")]);
  const client = somebody();
  await drop(["harness_sessions", "runs", "threads", "idempotency_keys"]);
  const turns = await Promise.all(["a", "b", "c"].map((id) => client.startTurn(id, model.prompt("Hello"))));
  const ends = await Promise.all(turns.map(async ({ events }) => (await client.events(events)).at(-1)));
  expect(ends).toMatchObject([{ status: "completed" }, { status: "completed" }, { status: "completed" }]);
});

it("resumes no session of another harness (spec §2, Harness session)", async ({ expect }) => {
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
