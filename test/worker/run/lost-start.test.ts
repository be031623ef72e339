/** A turn start that died on its way to the object, and is asked for again under its key. */
import { env } from "cloudflare:test";
import { expect, it } from "vitest";
import { AppError } from "../../../src/contract/app-error.ts";
import { OwnerEmail } from "../../../src/contract/ids.ts";
import { startTurn } from "../../../src/turn/start-turn.ts";
import { insertLostStart } from "../../support/workerd/lost-start.ts";
import { somebody } from "../../support/workerd/somebody.ts";

it("starts nothing while the agent is paused, or its sender is over the rate", async () => {
  const { email } = somebody();
  const runId = await insertLostStart(email, "t", "Hello");
  const caller = { ownerEmail: OwnerEmail.parse(email), orgId: null };
  const again = (refusal?: AppError) =>
    startTurn(env, caller, { threadId: "t", prompt: "Hello", idempotencyKey: "t" }, async () => refusal);
  const paused = new AppError(503, "The agent is paused here. Try again later.");
  await expect(again(paused)).rejects.toBe(paused);
  expect(await env.RUNS.getByName(runId).status()).toBeUndefined();
  expect(await again()).toMatchObject({ runId });
  // What has begun is answered for, whatever is refused now.
  expect(await again(paused)).toMatchObject({ runId });
});
