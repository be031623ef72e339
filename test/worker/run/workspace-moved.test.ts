/** A thread that continues in another directory: clients and the model are told, and it works in the new one. */
import { env } from "cloudflare:workers";
import { inject, it } from "vitest";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { somebody } from "../../support/workerd/somebody.ts";

it("a thread resumed under another directory says so in run_start and to the model, once", async ({ expect }) => {
  const client = somebody();
  const model = await scriptModel(inject("modelUrl"), [say("One."), say("Two."), say("Three.")]);
  const first = theOnly(await client.runToEnd("t", model.prompt("One")), "run_start");
  expect(first).not.toHaveProperty("previousWorkspaceDir");
  // What a restart under another AGENT_WORKSPACE_DIR finds.
  await env.DB.prepare("UPDATE harness_sessions SET workspace_dir = ? WHERE owner_email = ?")
    .bind('/old/"place"', client.email)
    .run();
  const second = theOnly(await client.runToEnd("t", model.prompt("Two")), "run_start");
  expect(second).toMatchObject({ workspaceDir: first.workspaceDir, previousWorkspaceDir: '/old/"place"' });
  const third = theOnly(await client.runToEnd("t", model.prompt("Three")), "run_start");
  expect(third).not.toHaveProperty("previousWorkspaceDir");
  // Said once, and sent again with the turn it belongs to.
  const prompts = (await model.requests()).map(({ body }) => JSON.stringify(Object(body).messages));
  expect(prompts.map((prompt) => prompt.split("another directory").length - 1)).toEqual([0, 1, 1]);
  expect(prompts[1]).toContain(JSON.stringify(JSON.stringify('/old/"place"')).slice(1, -1));
});
