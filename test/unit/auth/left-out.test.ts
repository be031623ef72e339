/** What the deployed Worker has in place of parts of better-auth. */
import { expect, it } from "vitest";
import { toZodSchema } from "../../../src/auth/left-out.ts";
import { memoryAdapter } from "../../../src/auth/left-out-memory.ts";

it("has no columns to add to better-auth's", () => {
  expect(toZodSchema({ fields: {} }).parse({ name: "x" })).toEqual({});
});

it("does not drop columns of ours in silence", () => {
  expect(() => toZodSchema({ fields: { color: { type: "string" } } })).toThrow("Added columns need better-auth's own");
});

it("keeps no log-ins in memory", () => {
  expect(memoryAdapter).toThrow("without a database");
});
