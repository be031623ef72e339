/** What a turn of the agent SDK leaves to the next one. */
import { expect, it } from "vitest";
import { NO_USAGE } from "../../../src/contract/run.ts";
import { agentSdkHarness } from "../../../src/harness/agent-sdk/agent-sdk-harness.ts";
import { newFacts, SdkFacts } from "../../../src/harness/agent-sdk/sdk-turn-state.ts";
import { NOTHING_STORED } from "../../../src/harness/stored-conversation.ts";

it("instructions and undone changes that the SDK may not have been told count as not given", () => {
  const facts = { ...newFacts(), hasSession: true, instructionsHash: "hash", undoneUpToMs: 5 };
  const kept = agentSdkHarness.keepTurn({
    ...{ runId: "r1", model: "claude-sonnet-5-5", error: null },
    checkpoint: { prompt: "Go on", steps: [] },
    state: { facts, context: "", isBegun: true },
  });
  expect(JSON.parse(kept.facts ?? "")).toEqual({ ...facts, instructionsHash: null, undoneUpToMs: 0 });
});

/** A thread of the SDK that has answered, with these facts beside, in `/new`. */
const openedFrom = async (facts: Partial<SdkFacts>, previousWorkspaceDir?: string) => {
  const known = JSON.stringify({ ...newFacts(), hasSession: true, ...facts });
  const thread = agentSdkHarness.resume({ ...NOTHING_STORED, facts: known });
  return await thread.openTurn({
    ...{ model: "claude-sonnet-5-5", tools: { app: [], workspace: [], person: [] }, nowMs: 0, screen: undefined },
    ...{ workspaceDir: "/new", previousWorkspaceDir, instructions: "none", elsewhere: [], undone: [] },
  });
};

const STEP = { content: { text: "Hi." }, stopReason: "end_turn", usage: NO_USAGE, calls: [] };

it.each([
  ["was never sent", false, [], "/old"],
  ["got no answer", true, [], "/old"],
  ["was answered", true, [STEP], "/new"],
] as const)("a move that was told in a turn which %s is told again: %j", async (_, isBegun, steps, movedFrom) => {
  const { state } = await openedFrom({}, "/old");
  const kept = agentSdkHarness.keepTurn({
    ...{ runId: "r1", model: "claude-sonnet-5-5", error: null },
    checkpoint: { prompt: "Go on", steps },
    state: { ...state, isBegun },
  });
  const facts = SdkFacts.parse(JSON.parse(kept.facts ?? ""));
  expect(facts.movedFrom).toBe(movedFrom);
  const next = await openedFrom(facts, "/old");
  expect(String(next.state.context).includes('"/old", another directory')).toBe(movedFrom === "/old");
  expect(next.events.map(({ source }) => source)).toEqual(movedFrom === "/old" ? ["workspace"] : []);
});

it("a thread that is back where it was is told of no move", async () => {
  expect((await openedFrom({ movedFrom: "/new" }, "/old")).state.context).not.toContain("another directory");
});

it("a turn that the model refused is known as such, with its answer", () => {
  const said = (stopReason: string) => {
    const { turn } = agentSdkHarness.keepTurn({
      ...{ runId: "r1", model: "claude-sonnet-5-5", error: null },
      checkpoint: { prompt: "Go on", steps: [STEP, { ...STEP, content: { text: "I cannot." }, stopReason }] },
      state: { facts: newFacts(), context: "", isBegun: true },
    });
    const rows = turn.rows.map((row) => ({ ...row, runId: "r1", model: "claude-sonnet-5-5" }));
    return agentSdkHarness.resume({ ...NOTHING_STORED, rows }).saidTurns();
  };
  const turn = { runId: "r1", prompt: "Go on", answer: "I cannot." };
  expect([said("refusal"), said("end_turn")]).toEqual([[{ ...turn, isRefused: true }], [turn]]);
});

it.each([
  [false, "omitted"],
  [true, "undefined"],
])("a turn counts as one that has told something once it was sent: %j", (isBegun, omitted) => {
  const kept = agentSdkHarness.keepTurn({
    ...{ runId: "r1", model: "claude-sonnet-5-5", error: null },
    checkpoint: { prompt: "Go on", steps: [] },
    state: { facts: newFacts(), context: "", isBegun },
  });
  expect(kept.omitted === undefined ? "undefined" : "omitted").toBe(omitted);
});
