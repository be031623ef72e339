/** The built-in harness adapter: our own loop over the Messages API. */
import type { Message } from "../model/messages.ts";
import type { ModelRequest } from "../model/model.ts";
import type { HarnessAdapter, HarnessSessionSpec } from "./adapter.ts";
import { fitConversation } from "./fit-conversation.ts";
import { runTurn } from "./loop.ts";
import { systemPrompt } from "./system-prompt.ts";

/** Most tokens of one model message. */
const MAX_OUTPUT_TOKENS = 16_384;

/** The adapter the turn start builds (spec §4.1.6). */
export const anthropicHarness: HarnessAdapter = {
  name: "anthropic",
  createSession: (spec) => ({
    streamTurn: (progress, signal) => runTurn(progress, turnDeps(spec), signal),
  }),
};

const turnDeps = (spec: HarnessSessionSpec): Parameters<typeof runTurn>[1] => ({
  model: spec.model,
  journal: spec.journal,
  gate: spec.gate,
  tools: new Map(spec.tools.map((tool) => [tool.name, tool])),
  callKey: spec.callKey,
  isSubjectCut: spec.isSubjectCut,
  newId: spec.newId,
  random: Math.random,
  wait,
  requestFor: requestBuilder(spec),
});

/** Builds requests whose system prompt and tools stay the same for the whole turn, so that the provider's cache holds. */
const requestBuilder = (spec: HarnessSessionSpec) => {
  const system = systemPrompt({ ...spec, nowMs: spec.nowMs() });
  const tools = spec.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const overheadBytes = new TextEncoder().encode(JSON.stringify([system, tools])).byteLength;
  return (turnMessages: readonly Message[], isShortened: boolean): ModelRequest => ({
    model: spec.model.name,
    system,
    tools,
    messages: fitConversation(spec.resumeState, turnMessages, { model: spec.model.name, overheadBytes, isShortened }),
    maxTokens: MAX_OUTPUT_TOKENS,
  });
};

/** Resolves after `ms`, or at once when the signal aborts. */
const wait = (ms: number, signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => resolve();
  const timer = setTimeout(done, ms);
  signal.addEventListener("abort", done, { once: true });
  if (signal.aborted) done();
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener("abort", done);
  });
};
