/** What an agent's host may send without end or measure: the turn ends all the same. */
import { expect, inject, it } from "vitest";
import type { TurnWorld } from "../../../src/harness/adapter.ts";
import { AgentHost } from "../../../src/harness/agent-sdk/agent-host.ts";
import { SESSION_SIZE_HEADER } from "../../../src/harness/agent-sdk/host-wire.ts";
import { runTurn } from "../../../src/harness/agent-sdk/run-turn.ts";
import { newFacts, type SdkTurnState } from "../../../src/harness/agent-sdk/sdk-turn-state.ts";
import { modelAt } from "../../support/ask-model.ts";
import { loopWorld } from "../../support/loop-world.ts";

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
const runOn = async (messages: readonly object[], budget?: TurnWorld["budget"]) => {
  const asked: string[] = [];
  const host = new AgentHost(
    async (call) => {
      asked.push(call);
      const turns = asked.filter((one) => one.endsWith("turn")).length;
      if (turns > MAX_TURNS) throw new Error("The host is asked without end.");
      if (call.endsWith("turn")) return new Response(linesOf(messages));
      return new Response(new Uint8Array(), { headers: { [SESSION_SIZE_HEADER]: "1" } });
    },
    { stat: async () => undefined, read: async () => ({ bytes: new Uint8Array(), size: 0 }) },
  );
  const { journal, gate, callKey, isSubjectCut, newId, model } = loopWorld(modelAt(inject("modelUrl")));
  const state: SdkTurnState = { facts: newFacts(), context: "", isBegun: false };
  const world: TurnWorld = {
    ...{ runId: "r1", state, journal, gate, callKey, isSubjectCut, newId, model, host, budget },
    keeper: { save: async () => {}, saveCompaction: async () => state, startEpoch: async () => state },
    permissionMode: "allow-reads",
    tools: { app: [], workspace: [], person: [] },
    readInstructions: async () => "none",
    sessionCopy: { size: async () => 0, piece: async () => undefined, add: async () => true },
  };
  const outcome = await runTurn(world, { prompt: "Hello", steps: [] }, new AbortController().signal);
  return { outcome, journal, turns: asked.filter((one) => one.endsWith("turn")).length };
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
