import { expect, it } from "vitest";
import { valueWords } from "../../../../../src/ui/agent/permission/value-words.ts";

it.each([
  ["avgCost", 1e-7, "$0.0000001"],
  ["avgCost", 12.5, "$12.50"],
  ["quantity", 1.5e-7, "0.00000015"],
])("a %s of %s is written out as %s", (field, value, words) => {
  expect(valueWords(field, value, "USD")).toBe(words);
});
