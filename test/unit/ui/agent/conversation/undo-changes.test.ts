/** Which turns offer to undo what they changed. */
import { expect, it } from "vitest";
import { hasChanges } from "../../../../../src/ui/agent/conversation/run/undo-changes.tsx";
import type { ToolItem } from "../../../../../src/ui/agent/stream/transcript-item.ts";

const edit: ToolItem = {
  ...{
    type: "tool",
    key: "c1",
    toolCallId: "c1",
    messageId: "m1",
    tool: "edit_file",
    kind: "edit",
    title: "Edit a.txt",
  },
  ...{ input: { path: "a.txt" }, isInputTruncated: false, status: "completed", output: "", isOutputTruncated: false },
  ...{ live: { parts: [], leftOut: 0 }, fileChanges: [], permission: undefined, startedAt: "", durationMs: 1 },
};
const change = { path: "a.txt", diff: "" };

it.each([
  ["a file that was changed", { ...edit, fileChanges: [change] }, true],
  ["an edit of which nobody knows what became", { ...edit, status: "unknown" as const }, true],
  ["a stock that may have been added", { ...edit, tool: "add-stock", status: "unknown" as const }, true],
  ["an edit that changed nothing", edit, false],
  ["an edit that failed", { ...edit, status: "failed" as const }, false],
  [
    "a command of which nobody knows what became",
    { ...edit, kind: "execute" as const, status: "unknown" as const },
    false,
  ],
])("%s", (_, item, isOffered) => {
  expect(hasChanges([item as ToolItem])).toBe(isOffered);
});
