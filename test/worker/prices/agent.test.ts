/** The agent and prices: it finds a listing before it adds a stock, and proposes the answer to a split (api.md §8). */
import { env } from "cloudflare:test";
import { expect, inject, it } from "vitest";
import { z } from "zod";
import { QuotesObject } from "../../../src/quotes/quotes-object.ts";
import { aroundMethod } from "../../support/around-method.ts";
import { callTool, say } from "../../support/model-script.ts";
import type { RecordedRequest } from "../../support/model-server/reply.ts";
import { APPLE } from "../../support/price-server/trading-day.ts";
import { scriptModel } from "../../support/scripted-model.ts";
import { type ReceivedEvent, runClient } from "../../support/workerd/run-client.ts";
import { postUndo } from "../../support/workerd/undo-client.ts";
import { withPrices } from "../../support/workerd/with-prices.ts";
import { withSplit } from "../../support/workerd/with-split.ts";

const Request = z.object({
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  messages: z.array(z.object({ content: z.array(z.looseObject({ type: z.string() })) })),
});

const toolOf = (request: RecordedRequest | undefined, name: string): string =>
  Request.parse(request?.body).tools.find((tool) => tool.name === name)?.description ?? "";

/** What the model was given for the calls before this request. */
const resultsOf = (request: RecordedRequest | undefined): string =>
  JSON.stringify(
    Request.parse(request?.body)
      .messages.at(-1)
      ?.content.filter(({ type }) => type === "tool_result"),
  ).replaceAll("\\", "");

const asked = (events: readonly ReceivedEvent[]) => events.filter((event) => event.type === "permission_request");

const GERMAN = { ...APPLE, mic: "XETR", market: "XETRA", currency: "EUR", price: "160", previousClose: "159" } as const;

it("it is told to look for a symbol before it adds one, is given the listings, and the one it names is linked", async () => {
  const ann = await withPrices({ listings: [APPLE, GERMAN] });
  const model = await scriptModel(inject("modelUrl"), [
    callTool("find-symbol", { q: "apple" }),
    callTool("add-stock", { symbol: "AAPL", exchange: "XETR", currency: "EUR", name: "Apple Inc", quantity: "3" }),
    say("Added."),
  ]);
  const client = runClient(ann.email);
  const { runId } = await client.startTurn("t", model.prompt("Add three Apple in Frankfurt"));
  const events = await client.followAllowing(runId);
  const [first, second, third] = await model.requests();
  expect(toolOf(first, "find-symbol")).toContain("Use it before add-stock");
  expect(toolOf(first, "add-stock")).toContain("find-symbol");
  expect(resultsOf(second)).toContain('"symbol":"AAPL","exchange":"XETR"');
  expect(resultsOf(second)).toContain('"symbol":"AAPL","exchange":"XNAS"');
  expect(resultsOf(third)).toContain('"exchange":"XETR"');
  // A read runs at once; the addition alone asks.
  expect(asked(events).map(({ title }) => title)).toEqual(["Add AAPL"]);
  await ann.wake();
  expect(await ann.list()).toMatchObject([
    { symbol: "AAPL", currency: "EUR", lastPrice: "160", instrument: { symbol: "AAPL", exchange: "XETR" } },
  ]);
});

it("a search that finds nothing, with the source down, does not keep it from adding", async () => {
  const ann = await withPrices();
  await ann.room.set({ mood: "down" });
  const model = await scriptModel(inject("modelUrl"), [
    callTool("find-symbol", { q: "apple" }),
    callTool("add-stock", { symbol: "AAPL" }),
    say("Added without a price: the source is down."),
  ]);
  const client = runClient(ann.email);
  const { runId } = await client.startTurn("t", model.prompt("Add Apple"));
  await client.followAllowing(runId);
  expect(resultsOf((await model.requests())[1])).toContain('"unavailable":"down"');
  expect(await ann.list()).toMatchObject([{ symbol: "AAPL", instrument: null, lastPrice: null }]);
});

it("it reads of a split that waits, proposes its answer with what it would change, and the person undoes the run", async () => {
  const ann = await withSplit("eodhd");
  const { id } = ann;
  const { pendingSplit, version = 0 } = ann.stock ?? {};
  const day = pendingSplit?.day ?? "";
  const model = await scriptModel(inject("modelUrl"), [
    callTool("list-stocks", {}),
    callTool("update-stock", { id, version, split: { day, answer: "apply" } }),
    say("Applied."),
  ]);
  const client = runClient(ann.email);
  const { runId } = await client.startTurn("t", model.prompt("What about my Apple?"));
  const events = await client.followAllowing(runId);
  const [first, second] = await model.requests();
  expect(toolOf(first, "update-stock")).toContain("tell the person and propose split with apply");
  expect(resultsOf(second)).toContain(`"pendingSplit":{"day":"${day}","numerator":10,"denominator":1}`);
  expect(resultsOf(second)).toContain('"priceState":"pending"');
  // What the card is made of: the answer, and the stock that it is about.
  expect(asked(events)).toMatchObject([
    {
      title: "Apply the split of a stock",
      subject: {
        ...{ type: "action", name: "update-stock", input: { id, version, split: { day, answer: "apply" } } },
        before: { symbol: "AAPL", quantity: "25", avgCost: "118.2", targetLow: "120", targetHigh: "400", pendingSplit },
      },
    },
  ]);
  const applied = { quantity: "250", avgCost: "11.82", targetLow: "12", targetHigh: "40", pendingSplit: null };
  expect(await ann.list()).toMatchObject([{ ...applied, lastPrice: "19.1", updatedVia: "agent" }]);

  expect(await postUndo(client, runId)).toMatchObject({ body: { stocks: [{ id, state: "done" }] } });
  const restored = { quantity: "25", avgCost: "118.2", targetLow: "120", targetHigh: "400", pendingSplit };
  expect(await ann.list()).toMatchObject([
    { ...restored, lastPrice: "190.5", priceState: "pending", targetState: "between" },
  ]);
  // It waits as before, and can be answered.
  await ann.act("update-stock", { id, split: { day, answer: "apply" } });
  expect(await ann.list()).toMatchObject([applied]);
});

