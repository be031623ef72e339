/** What becomes of the agent SDK's own calls that a crash has left open: a started edit is compared with its file, and nothing runs again. */
import { expect, it } from "vitest";
import { NO_USAGE } from "../../../src/contract/run.ts";
import { AgentHost } from "../../../src/harness/agent-sdk/agent-host.ts";
import { LastCalls } from "../../../src/harness/agent-sdk/last-calls.ts";
import { settleOpen } from "../../../src/harness/agent-sdk/settle-open.ts";
import { permissionAsk } from "../../../src/harness/permission-gate.ts";
import type { CallState } from "../../../src/harness/turn.ts";
import { contentState } from "../../../src/workspace/file-state.ts";
import { WorkspaceError } from "../../../src/workspace/workspace.ts";
import { modelAt } from "../../support/ask-model.ts";
import { callOf, editTool, loopWorld } from "../../support/loop-world.ts";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const [BEFORE, AFTER] = ["one\n", "two\n"];

const DIFF = "--- a/notes.txt\n+++ b/notes.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n";

const running = new AbortController().signal;

/** A host whose file holds that; nothing but the file is asked for. Undefined: it cannot be reached. */
const hostWith = (content: string | undefined): AgentHost => {
  const gone = new WorkspaceError("unavailable", "Nobody answers.");
  const found = <Value>(value: (text: string) => Value): Promise<Value> =>
    content === undefined ? Promise.reject(gone) : Promise.resolve(value(content));
  return new AgentHost(() => Promise.reject(gone), {
    stat: () => found((text) => ({ type: "file", size: text.length, modifiedAtMs: 0 })),
    read: () => found((text) => ({ bytes: bytesOf(text), size: text.length })),
  });
};

/** The one call of the newest message, an edit that a person has allowed, in this state. */
const settled = async (host: AgentHost, state: CallState, signal = running) => {
  const deps = loopWorld(modelAt("http://127.0.0.1:1"));
  const open = callOf(editTool("Edit"), state);
  const basis = JSON.stringify({
    before: await contentState(bytesOf(BEFORE)),
    after: await contentState(bytesOf(AFTER)),
  });
  const shown = { subject: { type: "edit", path: "notes.txt", diff: DIFF }, basis } as const;
  await deps.journal.ask(open, permissionAsk(shown, { mayBecomeRule: true, isCut: false }));
  const step = { content: [], stopReason: "tool_use", usage: NO_USAGE, calls: [open] };
  const calls = new LastCalls(deps.journal, { prompt: "Go", steps: [step] });
  expect(await settleOpen(calls, undefined, { host, deps }, signal)).toBe("settled");
  const [end] = calls.all;
  return { end: end?.state, changes: deps.journal.fileChanges };
};

it("an edit that had started is completed where its file is as the edit leaves it, and is shown as a change", async () => {
  const { end, changes } = await settled(hostWith(AFTER), { type: "started" });
  expect(end).toMatchObject({ type: "ended", result: { status: "completed" } });
  expect(changes).toEqual([{ path: "notes.txt", operation: "update", diff: DIFF }]);
});

it.each([
  ["aborted where its file is as it was", BEFORE, "aborted"],
  ["unknown where its file is neither", "three\n", "unknown"],
  ["unknown where nobody can look", undefined, "unknown"],
])("an edit that had started is %s", async (_, content, status) => {
  const { end, changes } = await settled(hostWith(content), { type: "started" });
  expect(end).toMatchObject({ type: "ended", result: { status } });
  expect(changes).toEqual([]);
});

it.each([
  ["the run was stopped or its time was up", AbortSignal.abort()],
  ["something died", running],
])("the model is told of an edit without an effect that it was interrupted, where %s", async (_, signal) => {
  const { end } = await settled(hostWith(BEFORE), { type: "started" }, signal);
  expect(end).toMatchObject({ result: { output: "Not run: the work was interrupted first." } });
});

it.each<[CallState, string]>([
  [{ type: "pending" }, "aborted"],
  [{ type: "allowed" }, "aborted"],
  [{ type: "rejected", reason: "No." }, "denied"],
])("a call that was %j has not run, whatever its file holds", async (state, status) => {
  const { end, changes } = await settled(hostWith(AFTER), state);
  expect(end).toMatchObject({ type: "ended", result: { status } });
  expect(changes).toEqual([]);
});
