/** What a turn of the agent SDK leaves to the next one. */
import { expect, it } from "vitest";
import { agentSdkHarness } from "../../../src/harness/agent-sdk/agent-sdk-harness.ts";
import { newFacts } from "../../../src/harness/agent-sdk/sdk-turn-state.ts";

it("instructions and undone changes that the SDK may not have been told count as not given", () => {
  const facts = { ...newFacts(), hasSession: true, instructionsHash: "hash", undoneUpToMs: 5 };
  const kept = agentSdkHarness.keepTurn({
    ...{ runId: "r1", model: "claude-sonnet-5-5", error: null },
    checkpoint: { prompt: "Go on", steps: [] },
    state: { facts, context: "", isBegun: true },
  });
  expect(JSON.parse(kept.facts ?? "")).toEqual({ ...facts, instructionsHash: null, undoneUpToMs: 0 });
});
