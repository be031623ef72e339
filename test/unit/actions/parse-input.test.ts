/** Refusals of inputs: every problem names its field and the remedy, five at most (api.md §5). */
import { expect, it } from "vitest";
import type { z } from "zod";
import { parseInput } from "../../../src/actions/define-action.ts";
import { ACTION_CONTRACTS } from "../../../src/contract/action.ts";

const SYMBOL = "symbol: use 1 to 32 letters, digits or . - ^ = /";

it.each([
  ["add-stock", {}, SYMBOL],
  ["add-stock", { symbol: "a b" }, SYMBOL],
  [
    "add-stock",
    { symbol: "A", quantity: "1,5" },
    "quantity: use a plain decimal such as 12.5, at most 12 digits before the point and 10 after it",
  ],
  ["add-stock", { symbol: "A", quantity: -1 }, "quantity: use 0 or more"],
  ["add-stock", { symbol: "A", targetLow: 0 }, "targetLow: use more than 0"],
  [
    "add-stock",
    { symbol: "A", tags: ["ok", "x".repeat(33)] },
    "tags: use at most 20 tags of 1 to 32 characters, without line breaks",
  ],
  ["add-stock", { symbol: "A", owner: "x" }, "owner: unknown field, leave it out"],
  ["add-stock", { symbol: "A", items: [] }, "items: give either one stock's fields or items"],
  ["add-stock", { symbol: "A", dryRun: true }, "items: give either one stock's fields or items"],
  ["add-stock", { items: Array.from({ length: 101 }, () => ({})) }, "items: use a list of at most 100 stocks"],
  ["add-stock", { symbol: "A", idempotencyKey: "" }, "idempotencyKey: use 1 to 255 characters"],
  ["update-stock", { id: "x" }, "set: give fields to change, or use split or restore: true"],
  [
    "update-stock",
    { id: "x", set: { avgCost: "x" } },
    "avgCost: use a plain decimal such as 12.5, at most 12 digits before the point and 10 after it",
  ],
  ["update-stock", { id: "x", set: { hue: 1 } }, "hue: unknown field, leave it out"],
  ["update-stock", { id: "x", set: [] }, "set: send an object with a stock's fields"],
  ["update-stock", { id: "x", set: {}, version: 0 }, "version: use the version you read"],
  ["delete-stock", {}, "id: give either id or ids"],
  ["delete-stock", { id: "x", ids: [] }, "id: give either id or ids"],
  ["get-stock", {}, "id: give either id or symbol"],
  ["get-stock", { id: "x", symbol: "A" }, "id: give either id or symbol"],
  ["list-stocks", { limit: 0 }, "limit: use a whole number from 1 to 200"],
  ["list-stocks", { limit: 201 }, "limit: use a whole number from 1 to 200"],
  ["list-stocks", { q: "x".repeat(201) }, "q: use at most 200 characters"],
  ["list-stocks", { watched: "yes" }, "watched: use true or false"],
  ["set-navigation", { view: "admin" }, "view: use chat or stocks"],
  ["set-navigation", { view: "stocks", filters: { owner: "x" } }, "filters.owner: unknown field, leave it out"],
  [
    "set-navigation",
    { view: "stocks", path: "//evil.example" },
    "path: use a path of this app such as /stocks?tab=watchlist",
  ],
  [
    "set-navigation",
    { view: "stocks", sort: "owner" },
    "sort: use a sort of list-stocks, with - before it for descending",
  ],
] as const)("%s of %j is refused: %s", (name, input, message) => {
  const schema: z.ZodType = ACTION_CONTRACTS[name].input;
  expect(() => parseInput(schema, input)).toThrow(expect.objectContaining({ status: 400, message }));
});

it.each([[null], [[]], ["text"], [5], [undefined]])("%j is not an input", (input) => {
  const list = ACTION_CONTRACTS["list-stocks"].input;
  expect(() => parseInput(list, input)).toThrow(expect.objectContaining({ message: "body: send a JSON object." }));
});

it("five problems are reported at once, each once", () => {
  const input = { symbol: "", quantity: "x", avgCost: "x", tags: ["", ""], hue: 1, size: 2, weight: 3 };
  expect(() => parseInput(ACTION_CONTRACTS["add-stock"].input, input)).toThrow(
    [
      SYMBOL,
      "quantity: use a plain decimal such as 12.5, at most 12 digits before the point and 10 after it",
      "avgCost: use a plain decimal such as 12.5, at most 12 digits before the point and 10 after it",
      "tags: use at most 20 tags of 1 to 32 characters, without line breaks",
      "hue: unknown field, leave it out",
    ].join("; "),
  );
});

it("a long unknown key is repeated only in part", () => {
  const list = ACTION_CONTRACTS["list-stocks"].input;
  expect(() => parseInput(list, { ["k".repeat(1_000)]: 1 })).toThrow(`${"k".repeat(64)}: unknown field, leave it out`);
});

it.each(['{"__proto__":1}', '{"constructor":1}', '{"hasOwnProperty":1}'])("%s is refused by name", (json) => {
  expect(() => parseInput(ACTION_CONTRACTS["list-stocks"].input, JSON.parse(json))).toThrow(
    "unknown field, leave it out",
  );
});
