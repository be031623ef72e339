/** Which stocks a tool card leads to. */
import { expect, it } from "vitest";
import { stocksOfCall } from "../../../../../src/ui/agent/conversation/tools/tool-details.tsx";

const ID = "0198f7a0-0000-7000-8000-000000000001";
const OTHER = "0198f7a0-0000-7000-8000-000000000002";
const call = { tool: "add-stock", status: "completed" as const, input: {}, output: "" };

it("the stock of the answer, by its symbol", () => {
  const output = JSON.stringify({ stock: { id: ID, symbol: "AAPL" } });
  expect(stocksOfCall({ ...call, output })).toEqual([{ id: ID, label: "Open AAPL" }]);
});

it("the stocks of several results, without those that failed", () => {
  const output = JSON.stringify({
    results: [{ stock: { id: ID, symbol: "A" } }, { outcome: "invalid" }, { stock: { id: OTHER, symbol: "B" } }],
  });
  expect(stocksOfCall({ ...call, output })).toEqual([
    { id: ID, label: "Open A" },
    { id: OTHER, label: "Open B" },
  ]);
});

it("the id of the input where the answer was cut", () => {
  const cut = { ...call, tool: "update-stock", input: { id: ID }, output: '{"stock":{"id":' };
  expect(stocksOfCall(cut)).toEqual([{ id: ID, label: "Open the stock" }]);
});

it.each([
  ["a deletion", { ...call, tool: "delete-stock", input: { id: ID }, output: JSON.stringify({ deleted: [ID] }) }],
  ["a call that failed", { ...call, status: "failed" as const, input: { id: ID } }],
  ["an id that would leave the address", { ...call, tool: "get-stock", input: { id: "x&dialog=edit" } }],
  ["a list", { ...call, tool: "list-stocks", output: JSON.stringify({ items: [{ id: ID, symbol: "A" }] }) }],
])("nothing for %s", (_, facts) => {
  expect(stocksOfCall(facts)).toEqual([]);
});
