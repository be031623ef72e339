/** Steps between releases: a run of a harness that this one does not have, and what it stores for an earlier one (docs/harness.md). */
import { env, runInDurableObject } from "cloudflare:test";
import { inject, it } from "vitest";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { captureLog } from "../../support/workerd/captured-log.ts";
import { died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { somebody } from "../../support/workerd/somebody.ts";

it("a run of an unknown harness ends as failed, can still be read, and its thread can be deleted", async ({
  expect,
}) => {
  const model = await scriptModel(inject("modelUrl"), [say("Lost.")]);
  const client = somebody();
  const threadId = "unknown harness";
  planCrashes(threadId, ["before closeMessage"]);
  const { runId, events } = await client.startTurn(threadId, model.prompt("Hello"));
  await died(threadId);
  const log = captureLog();
  await runInDurableObject(env.RUNS.getByName(runId), (_, { storage }) => {
    storage.sql.exec("UPDATE run SET spec = json_set(spec, '$.harness', 'of tomorrow')");
  });
  const transcript = await client.follow(events);
  expectWhole(transcript, "failed");
  expect(theOnly(transcript, "run_end").error).toMatchObject({ code: "internal" });
  expect(await client.view(runId)).toMatchObject({ status: "failed", harness: "of tomorrow" });
  expect(log.lines({ level: "error", message: "A run broke.", runId })).toMatchObject([
    { error: expect.stringContaining('There is no harness named "of tomorrow".') },
  ]);
  expect(await client.ask("DELETE", `/_framework/threads/${encodeURIComponent(threadId)}`)).toMatchObject({
    status: 200,
  });
  expect((await client.ask("GET", `/_framework/runs/${runId}`)).status).toBe(404);
});

it("the state of a turn is stored in the form that an earlier release reads", async ({ expect }) => {
  const model = await scriptModel(inject("modelUrl"), [say("Hi.")]);
  const client = somebody();
  const { runId, events } = await client.startTurn("t", model.prompt("Hello"));
  await client.events(events);
  const body = await runInDurableObject(
    env.RUNS.getByName(runId),
    (_, { storage }) => storage.sql.exec<{ body: string }>("SELECT body FROM turn_state").one().body,
  );
  expect(Object.entries(JSON.parse(body)).map(([name, value]) => [name, typeof value])).toEqual([
    ["context", "string"],
    ["facts", "object"],
    ["notes", "object"],
    // An earlier release reads past it.
    ["toldBefore", "object"],
    ["told", "object"],
  ]);
});
