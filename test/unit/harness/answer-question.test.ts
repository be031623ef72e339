/** A question of the host is answered for the call that the transcript shows, and for no other. */
import { expect, it } from "vitest";
import { NO_USAGE } from "../../../src/contract/run.ts";
import { AgentHost } from "../../../src/harness/agent-sdk/agent-host.ts";
import { answerQuestion } from "../../../src/harness/agent-sdk/answer-question.ts";
import { LastCalls } from "../../../src/harness/agent-sdk/last-calls.ts";
import { WorkspaceError } from "../../../src/workspace/workspace.ts";
import { modelAt } from "../../support/ask-model.ts";
import { callOf, loopWorld, readTool } from "../../support/loop-world.ts";

const gone = () => Promise.reject(new WorkspaceError("unavailable", "Nobody answers."));

const host = new AgentHost(gone, { stat: gone, read: gone });

it("a command that comes with the id of a read is denied", async () => {
  const deps = loopWorld(modelAt("http://127.0.0.1:1"));
  const read = callOf(readTool("Read"), { type: "pending" });
  const step = { content: [], stopReason: "tool_use", usage: NO_USAGE, calls: [read] };
  const calls = new LastCalls(deps.journal, { prompt: "Go", steps: [step] });
  const { answer, asked } = await answerQuestion(
    {
      ...{ type: "permission", questionId: "1", toolUseId: read.toolUseId, tool: "Bash", input: { command: "id" } },
      subject: { type: "command", command: "id", dir: "." },
    },
    ...([calls, deps, host, new AbortController().signal] as const),
  );
  expect(answer).toMatchObject({ type: "deny" });
  expect(asked).toBeUndefined();
  expect(calls.all).toEqual([read]);
});
