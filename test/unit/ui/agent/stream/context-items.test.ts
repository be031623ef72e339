/** What stands in a transcript besides messages and calls: what the model was told, summaries, fresh starts, budgets. */
import { describe, expect, it } from "vitest";
import type { TranscriptEvent } from "../../../../../src/contract/transcript.ts";
import { applyEvents } from "../../../../../src/ui/agent/stream/apply-event.ts";
import {
  newTranscript,
  openRequestOf,
  type TranscriptState,
} from "../../../../../src/ui/agent/stream/transcript-state.ts";
import {
  budgetRequest,
  compacted,
  messageEnd,
  messageStart,
  numbered,
  permissionReply,
  REQUEST_ID,
  RUN_ID,
  runEnd,
  runStart,
  userMessage,
} from "../support/events.ts";

const from = (events: readonly TranscriptEvent[]): TranscriptState =>
  applyEvents(newTranscript(RUN_ID), numbered([runStart(), userMessage("Hi"), ...events]));

it("files of instructions and another directory stand where the model was told of them", () => {
  const { items } = from([
    { type: "context_added", source: "instructions", path: "docs/AGENTS.md" },
    { type: "context_added", source: "workspace" },
    messageStart("m1"),
  ]);
  expect(items.slice(1, 3)).toEqual([
    { type: "context", key: "context:3", source: "instructions", path: "docs/AGENTS.md" },
    { type: "context", key: "context:4", source: "workspace", path: undefined },
  ]);
  expect(items.map(({ type }) => type)).toEqual(["user", "context", "context", "message"]);
});

it("a summary keeps its text, and how much it took the place of", () => {
  expect(from([compacted("# So far\n\nThey hold AAPL.")]).items[1]).toEqual({
    type: "summary",
    key: "summary:3",
    summary: "# So far\n\nThey hold AAPL.",
    tokensBefore: 152_000,
    tokensAfter: 4_000,
  });
});

it("two summaries of one run are two items", () => {
  const { items } = from([compacted("One."), messageStart("m1"), messageEnd("m1", "Hm."), compacted("Two.")]);
  expect(items.map(({ key }) => key)).toEqual(["user", "summary:3", "message:m1", "summary:6"]);
});

it("the tokens of a summary are not those of the run's messages", () => {
  expect(from([compacted("One.")]).usage).toEqual(newTranscript(RUN_ID).usage);
});

it("a fresh start says why", () => {
  expect(from([{ type: "context_reset", reason: "Another model answers now." }]).items[1]).toEqual({
    type: "reset",
    key: "reset:3",
    reason: "Another model answers now.",
  });
});

describe("a budget that is spent", () => {
  const asked = from([budgetRequest()]);

  it("is a question of its own, without a call", () => {
    expect(asked.items[1]).toMatchObject({
      ...{ type: "budget", key: "budget:budget-1", limitUsd: "0.5", spentUsd: "0.4837" },
      permission: { requestId: REQUEST_ID, title: "Go on past the budget", reply: undefined },
    });
  });

  it("waits for an answer like a call", () => {
    expect(openRequestOf(asked)?.permission?.requestId).toBe(REQUEST_ID);
  });

  it("is answered once", () => {
    const answered = from([budgetRequest(), permissionReply("budget-1"), budgetRequest("budget-2")]);
    expect(answered.items.slice(1)).toMatchObject([
      { key: "budget:budget-1", permission: { reply: { decision: "allow_once", by: "user" } } },
      { key: "budget:budget-2", permission: { reply: undefined } },
    ]);
  });
});

describe("what a run cost", () => {
  it("is known at its end", () => {
    expect([from([]).costUsd, from([runEnd("completed", "0.0041927")]).costUsd]).toEqual([undefined, "0.0041927"]);
  });

  it("stays unknown where a price is", () => {
    expect(from([runEnd("completed", null)]).costUsd).toBeUndefined();
  });

  it("stays unknown in a log from before there were costs", () => {
    const end = { ...runEnd(), costUsd: undefined, seq: 3, at: "2026-01-01T00:00:00.000Z" };
    const old = JSON.parse(JSON.stringify(end));
    expect(applyEvents(from([]), [old])).toMatchObject({ status: "completed", costUsd: undefined });
  });
});

it("what was said while the run worked stands behind all until the model is given it, then before the answer that reads it", () => {
  const messageId = "1d0c6f0e-7a52-4c5b-9f0e-0d9d2c1b7a10";
  const said: TranscriptEvent[] = [
    messageStart("m1"),
    { type: "steer_message", messageId, text: "Only tech" },
    messageEnd("m1", "I look."),
  ];
  expect(from(said).items.at(-1)).toEqual({
    ...{ type: "steer", key: `steer:${messageId}`, messageId, text: "Only tech", state: "waiting" },
  });
  const given = from([...said, { type: "steer_applied", messageId, step: 2 }, messageStart("m2")]);
  expect(given.items.map(({ type }) => type)).toEqual(["user", "message", "steer", "message"]);
  expect(given.items[2]).toMatchObject({ state: "given" });
  const unused = from([...said, { type: "steer_dropped", messageId }, runEnd("aborted")]);
  expect(unused.items.at(-1)).toMatchObject({ type: "steer", state: "unused" });
});
