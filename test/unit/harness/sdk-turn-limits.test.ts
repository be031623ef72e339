/** What an agent's host may send without end or measure: the turn ends all the same. */
import { expect, inject, it } from "vitest";
import { NO_USAGE } from "../../../src/contract/run.ts";
import type { TurnWorld } from "../../../src/harness/adapter.ts";
import { AgentHost } from "../../../src/harness/agent-sdk/agent-host.ts";
import { SESSION_SIZE_HEADER } from "../../../src/harness/agent-sdk/host-wire.ts";
import { runTurn } from "../../../src/harness/agent-sdk/run-turn.ts";
import { newFacts, type SdkTurnState } from "../../../src/harness/agent-sdk/sdk-turn-state.ts";
import type { TurnCheckpoint } from "../../../src/harness/turn.ts";
import { modelAt } from "../../support/ask-model.ts";
import { callOf, loopWorld, readTool } from "../../support/loop-world.ts";

/** As many turns as a host is asked for before it counts as asked without end. */
const MAX_TURNS = 20;

const linesOf = (messages: readonly object[]): string =>
  [
    { type: "started", sdkVersion: "0.3.330", sessionId: crypto.randomUUID() },
    ...messages.map((message) => ({ type: "message", message })),
    { type: "ended", end: "result", message: "" },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");

/** A turn on a host that answers each turn with these messages of the SDK, and whose session file is never empty. */
const runOn = async (
  messages: readonly object[],
  budget?: TurnWorld["budget"],
  {
    facts = newFacts(),
    steps = [],
    lostStops = 0,
  }: { facts?: SdkTurnState["facts"]; steps?: TurnCheckpoint["steps"]; lostStops?: number } = {},
) => {
  let stopsToLose = lostStops;
  const asked: string[] = [];
  const bodies: unknown[] = [];
  const host = new AgentHost(
    async (call, body) => {
      asked.push(call);
      if (call.endsWith("turn")) bodies.push(JSON.parse(String(body)));
      const turns = asked.filter((one) => one.endsWith("turn")).length;
      if (turns > MAX_TURNS) throw new Error("The host is asked without end.");
      if (call.endsWith("stop") && stopsToLose-- > 0) throw new TypeError("Nothing answers there.");
      if (call.endsWith("turn")) return new Response(linesOf(messages));
      return new Response(new Uint8Array(), { headers: { [SESSION_SIZE_HEADER]: "1" } });
    },
    { stat: async () => undefined, read: async () => ({ bytes: new Uint8Array(), size: 0 }) },
  );
  const { journal, gate, callKey, isSubjectCut, newId, model } = loopWorld(modelAt(inject("modelUrl")));
  const state: SdkTurnState = { facts, context: "", isBegun: steps.length > 0 };
  const world: TurnWorld = {
    ...{ runId: "r1", state, journal, gate, callKey, isSubjectCut, newId, model, host, budget },
    keeper: { save: async () => {}, saveCompaction: async () => state, startEpoch: async () => state },
    permissionMode: "allow-reads",
    tools: { app: [], workspace: [], person: [] },
    readInstructions: async () => "none",
    sessionCopy: { size: async () => 0, piece: async () => undefined, add: async () => true },
  };
  const outcome = await runTurn(world, { prompt: "Hello", steps }, new AbortController().signal);
  return { outcome, journal, bodies, calls: asked, turns: asked.filter((one) => one.endsWith("turn")).length };
};

const streamed = (event: object) => ({ type: "stream_event", event });

const said = (...texts: readonly string[]) => saidFor(10, ...texts);

const saidFor = (inputTokens: number, ...texts: readonly string[]) => [
  streamed({ type: "message_start", message: { usage: { input_tokens: inputTokens, output_tokens: 1 } } }),
  ...texts.map((text) => streamed({ type: "content_block_delta", delta: { type: "text_delta", text } })),
  streamed({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 5 } }),
  streamed({ type: "message_stop" }),
];

const DONE = { type: "result", ...{ subtype: "success", is_error: false, stop_reason: "end_turn" } };

it("a host that is over the budget before its model has said anything is not asked again", async () => {
  const overAtOnce = { type: "result", ...{ subtype: "error_max_budget_usd", is_error: true, stop_reason: null } };
  const budget = { before: () => undefined, leftUsd: () => 1 };
  const { outcome, turns } = await runOn([overAtOnce], budget);
  expect([outcome, turns]).toEqual([{ type: "ended", status: "incomplete", stopReason: "budget", error: null }, 1]);
});

