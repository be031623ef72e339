/** The built-in harness adapter: our own loop over the Messages API. */
import type { HarnessAdapter, HarnessSessionSpec } from "./adapter.ts";
import { runTurn } from "./loop.ts";
import { openTurn } from "./open-turn.ts";
import { TurnRequests } from "./turn-requests.ts";

/** The adapter the turn start builds (spec §4.1.6). */
export const anthropicHarness: HarnessAdapter = {
  name: "anthropic",
  openTurn,
  createSession: (spec) => ({
    streamTurn: (progress, signal) => runTurn(progress, turnDeps(spec), signal),
  }),
};

const turnDeps = (spec: HarnessSessionSpec): Parameters<typeof runTurn>[1] => ({
  model: spec.model,
  journal: spec.journal,
  gate: spec.gate,
  budget: spec.budget,
  tools: new Map(spec.tools.map((tool) => [tool.name, tool])),
  callKey: spec.callKey,
  isSubjectCut: spec.isSubjectCut,
  newId: spec.newId,
  random: Math.random,
  wait,
  requests: new TurnRequests({
    runId: spec.runId,
    model: spec.model,
    effort: spec.effort,
    prefix: spec.prefix,
    resumeState: spec.resumeState,
    state: spec.turnState,
    keeper: spec.keeper,
    readInstructions: spec.readInstructions,
    budget: spec.budget,
  }),
});

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
