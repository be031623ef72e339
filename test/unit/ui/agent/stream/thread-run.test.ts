/** What the screen offers for a thread's runs, by the agents that had them. */
import { expect, it } from "vitest";
import { type ThreadRun, takesMessages } from "../../../../../src/ui/agent/stream/thread-run.ts";
import { newTranscript } from "../../../../../src/ui/agent/stream/transcript-state.ts";

const runOf = (harness: string | undefined): Pick<ThreadRun, "transcript"> => ({
  transcript: { ...newTranscript("r"), harness },
});

it.each([
  ["anthropic", true],
  ["agent-sdk", false],
  [undefined, true],
])("a run of %s can be told something: %s", (harness, can) => {
  expect(takesMessages(runOf(harness))).toBe(can);
});