/** A step in which the model reads a file, as the SDK sends it. */
const readStep = (_: unknown, step: number) => {
  const id = `toolu_${step}`;
  return [
    streamed({ type: "message_start", message: { usage: { input_tokens: 10, output_tokens: 1 } } }),
    { type: "assistant", message: { content: [{ type: "tool_use", id, name: "Read", input: { file_path: "a" } }] } },
    streamed({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } }),
    streamed({ type: "message_stop" }),
    { type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, content: "found" }] } },
  ];
};

/** As many steps of an earlier attempt. */
const stepsBehind = (length: number): TurnCheckpoint["steps"] => {
  const result = { status: "completed" as const, output: "found" };
  const call = callOf(readTool("Read"), { type: "ended", result });
  const step = { content: { text: "" }, stopReason: "tool_use", usage: NO_USAGE, calls: [call] };
  return Array.from({ length }, () => step);
};

const OUT_OF_STEPS = { type: "ended", status: "incomplete", stopReason: "max_steps", error: null };

it("a model that goes round in circles is stopped behind its hundredth step, also on a host that does not count", async () => {
  const { outcome, journal, calls } = await runOn(Array.from({ length: 150 }, readStep).flat());
  expect(outcome).toEqual(OUT_OF_STEPS);
  expect(journal.closed.map(({ step }) => step)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
  expect(journal.commits.slice(-2)).toEqual(["close 100 tool_use", "end 100-0 completed"]);
  expect(calls.filter((call) => call.endsWith("stop"))).toHaveLength(1);
});

it("a host is told how many steps are left, and ends the turn behind them", async () => {
  const overAtOnce = { type: "result", ...{ subtype: "error_max_turns", is_error: true, stop_reason: null } };
  const { outcome, bodies } = await runOn([...readStep(0, 98), ...readStep(0, 99), overAtOnce], undefined, {
    steps: stepsBehind(98),
  });
  expect([outcome, bodies]).toMatchObject([OUT_OF_STEPS, [{ maxTurns: 2 }]]);
});

it("a turn whose steps are used up asks its host for nothing", async () => {
  const { outcome, turns } = await runOn([], undefined, { steps: stepsBehind(100) });
  expect([outcome, turns]).toEqual([OUT_OF_STEPS, 0]);
});

it("a session that is still there after it was deleted is begun again once", async () => {
  const errors = ["No message found with message.uuid of: m"];
  const lost = { type: "result", ...{ subtype: "error_during_execution", is_error: true, errors } };
  const facts = { ...newFacts(), hasSession: true, goneBackTo: crypto.randomUUID() };
  const { outcome, turns } = await runOn([lost], undefined, { facts });
  expect([outcome, turns]).toMatchObject([{ status: "failed", error: { code: "workspace_unavailable" } }, 2]);
});

it("a text is kept as far as a row of the run's object takes it, and shown as far", async () => {
  const { outcome, journal } = await runOn([...said("Hello. ", "a".repeat(10_000_000), "Bye."), DONE]);
  expect(outcome).toMatchObject({ type: "ended", status: "completed" });
  const kept = "a".repeat(300_000 - "Hello. ".length);
  expect(journal.closed.map(({ text }) => text)).toEqual([`Hello. ${kept}`]);
  expect(journal.deltas).toEqual(["text m2 Hello. ", `text m2 ${kept}`, "text m2 "]);
});

it.each([-1, 0.5, Number.MAX_SAFE_INTEGER])(
  "%d tokens count as none: the sum of a run's must stay a number",
  async (tokens) => {
    const { journal } = await runOn([...saidFor(tokens, "Hello."), DONE]);
    expect(journal.closed).toMatchObject([{ text: "Hello.", usage: { inputTokens: 0, outputTokens: 5 } }]);
  },
);

it("a message that is refused for a used id stays refused when its host is gone at that moment", async () => {
  const { outcome, journal, turns } = await runOn([readStep(0, 1), readStep(0, 1)].flat(), undefined, { lostStops: 1 });
  expect(outcome).toMatchObject({ status: "failed", error: { code: "model_unavailable" } });
  expect(journal.commits.at(-1)).toBe("close 2 error");
  expect(turns).toBe(1);
});
