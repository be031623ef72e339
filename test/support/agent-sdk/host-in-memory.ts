/** A turn of the agent SDK's harness on a host in memory, which says what no recording has: hostile, cut off, or seldom seen. */
import { inject } from "vitest";
import { z } from "zod";
import type { TurnWorld } from "../../../src/harness/adapter.ts";
import { AgentHost } from "../../../src/harness/agent-sdk/agent-host.ts";
import { SESSION_SIZE_HEADER } from "../../../src/harness/agent-sdk/host-wire.ts";
import { runTurn } from "../../../src/harness/agent-sdk/run-turn.ts";
import { newFacts, SdkTurnState } from "../../../src/harness/agent-sdk/sdk-turn-state.ts";
import type { Tool } from "../../../src/harness/tools/tool.ts";
import type { TurnCheckpoint } from "../../../src/harness/turn.ts";
import { modelAt } from "../ask-model.ts";
import { loopWorld } from "../loop-world.ts";

/** As many turns as a host is asked for before it counts as asked without end. */
const MAX_TURNS = 20;

/** What the SDK sends in a turn, and the questions that the host asks among it. */
type Said = readonly { readonly type: string }[];

/** The lines of such a turn. Without its end the connection is lost behind them. */
const linesOf = (said: Said, hasEnd: boolean): string =>
  [
    { type: "started", sdkVersion: "0.3.330", sessionId: crypto.randomUUID() },
    ...said.map((one) => ("questionId" in one ? one : { type: "message", message: one })),
    ...(hasEnd ? [{ type: "ended", end: "result", message: "" }] : []),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");

/** What may be otherwise than in a new turn with no tools and no budget. */
type World = {
  readonly budget?: TurnWorld["budget"];
  readonly facts?: SdkTurnState["facts"];
  readonly steps?: TurnCheckpoint["steps"];
  readonly tools?: readonly Tool[];
  /** How often the host is gone when it is to stop a turn. */
  readonly lostStops?: number;
  /** How many of the host's turns, from the first one, break off behind what is said in them. */
  readonly cutTurns?: number;
  /** The lines of the session's file. */
  readonly sessionFile?: readonly object[];
  /** Sees the state whenever it is kept. */
  readonly onSave?: (state: SdkTurnState) => void;
};

/**
 * Runs a turn on a host that answers each turn, counted from 1, with these messages and questions, and whose session file is
 * longer with each of them, whatever can be read of it. Waits end at once.
 */
export const runOn = async (
  said: Said | ((turn: number) => Said),
  {
    budget,
    facts = newFacts(),
    steps = [],
    tools = [],
    lostStops = 0,
    cutTurns = 0,
    sessionFile = [],
    onSave = () => undefined,
  }: World = {},
) => {
  let stopsToLose = lostStops;
  const file = new TextEncoder().encode(sessionFile.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const posted: { readonly call: string; readonly body: unknown }[] = [];
  /** The bodies of all calls of that name. */
  const asked = (name: string) => posted.filter(({ call }) => call.endsWith(name)).map(({ body }) => body);
  const host = new AgentHost(
    async (call, body) => {
      posted.push({ call, body: JSON.parse(String(body)) });
      if (asked("turn").length > MAX_TURNS) throw new Error("The host is asked without end.");
      if (call.endsWith("stop") && stopsToLose-- > 0) throw new TypeError("Nothing answers there.");
      const turn = asked("turn").length;
      if (call.endsWith("turn")) {
        return new Response(linesOf(typeof said === "function" ? said(turn) : said, turn > cutTurns));
      }
      const { offset = 0 } = Reading.safeParse(posted.at(-1)?.body).data ?? {};
      const size = Math.max(1, file.byteLength) + turn;
      return new Response(file.slice(offset), { headers: { [SESSION_SIZE_HEADER]: String(size) } });
    },
    { stat: async () => undefined, read: async () => ({ bytes: new Uint8Array(), size: 0 }) },
  );
  const { journal, gate, callKey, isSubjectCut, newId, model, wait } = loopWorld(modelAt(inject("modelUrl")));
  const state: SdkTurnState = { facts, context: "", isBegun: steps.length > 0 };
  const world: TurnWorld = {
    ...{ runId: "r1", state, journal, gate, callKey, isSubjectCut, newId, model, host, budget },
    keeper: {
      save: async (kept) => onSave(SdkTurnState.parse(kept)),
      saveCompaction: async () => state,
      startEpoch: async () => state,
    },
    permissionMode: "allow-reads",
    tools: { app: tools, workspace: [], person: [] },
    readInstructions: async () => "none",
    sessionCopy: { size: async () => 0, piece: async () => undefined, add: async () => true },
  };
  const outcome = await runTurn(world, { prompt: "Hello", steps }, new AbortController().signal, wait);
  return { outcome, journal, asked, turns: asked("turn").length };
};

const Reading = z.object({ offset: z.int() });

const streamed = (event: object) => ({ type: "stream_event", event });

const start = (inputTokens: number) =>
  streamed({ type: "message_start", message: { usage: { input_tokens: inputTokens, output_tokens: 1 } } });

const stop = (reason: string) => [
  streamed({ type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 5 } }),
  MESSAGE_STOP,
];

/** A model message of texts alone, with that many tokens of input. */
export const saidFor = (inputTokens: number, ...texts: readonly string[]) => [
  start(inputTokens),
  ...texts.map((text) => streamed({ type: "content_block_delta", delta: { type: "text_delta", text } })),
  ...stop("end_turn"),
];

/** A model message of one text, which stops by that reason. */
export const saidUntil = (stopReason: string, text: string) => [...said(text).slice(0, 2), ...stop(stopReason)];

/** A model message of texts alone. */
export const said = (...texts: readonly string[]) => saidFor(10, ...texts);

/** A call as the provider sends it. */
type Call = { readonly id: string; readonly name: string; readonly input: object };

/** A model message of calls alone. */
export const called = (...calls: readonly Call[]) => [...brokenOff(...calls), ...stop("tool_use")];

/** The beginning of such a message, up to its calls. */
export const brokenOff = (...calls: readonly Call[]) => [
  start(10),
  ...calls.map((call) => ({ type: "assistant", message: { content: [{ type: "tool_use", ...call }] } })),
];

/** The end that the SDK gives to a message which broke off: it has no reason. */
export const MESSAGE_STOP = streamed({ type: "message_stop" });

/** The SDK's result where its model has stopped by itself. */
export const DONE = { type: "result", ...{ subtype: "success", is_error: false, stop_reason: "end_turn" } };

/** Its result behind the model call that passed the budget. */
export const OVER_BUDGET = {
  ...{ type: "result", subtype: "error_max_budget_usd", is_error: true, stop_reason: null },
};
