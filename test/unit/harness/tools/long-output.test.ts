/** Output of a command in a real directory that is longer than what is sent while it runs. */
import { expect, it, onTestFinished } from "vitest";
import { runShellTool } from "../../../../src/harness/tools/run-shell.ts";
import { openHostWorkspace } from "../../../support/host-workspace.ts";

/** What a tool call of this command sends, in one text. */
const sentBy = async (command: string): Promise<string> => {
  const host = await openHostWorkspace();
  onTestFinished(() => host.close());
  const call = runShellTool(async () => host.workspace).prepare({ command });
  if ("problem" in call) throw new Error(call.problem);
  const sent: string[] = [];
  await call.run({
    callKey: crypto.randomUUID(),
    signal: new AbortController().signal,
    output: (_, text) => void sent.push(text),
  });
  return sent.join("");
};

it.each([
  ["letters", "head -c 2000000 /dev/zero | tr '\\0' x", 1_048_576],
  // The last one would be cut in half.
  ["characters of two units", "printf x; yes 🚀 | tr -d '\\n' | head -c 4000000", 1_048_575],
])("is sent up to a limit, and the person is told that there is more: %s", async (_, command, length) => {
  const sent = await sentBy(command);
  const end = "\n[Further output is not shown.]\n";
  expect(sent.slice(-end.length)).toBe(end);
  expect(sent.length).toBe(length + end.length);
});
