/** The requests of a turn in tests: a small window, rules of one line, and a keeper in memory. The model is a real client. */
import { inject } from "vitest";
import type { Usage } from "../../src/contract/run.ts";
import {
  type ConversationTurn,
  NO_FACTS,
  NO_RESUME_STATE,
  type ResumeState,
  type TurnState,
} from "../../src/harness/anthropic/conversation.ts";
import { type RequestParts, TurnRequests } from "../../src/harness/anthropic/turn-requests.ts";
import { anthropicModel } from "../../src/model/anthropic/anthropic-model.ts";
import type { Model } from "../../src/model/model.ts";
import { committedFacts, type ModelFacts } from "../../src/model/model-facts.ts";
import { RecordingKeeper } from "./recording-keeper.ts";

/** A window in which 21,000 bytes of messages have room, as a turn counts them, and 6,000 tokens before a summary is due. */
const SMALL_WINDOW = 10_000;

const NAME = "claude-sonnet-5-5";

/** A model of this window at the test server. */
export const modelWith = (facts: Partial<ModelFacts> = {}): Model =>
  anthropicModel({
    name: NAME,
    facts: { ...committedFacts(NAME), contextTokens: SMALL_WINDOW, ...facts },
    credential: { type: "api_key", secret: "test-key" },
    baseUrl: inject("modelUrl"),
  });

/** A model that writes no summaries. */
export const modelWithoutSummaries = (): Model => modelWith({ canCompact: false });

/** The rules and tools of every request. */
export const PREFIX = { system: ["Rules."], tools: [], hash: "prefix-1", bytes: 0 };

/** The state of a turn that has just been opened under `PREFIX`. */
export const OPENED: TurnState = {
  context: "<context>",
  facts: { ...NO_FACTS, prefixHash: PREFIX.hash },
  notes: {},
};

/** A conversation that is resumed with these turns. */
export const resumed = (turns: readonly ConversationTurn[], more: Partial<ResumeState> = {}): ResumeState => ({
  ...NO_RESUME_STATE,
  turns,
  ...more,
});

/** The requests of the turn `now`, and what it kept. */
export const turnRequests = (parts: Partial<RequestParts> = {}) => {
  const keeper = new RecordingKeeper();
  const dropped: Usage[] = [];
  const requests = new TurnRequests({
    runId: "now",
    model: modelWithoutSummaries(),
    effort: undefined,
    prefix: PREFIX,
    resumeState: NO_RESUME_STATE,
    state: OPENED,
    keeper,
    readInstructions: async () => "none",
    countDropped: async (usage) => void dropped.push(usage),
    ...parts,
  });
  return { dropped, keeper, requests };
};

/** Nobody stops the turn. */
export const unstopped = (): AbortSignal => new AbortController().signal;
