/** What is kept of commands of a durable workspace, and for how long (run.md, Recovery). */
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { it } from "vitest";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { openDurableWorkspace, workspaceObjectOf } from "../../../src/workspace/durable/durable-workspace.ts";
import { run } from "../../support/workspace/workspace-under-test.ts";

const HOUR_MS = 3_600_000;

it("the output of a command is deleted an hour after its start, though no other command is run", async ({ expect }) => {
  const owner = OwnerEmail.parse(`${crypto.randomUUID()}@example.com`);
  const workspace = await openDurableWorkspace(env.WORKSPACES, owner);
  const object = await workspaceObjectOf(env.WORKSPACES, owner);
  const query = <Row extends Record<string, SqlStorageValue>>(sql: string) =>
    runInDurableObject(object, (_, { storage }) => storage.sql.exec<Row>(sql).toArray());
  const outputs = async () =>
    (await query<{ text: string }>("SELECT text FROM command_outputs WHERE stream = 'stdout'")).map(({ text }) => text);
  await run(workspace, "echo one");
  await query(`UPDATE commands SET started_at_ms = started_at_ms - ${HOUR_MS / 2}`);
  await run(workspace, "echo two");
  expect((await outputs()).toSorted()).toEqual(["one\n", "two\n"]);
  await query(`UPDATE commands SET started_at_ms = started_at_ms - ${HOUR_MS / 2 + 60_000}`);
  expect([await runDurableObjectAlarm(object), await outputs()]).toEqual([true, ["two\n"]]);
  // It comes back for the next one, and for nothing after that.
  await query(`UPDATE commands SET started_at_ms = started_at_ms - ${HOUR_MS / 2}`);
  expect([await runDurableObjectAlarm(object), await outputs()]).toEqual([true, []]);
  expect(await query("SELECT call_id FROM commands")).toEqual([]);
  expect(await runDurableObjectAlarm(object)).toBe(false);
});
