/** What the deployed Worker has in place of minimatch. */
import { expect, it } from "vitest";
import { minimatch } from "../../../src/workspace/durable/left-out-patterns.ts";

it("matches nothing", () => {
  expect(minimatch()).toBe(false);
});
