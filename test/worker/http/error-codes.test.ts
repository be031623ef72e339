/** Programs tell refusals apart by `X-Error-Code`, whatever their words are (api.md §1, Error codes). */
import { expect, inject, it } from "vitest";
import { z } from "zod";
import { actionPath } from "../../../src/contract/action-path.ts";
import { say } from "../../support/model-script.ts";
import { holdBefore } from "../../support/model-troubles.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { type Somebody, somebody } from "../../support/workerd/somebody.ts";

const Added = z.object({ stock: z.object({ id: z.string() }) });

const codeOf = async (response: Promise<Response>): Promise<[status: number, code: string | null]> => {
  const { status, headers } = await response;
  return [status, headers.get("X-Error-Code")];
};

const add = (client: Somebody, stock: object): Promise<Response> => client.post(actionPath("add-stock"), stock);

it("symbol_taken: the symbol is in the list, of a stock that is added, renamed or restored", async () => {
  const client = somebody();
  const [first, other] = [await add(client, { symbol: "AAPL" }), await add(client, { symbol: "MSFT" })];
  const [{ stock }, { stock: second }] = [Added.parse(await first.json()), Added.parse(await other.json())];
  const taken = [409, "symbol_taken"];
  expect(await codeOf(add(client, { symbol: "AAPL" }))).toEqual(taken);
  const update = { id: second.id, set: { symbol: "AAPL" } };
  expect(await codeOf(client.post(actionPath("update-stock"), update))).toEqual(taken);
  await client.post(actionPath("delete-stock"), { id: stock.id });
  expect(await codeOf(add(client, { symbol: "AAPL", quantity: "-1" }))).toEqual([400, null]);
  await client.post(actionPath("update-stock"), update);
  expect(await codeOf(client.post(actionPath("update-stock"), { id: stock.id, restore: true }))).toEqual(taken);
});

it("run_ended: a message came too late for its run", async () => {
  const model = await scriptModel(inject("modelUrl"), [say("Done.")]);
  const client = somebody();
  const { runId, events } = await client.startTurn("t", model.prompt("Hello"));
  await client.events(events);
  const message = client.post(`/_framework/runs/${runId}/messages`, { text: "Briefly" });
  expect(await codeOf(message)).toEqual([409, "run_ended"]);
});

it("stale_version: the stock has changed since it was read", async () => {
  const client = somebody();
  const { stock } = Added.parse(await (await add(client, { symbol: "AAPL" })).json());
  const update = (set: object) => client.post(actionPath("update-stock"), { id: stock.id, version: 1, set });
  await update({ notes: "First" });
  expect(await codeOf(update({ notes: "Second" }))).toEqual([409, "stale_version"]);
});

it("too_many_messages: the run has had its eight, and no wait helps", async () => {
  const model = await scriptModel(inject("modelUrl"), [holdBefore(say("Never."))]);
  const client = somebody();
  const { runId } = await client.startTurn("t", model.prompt("Hello"));
  await model.reaches(1, "held");
  const tell = () => client.post(`/_framework/runs/${runId}/messages`, { text: "Briefly" });
  for (let nth = 0; nth < 8; nth += 1) expect((await tell()).status).toBe(200);
  const ninth = await tell();
  expect(ninth.headers.get("Retry-After")).toBeNull();
  expect(await codeOf(Promise.resolve(ninth))).toEqual([429, "too_many_messages"]);
});

it("too_many_runs: the chat has as many as it may have", async () => {
  const model = await scriptModel(inject("modelUrl"), [holdBefore(say("Never."))]);
  const client = somebody();
  const turn = { threadId: "t", prompt: model.prompt("Hello") };
  for (let nth = 0; nth < 9; nth += 1) expect((await client.post("/api/agent/turn", turn)).status).toBe(200);
  expect(await codeOf(client.post("/api/agent/turn", turn))).toEqual([429, "too_many_runs"]);
});
