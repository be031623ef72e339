/** The titles of the agent SDK's calls, which people agree to: they show all of what is named, or say how much they do not show. */
import { expect, it } from "vitest";
import { shownCall } from "../../../src/harness/agent-sdk/sdk-calls.ts";

const titleOf = (name: string, input: Readonly<Record<string, unknown>>): string =>
  shownCall({ type: "tool_use", id: "toolu_1", name, input }, [], "/home/somebody/work").title;

const LONG = "a".repeat(300);
const CUT = `${"a".repeat(200)} … and 100 more characters`;

it.each([
  ["a short path", "Edit", { file_path: "/home/somebody/work/docs/plan.md" }, "Edit docs/plan.md"],
  ["the path of an edit", "Edit", { file_path: `/home/somebody/work/${LONG}` }, `Edit ${CUT}`],
  ["the path of a write", "Write", { file_path: LONG }, `Write ${CUT}`],
  ["the path of a read", "Read", { file_path: LONG }, `Read ${CUT}`],
  ["the pattern of a list", "Glob", { pattern: LONG }, `List ${CUT}`],
  ["the pattern of a search", "Grep", { pattern: LONG }, `Search ${CUT}`],
  ["a name that is none of its tools", LONG, {}, CUT],
])("%s", (_, name, input, title) => {
  expect(titleOf(name, input)).toBe(title);
});
