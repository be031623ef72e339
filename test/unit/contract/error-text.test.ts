/** Errors as the log holds them: what helps, and nobody's words. */
import { DrizzleQueryError } from "drizzle-orm";
import { expect, it } from "vitest";
import { errorText } from "../../../src/contract/app-error.ts";

it("has message, stack and causes", () => {
  const text = errorText(new Error("Outer.", { cause: new Error("Inner.") }));
  expect(text).toMatch(/^Error: Outer\.\n {4}at [\s\S]*\nCaused by: Error: Inner\.\n {4}at /);
});

it("takes anything that can be thrown", () => {
  expect([errorText("text"), errorText(undefined), errorText(7)]).toEqual(["text", "undefined", "7"]);
});

it("leaves out what a failed query was bound to, whatever that looks like", () => {
  const params = ["ann@example.com", "secret note\n    at line two\nCaused by: more"];
  const error = new DrizzleQueryError("select 1 where a = ? and b = ?", params, new Error("D1_ERROR: no such table"));
  const text = errorText(error);
  expect(text).toMatch(/^Failed query: select 1 where a = \? and b = \?\n {4}at /);
  expect(text).toContain("Caused by: Error: D1_ERROR: no such table");
  expect(text).not.toMatch(/ann@|secret|line two|more/);
});
