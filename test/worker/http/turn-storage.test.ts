/** The turn start on a database that lacks its tables: step 4 makes sure that they exist (spec §4.1.4). */
import { env } from "cloudflare:test";
import { inject, it } from "vitest";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { somebody } from "../../support/somebody.ts";

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
