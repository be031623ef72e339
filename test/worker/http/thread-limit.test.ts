/** How many threads a person can have. */
import { env } from "cloudflare:test";
import { inject, it } from "vitest";
import { dayOf } from "../../../src/contract/day.ts";
import { budgetHash } from "../../../src/contract/digest.ts";
import { addDayCost } from "../../../src/db/day-costs.ts";
import { openDb } from "../../../src/db/db.ts";
import { say } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { answerOf } from "../../support/workerd/answer.ts";
import { heldClock } from "../../support/workerd/held-clock.ts";
import { addThreads } from "../../support/workerd/many-threads.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { runClient } from "../../support/workerd/run-client.ts";
import { signIn } from "../../support/workerd/sign-in.ts";
import worker from "../../support/workerd/test-worker.ts";

const FULL = { status: 409, body: { error: "You have 5,000 chats, the limit. Delete some first." } };

it("a person with 5,000 threads cannot start another, and can continue the existing ones", async ({ expect }) => {
  const email = `${crypto.randomUUID()}@example.com`;
  await addThreads(email);
  const client = runClient(email);
  const model = await scriptModel(inject("modelUrl"), [say("Hi."), say("New.")]);
  const start = async (threadId: string) => {
    const answer = await client.post("/api/agent/turn", { threadId, prompt: model.prompt("Hello") });
    return { status: answer.status, body: await answer.json() };
  };
  expect(await start("another")).toEqual(FULL);
  const events = await client.runToEnd("thread-7", model.prompt("Hello"));
  expect(theOnly(events, "run_end").status).toBe("completed");
  await client.request("/_framework/threads/thread-8", { method: "DELETE" });
  expect(await start("another")).toMatchObject({ status: 200 });
});

it("a person with 5,000 threads is told so first, though the day's budget is used up as well", async ({ expect }) => {
  const email = `${crypto.randomUUID()}@example.com`;
  await addThreads(email);
  const { cookies } = await signIn(email, "http://localhost");
  const nowMs = Date.now();
  heldClock(nowMs);
  const ownerHash = await budgetHash(email);
  await addDayCost(openDb(env.DB), { id: "a run", ownerHash, day: dayOf(nowMs), costUsd: "1" });
  const start = async (threadId: string) =>
    answerOf(
      await worker.request(
        "http://localhost/api/agent/turn",
        {
          method: "POST",
          headers: {
            cookie: [...cookies].map((pair) => pair.join("=")).join("; "),
            "content-type": "application/json",
          },
          body: JSON.stringify({ threadId, prompt: "Hello" }),
        },
        { ...env, AGENT_OWNER_DAY_BUDGET_USD: "0.05" },
      ),
    );
  expect(await start("another")).toEqual(FULL);
  expect(await start("thread-7")).toEqual({ status: 429, body: { error: "Today's budget is used up." } });
});
