/** What the agent's tools offer (api.md §6): one flat object each, without the key that only screens send. */
import { expect, it } from "vitest";
import { z } from "zod";
import { AGENT_ACTIONS } from "../../../src/actions/registry.ts";
import { ACTION_CONTRACTS } from "../../../src/contract/action.ts";

const tools = AGENT_ACTIONS.map(({ name, agentInput, input }) => ({
  name,
  schema: z.toJSONSchema(agentInput ?? input, { io: "input" }),
}));

it("the actions of stocks, prices and schedules and view-screen are tools", () => {
  expect(tools.map(({ name }) => name).sort()).toEqual([
    ...[
      "add-stock",
      "create-schedule",
      "delete-schedule",
      "delete-stock",
      "find-symbol",
      "get-stock",
      "list-schedules",
    ],
    ...["list-stocks", "refresh-quotes", "update-stock", "view-screen"],
  ]);
});

it.each(tools)("$name takes one object without alternatives and without unknown keys", ({ schema }) => {
  expect(schema).toMatchObject({ type: "object", additionalProperties: false });
  expect(Object.keys(schema)).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(any|all|one)Of$/)]));
});

it.each(tools)("$name does not offer an idempotency key", ({ schema }) => {
  expect(schema.properties).not.toHaveProperty("idempotencyKey");
});

it.each(["add-stock", "update-stock", "delete-stock"] as const)("%s takes an idempotency key from a screen", (name) => {
  expect(z.toJSONSchema(ACTION_CONTRACTS[name].input, { io: "input" }).properties).toHaveProperty("idempotencyKey");
});

it("add-stock tells the model what an item looks like", () => {
  const add = tools.find(({ name }) => name === "add-stock");
  expect(add?.schema.properties).toMatchObject({
    items: { type: "array", maxItems: 100, items: { type: "object", required: ["symbol"] } },
  });
});
