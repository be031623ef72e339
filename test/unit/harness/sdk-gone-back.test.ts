/** Where a turn begins once the person has gone back: behind the message that is left, or where the SDK itself goes on since. */
import { expect, it } from "vitest";
import { NO_USAGE } from "../../../src/contract/run.ts";
import { agentSdkHarness } from "../../../src/harness/agent-sdk/agent-sdk-harness.ts";
import { newFacts, type SdkFacts } from "../../../src/harness/agent-sdk/sdk-turn-state.ts";
import { NOTHING_STORED } from "../../../src/harness/stored-conversation.ts";
import { called, DONE, OVER_BUDGET, runOn, said } from "../../support/agent-sdk/host-in-memory.ts";

const goneBackTo = crypto.randomUUID();

const FACTS = { ...newFacts(), hasSession: true, goneBackTo };

const readStep = (id: string) => [
  ...called({ id, name: "Read", input: { file_path: "a" } }),
  { type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, content: "found" }] } },
];

const beginsOf = (asked: (name: string) => unknown[]) => asked("turn").map((body) => (body as { begin: object }).begin);

it("a turn goes on in what it has done there when it is over its budget and more is allowed", async () => {
  const said1 = [...readStep("toolu_1"), OVER_BUDGET];
  const { asked, outcome } = await runOn((turn) => (turn === 1 ? said1 : [...said("Done."), DONE]), { facts: FACTS });
  expect(outcome).toMatchObject({ status: "completed" });
  expect(beginsOf(asked)).toMatchObject([{ type: "behind", message: goneBackTo }, { type: "message" }]);
});

it("a turn that ended in an error before its model had said anything there is gone back for once more", async () => {
  const error = { type: "result", ...{ subtype: "success", is_error: true, api_error_status: 401 } };
  const kept: SdkFacts[] = [];
  await runOn([error], { facts: FACTS, onSave: ({ facts }) => void kept.push(facts) });
  expect(kept.at(-1)).toMatchObject({ goneBackTo });
  await runOn([...readStep("toolu_1"), error], { facts: FACTS, onSave: ({ facts }) => void kept.push(facts) });
  expect(kept.at(-1)).not.toHaveProperty("goneBackTo");
});

it.each([
  ["was never sent, begins anew", { r1: "This turn ended before it was sent." }, null],
  ["got no answer, has no place to go on", {}, ""],
])("a turn behind which the person has gone back to one that %s", (_, omitted, place) => {
  const row = { runId: "r1", model: "claude-sonnet-5-5", message: 0, role: "user", body: '{"prompt":"Hello"}' };
  const facts = JSON.stringify({ ...newFacts(), hasSession: true });
  const back = { ...NOTHING_STORED, ...{ rows: [row], omitted, facts, isRewound: true } };
  expect(agentSdkHarness.resume(back).stateWithoutOpening().facts).toMatchObject({ goneBackTo: place });
});

const CUT_OFF = { ...FACTS, triedAt: 0 };

const [before, there] = [crypto.randomUUID(), crypto.randomUUID()];

it.each([
  ["notes that it goes on there", [{ uuid: there }, { type: "last-prompt", leafUuid: there }], "message"],
  ["notes that it goes on elsewhere", [{ uuid: there }, { type: "last-prompt", leafUuid: before }], "behind"],
  ["was killed there", [{ uuid: there }], "behind"],
])("a turn that follows one which was cut off there, after the SDK %s", async (_, sessionFile, type) => {
  const { asked } = await runOn([...said("Done."), DONE], { facts: CUT_OFF, sessionFile });
  expect(beginsOf(asked)).toMatchObject([{ type, prompt: "Hello" }]);
});

it("how far the session's file was then is kept with a turn that was answered, and forgotten when the person goes back again", () => {
  const step = { content: { text: "Hi." }, stopReason: "end_turn", usage: NO_USAGE, calls: [] };
  const keep = (steps: readonly (typeof step)[]) =>
    agentSdkHarness.keepTurn({
      ...{ runId: "r1", model: "claude-sonnet-5-5", error: null },
      checkpoint: { prompt: "Go on", steps },
      state: { facts: FACTS, context: "", isBegun: true, begunAt: 7 },
    });
  expect(JSON.parse(keep([]).facts ?? "")).not.toHaveProperty("triedAt");
  const facts = keep([step]).facts ?? "";
  expect(JSON.parse(facts)).toMatchObject({ goneBackTo, triedAt: 7 });
  const again = agentSdkHarness.resume({ ...NOTHING_STORED, facts, isRewound: true }).stateWithoutOpening();
  expect(again.facts).toMatchObject({ goneBackTo: null });
  expect(again.facts).not.toHaveProperty("triedAt");
});
