/** Writes of the agent: recorded as its own, and once only however often a call is made again (run.md, Recovery). */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { addStock } from "../../../src/actions/add-stock.ts";
import { type ActionContext, parseInput } from "../../../src/actions/define-action.ts";
import { deleteStock } from "../../../src/actions/delete-stock.ts";
import { updateStock } from "../../../src/actions/update-stock.ts";
import { createIdSource, OwnerEmail, RunId } from "../../../src/contract/ids.ts";
import { openDb } from "../../../src/db/db.ts";
import { NO_PRICES } from "../../support/workerd/no-prices.ts";
import { aPerson, type Person } from "../../support/workerd/stocks-client.ts";

const RUN_ID = RunId.parse("7b0c2c5e-8a43-4f0e-9d53-3a3b6c1d2e4f");

/** The world of a call of the agent. */
const agentOf = (person: Person, replayKey: string): ActionContext => ({
  db: openDb(env.DB),
  caller: { ownerEmail: OwnerEmail.parse(person.email), orgId: null },
  via: "agent",
  runId: RUN_ID,
  replayKey,
  prices: NO_PRICES,
  nowMs: Date.now,
  newId: createIdSource(Date.now),
});

const addition = (input: unknown) => parseInput(addStock.agentInput ?? addStock.input, input);

it("what the agent writes is recorded as the agent's, with its run", async () => {
  const ann = aPerson();
  await addStock.run(agentOf(ann, "run:1:1-0"), addition({ symbol: "AAPL", lastPrice: 5 }));
  const { stock, events } = await ann.act("get-stock", { symbol: "AAPL" });
  expect(stock).toMatchObject({ updatedVia: "agent", lastPriceSource: "manual" });
  expect(events).toMatchObject([{ action: "add", via: "agent", runId: RUN_ID }]);
});

it("a call made again gets the first answer and changes nothing", async () => {
  const ann = aPerson();
  const agent = agentOf(ann, "run:1:1-0");
  const first = await addStock.run(agent, addition({ symbol: "AAPL" }));
  expect(await addStock.run(agent, addition({ symbol: "AAPL" }))).toEqual(first);
  expect((await ann.act("list-stocks", {})).total).toBe(1);
});

it("calls made again at the same instant have one effect", async () => {
  const ann = aPerson();
  const { id } = await ann.add({ symbol: "AAPL" });
  const agent = agentOf(ann, "run:1:1-0");
  const answers = await Promise.all([1, 2, 3].map(() => updateStock.run(agent, { id, set: { quantity: "5" } })));
  expect(answers).toEqual(answers.map(() => answers[0]));
  expect((await ann.act("get-stock", { id })).stock.version).toBe(2);
});

it("a call is never refused for its key", async () => {
  const ann = aPerson();
  const agent = agentOf(ann, "run:1:1-0");
  const first = await addStock.run(agent, addition({ symbol: "AAPL" }));
  expect(await addStock.run(agent, addition({ symbol: "MSFT" }))).toEqual(first);
});

it("a client's key of the same text is another one", async () => {
  const ann = aPerson();
  await addStock.run(agentOf(ann, "k"), addition({ symbol: "AAPL" }));
  expect((await ann.add({ symbol: "MSFT", idempotencyKey: "k" })).symbol).toBe("MSFT");
});

it("a permission request can show what a write would change", async () => {
  const ann = aPerson();
  const stock = await ann.add({ symbol: "AAPL" });
  const agent = agentOf(ann, "run:1:1-0");
  expect(await updateStock.before?.(agent, { id: stock.id, set: { quantity: "5" } })).toMatchObject({ shown: stock });
  expect(await deleteStock.before?.(agent, { ids: [stock.id, "nope"] })).toMatchObject({ shown: [stock] });
  expect(await updateStock.before?.(agentOf(aPerson(), "k"), { id: stock.id, set: {} })).toBeUndefined();
  expect(await updateStock.before?.(agent, { id: "nope", set: {} })).toBeUndefined();
  expect(await deleteStock.before?.(agent, { id: "nope" })).toMatchObject({ shown: [] });
});