it("an answer to a split that it was not allowed changes nothing", async () => {
  const ann = await withSplit("twelvedata");
  const split = { day: ann.stock?.pendingSplit?.day ?? "", answer: "apply" } as const;
  const model = await scriptModel(inject("modelUrl"), [
    callTool("update-stock", { id: ann.id, split }),
    say("As you like."),
  ]);
  const client = runClient(ann.email);
  const { runId, events } = await client.startTurn("t", model.prompt("Apply it"));
  await client.followWith(events, async (event) => {
    if (event.type !== "permission_request") return;
    await client.post(`/_framework/runs/${runId}/permissions/${event.requestId}`, { decision: "reject" });
  });
  expect(await ann.list()).toEqual([ann.stock]);
});

/** A call that waits for the person while `meanwhile` happens, and is then allowed. */
const allowedAfter = async (
  email: string,
  call: Readonly<Record<string, unknown>>,
  meanwhile: () => Promise<unknown>,
) => {
  const tool = "items" in call ? "add-stock" : "update-stock";
  const model = await scriptModel(inject("modelUrl"), [callTool(tool, call), say("Done.")]);
  const client = runClient(email);
  const { runId, events } = await client.startTurn("t", model.prompt("Set it"));
  const all = await client.followWith(events, async (event) => {
    if (event.type !== "permission_request") return;
    await meanwhile();
    await client.post(`/_framework/runs/${runId}/permissions/${event.requestId}`, { decision: "allow_once" });
  });
  return all.find((event) => event.type === "tool_end");
};

it("a price of the shares before a split is not set on those after it", async () => {
  const ann = await withSplit("twelvedata");
  const { id } = ann;
  const split = { day: ann.stock?.pendingSplit?.day ?? "", answer: "apply" } as const;
  const end = await allowedAfter(ann.email, { id, set: { lastPrice: "180" } }, () =>
    ann.act("update-stock", { id, split }),
  );
  expect(end).toMatchObject({ status: "failed", output: expect.stringContaining("AAPL has changed since") });
  expect(await ann.list()).toMatchObject([{ lastPriceSource: "twelvedata", pendingSplit: null }]);
});

it("an addition does not merge into a stock of which a split was found meanwhile", async () => {
  const ann = await withSplit("twelvedata");
  const { pendingSplit = null } = ann.stock ?? {};
  const setSplit = (split: unknown) =>
    env.DB.prepare("UPDATE stocks SET pending_split = ? WHERE id = ?")
      .bind(split === null ? null : JSON.stringify(split), ann.id)
      .run();
  await setSplit(null);
  const items = [{ symbol: "AAPL", exchange: "XNAS", quantity: "30" }];
  const end = await allowedAfter(ann.email, { items, onConflict: "update" }, () => setSplit(pendingSplit));
  expect(end).toMatchObject({ status: "failed", output: expect.stringContaining("AAPL has changed since") });
  expect(await ann.list()).toMatchObject([{ quantity: "25", pendingSplit }]);
});

it("a stock that is linked to a source meanwhile is no other one", async () => {
  const ann = await withPrices();
  const key = "/_framework/settings/quotes-key";
  expect(await ann.ask("DELETE", key)).toMatchObject({ status: 200 });
  const { id } = await ann.add({ symbol: "AAPL", exchange: "XNAS" });
  const end = await allowedAfter(ann.email, { id, set: { targetHigh: "300" } }, async () => {
    expect(await ann.list()).toMatchObject([{ instrument: null }]);
    await ann.ask("PUT", key, { source: "twelvedata", key: ann.room.key });
    await ann.wake();
    expect(await ann.list()).toMatchObject([{ instrument: { exchange: "XNAS" } }]);
  });
  expect(end).toMatchObject({ status: "completed" });
  expect(await ann.list()).toMatchObject([{ targetHigh: "300" }]);
});

it("a refresh whose answer is lost is no second one: the repeat of the call says what came", async () => {
  const ann = await withPrices({ listings: [APPLE] });
  await ann.add({ symbol: "AAPL", exchange: "XNAS" });
  await ann.wake();
  let isLost = false;
  aroundMethod(QuotesObject.prototype, "refresh", async (_self, _args, call) => {
    const answer = await call();
    if (isLost) return answer;
    isLost = true;
    throw new Error("D1 is away");
  });
  const model = await scriptModel(inject("modelUrl"), [callTool("refresh-quotes", {}), say("Done.")]);
  const client = runClient(ann.email);
  const { runId } = await client.startTurn("t", model.prompt("Newer prices, please"));
  await client.followAllowing(runId);
  const [, second] = await model.requests();
  expect(resultsOf(second)).toContain('"accepted":["AAPL"]');
  expect(isLost).toBe(true);
});
