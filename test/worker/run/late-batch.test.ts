/** A write that was sent to D1 by an instance that died, and arrives when the transcript has said that it did not happen. */
import { env } from "cloudflare:test";
import { expect, inject, it } from "vitest";
import { AGENT_ACTIONS } from "../../../src/actions/registry.ts";
import { createIdSource, OwnerEmail, RunId } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { callTool } from "../../support/model-script.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { died, planCrashes } from "../../support/workerd/crash-plan.ts";
import { expectWhole } from "../../support/workerd/expect-whole.ts";
import { NO_PRICES } from "../../support/workerd/no-prices.ts";
import { theOnly } from "../../support/workerd/of-type.ts";
import { somebody } from "../../support/workerd/somebody.ts";

/** D1, whose batches stay on their way until they are let go; `sent` resolves when there is one. */
const slowDatabase = () => {
  const sent = Promise.withResolvers<void>();
  const way = Promise.withResolvers<void>();
  const batch: D1Database["batch"] = async (statements) => {
    sent.resolve();
    await way.promise;
    return await env.DB.batch(statements);
  };
  const prepare: D1Database["prepare"] = (query) => env.DB.prepare(query);
  const methods = new Map<string | symbol, unknown>(Object.entries({ batch, prepare }));
  const db = new Proxy(env.DB, { get: (target, name) => methods.get(name) ?? Reflect.get(target, name) });
  return { db, sent: sent.promise, arrive: () => way.resolve() };
};

it("changes nothing: an action that was called aborted has not happened, and never will", async () => {
  const model = await scriptModel(inject("modelUrl"), [callTool("add-stock", { symbol: "AAPL" })]);
  const client = somebody();
  planCrashes("late", ["after markStarted"]);
  const { runId, events } = await client.startTurn("late", model.prompt("Add AAPL"));
  const asked = theOnly(await client.eventsUntil(events, "run_status"), "permission_request");
  await client.decide(runId, asked.requestId, { decision: "allow_once" });
  await died("late");

  const { db, sent, arrive } = slowDatabase();
  const action = AGENT_ACTIONS.find(({ name }) => name === "add-stock");
  const late = action?.run(
    {
      db: openDb(db),
      caller: { ownerEmail: OwnerEmail.parse(client.email), orgId: null },
      via: "agent",
      runId: RunId.parse(runId),
      replayKey: `run:${runId}:${asked.toolCallId}`,
      prices: NO_PRICES,
      nowMs: Date.now,
      newId: createIdSource(Date.now),
    },
    { stock: { symbol: "AAPL" } },
  );
  const given = expect(late).rejects.toThrow("This call was stopped before it had an effect.");
  await sent;

  await client.abort(runId);
  const transcript = await client.events(events);
  expectWhole(transcript, "aborted");
  expect(theOnly(transcript, "tool_end").status).toBe("aborted");
  arrive();
  await given;
  expect(await client.action("list-stocks", {})).toMatchObject({ total: 0 });
});
