/** How many threads a person can have. */
import { env } from "cloudflare:test";
import { inject, it } from "vitest";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { runClient } from "../../support/workerd/run-client.ts";

const fillTo = (email: string, count: number) =>
  env.DB.prepare(
    `WITH RECURSIVE nth(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM nth WHERE n < ?2)
     INSERT INTO threads SELECT ?1, 'thread-' || n, 'A title', 1, 1 FROM nth`,
  )
    .bind(email, count)
    .run();

it("a person with 5,000 threads cannot start another, and can continue the existing ones", async ({ expect }) => {
  const email = `${crypto.randomUUID()}@example.com`;
  await fillTo(email, 5_000);
  const client = runClient(email);
  const model = await scriptModel(inject("modelUrl"), [say("Hi."), say("New.")]);
  const start = async (threadId: string) => {
    const answer = await client.post("/api/agent/turn", { threadId, prompt: model.prompt("Hello") });
    return { status: answer.status, body: await answer.json() };
  };
  expect(await start("another")).toEqual({
    status: 409,
    body: { error: "You have 5,000 chats, the limit. Delete some first." },
  });
  const events = await client.runToEnd("thread-7", model.prompt("Hello"));
  expect(theOnly(events, "run_end").status).toBe("completed");
  await client.request("/_framework/threads/thread-8", { method: "DELETE" });
  expect(await start("another")).toMatchObject({ status: 200 });
});
