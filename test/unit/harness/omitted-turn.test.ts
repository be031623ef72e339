/** The line that is sent in place of a turn which the model has refused. */
import { expect, it } from "vitest";
import { type CallEffect, omittedLine } from "../../../src/harness/anthropic/again/left-out.ts";

const added: CallEffect = { tool: "add-stock", title: "Add AAPL", status: "completed" };
const ran: CallEffect = { tool: "run_shell", title: "npm test", status: "unknown" };
const failed: CallEffect = { tool: "run_shell", title: "make", status: "failed" };

it.each<[string, CallEffect[], string]>([
  ["nothing", [], "Nothing was changed by it."],
  ["a change", [added], "What it had done before: add-stock (Add AAPL)."],
  [
    "changes, one of which may not have happened",
    [added, ran],
    "What it had done before: add-stock (Add AAPL); run_shell (npm test, outcome unknown).",
  ],
  [
    "a command that failed half way",
    [failed],
    "What it had done before: run_shell (make, ended with an error and may have changed something).",
  ],
])("a refused turn says that it is left out, and what it had done: %s", (_, effects, done) => {
  expect(omittedLine(effects)).toBe(`[A turn is left out here, because the model refused it. ${done}]`);
});
