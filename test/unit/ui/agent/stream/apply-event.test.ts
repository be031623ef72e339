/** The transcript of a run, made from events in the contract's order. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TranscriptEvent } from "../../../../../src/contract/transcript.ts";
import { applyEvent, applyEvents } from "../../../../../src/ui/agent/stream/apply-event.ts";
import { newestOutput } from "../../../../../src/ui/agent/stream/change-calls.ts";
import {
  newTranscript,
  openRequestOf,
  type TranscriptState,
} from "../../../../../src/ui/agent/stream/transcript-state.ts";
import {
  messageEnd,
  messageStart,
  numbered,
  permissionRequest,
  REQUEST_ID,
  RUN_ID,
  runEnd,
  runQueued,
  runStart,
  textDelta,
  timeOf,
  toolStart,
  USAGE,
  userMessage,
  WHOLE_RUN,
} from "../support/events.ts";

const from = (events: readonly TranscriptEvent[], state = newTranscript(RUN_ID)): TranscriptState =>
  applyEvents(state, numbered(events, state.lastSeq + 1));

const BEGUN = from([runStart(), userMessage("Hi")]);

describe("a whole run", () => {
  const state = applyEvents(newTranscript(RUN_ID), WHOLE_RUN);

  it("has its items in the order they happened, without discarded messages", () => {
    expect(state.items.map(({ key }) => key)).toEqual([
      "user",
      "retry:7",
      "message:m1",
      "tool:1-0",
      "restart:27",
      "workspace:27",
      "message:m3",
    ]);
  });

  it("has its end, the server's own sums among it", () => {
    const { items: _, ...run } = state;
    expect(run).toEqual({
      runId: RUN_ID,
      status: "completed",
      todos: [],
      queuePosition: undefined,
      model: "model-1",
      workspaceDir: "/elsewhere",
      isResumed: false,
      startedAt: timeOf(3),
      endedAt: timeOf(WHOLE_RUN.length),
      usage: { inputTokens: 20, outputTokens: 10, cacheReadTokens: 2, cacheWriteTokens: 0 },
      steps: 2,
      stopReason: "end_turn",
      durationMs: 900,
      waitedMs: 2_000,
      error: undefined,
      lastSeq: WHOLE_RUN.length,
    });
  });

  it("shows a message with its thinking", () => {
    expect(state.items[2]).toEqual({
      type: "message",
      key: "message:m1",
      messageId: "m1",
      step: 1,
      text: "I will look.",
      thinking: "They want a list.",
      isOpen: false,
      stopReason: "tool_use",
    });
  });

  it("shows a call with its request, its live output, its file and its result", () => {
    expect(state.items[3]).toEqual({
      type: "tool",
      key: "tool:1-0",
      toolCallId: "1-0",
      messageId: "m1",
      tool: "run_shell",
      kind: "execute",
      title: "Run ls",
      input: { command: "ls" },
      isInputTruncated: false,
      status: "completed",
      live: {
        parts: [
          { stream: "stdout", text: "a\nb\n" },
          { stream: "stderr", text: "careful\n" },
        ],
        leftOut: 0,
      },
      output: "a\nb\n",
      isOutputTruncated: false,
      fileChanges: [{ path: "a", operation: "update", diff: "-x\n+y\n", isTruncated: false }],
      permission: {
        requestId: REQUEST_ID,
        title: "Run ls",
        subject: { type: "command", command: "ls", dir: "." },
        options: [
          { decision: "allow_once", label: "Once" },
          { decision: "reject", label: "No" },
        ],
        expiresAt: "2026-01-02T00:00:00.000Z",
        isTruncated: false,
        reply: { decision: "allow_once", by: "user", message: undefined },
      },
      startedAt: timeOf(14),
      durationMs: 12,
    });
  });

  it("is the same from any pieces of its log that overlap", () => {
    const cuts = fc.array(fc.nat({ max: WHOLE_RUN.length }), { maxLength: 12 });
    const overlap = fc.nat({ max: WHOLE_RUN.length });
    fc.assert(
      fc.property(cuts, overlap, (ends, back) => {
        const pieces = [...ends.toSorted((one, other) => one - other), WHOLE_RUN.length].map((end, index, all) =>
          WHOLE_RUN.slice(Math.max(0, (all[index - 1] ?? 0) - back), end),
        );
        expect(pieces.reduce(applyEvents, newTranscript(RUN_ID))).toEqual(state);
      }),
    );
  });

  it("is the same event by event", () => {
    expect(WHOLE_RUN.reduce(applyEvent, newTranscript(RUN_ID))).toEqual(state);
  });
});

it("stops at a gap and says by its cursor where to go on", () => {
  const [first, , ...behind] = numbered([runStart(), userMessage("Hi"), messageStart("m1")]);
  const state = applyEvents(newTranscript(RUN_ID), [...(first ? [first] : []), ...behind]);
  expect([state.lastSeq, state.items]).toEqual([1, []]);
});

it("keeps what did not change, and the list itself when nothing of it did", () => {
  const before = from([messageStart("m1"), messageEnd("m1", ""), messageStart("m2")], BEGUN);
  const after = from([textDelta("m2", "x")], before);
  expect(after.items.map((item, index) => item === before.items[index])).toEqual([true, true, false]);
  expect(from([{ type: "run_status", status: "aborting" }], before).items).toBe(before.items);
  expect(applyEvents(before, WHOLE_RUN.slice(0, 2))).toBe(before);
});

it("counts an event of a kind it does not know, and ignores it", () => {
  const unknown = JSON.parse(`{"type":"of_tomorrow","seq":3,"at":"${timeOf(3)}"}`);
  expect(applyEvents(BEGUN, [unknown])).toEqual({ ...BEGUN, lastSeq: 3 });
});

it("stands in the queue until its turn comes", () => {
  const queued = from([runQueued(2), userMessage("Hi")]);
  expect([queued.status, queued.queuePosition]).toEqual(["queued", 2]);
  const started = from([runStart()], queued);
  expect([started.status, started.queuePosition]).toEqual(["running", undefined]);
});

it("shows the prompt at once, and keeps it whole where the event's is cut", () => {
  const sent = newTranscript(RUN_ID, "a long prompt");
  const cut = from([runStart(), { type: "user_message", messageId: "u1", text: "a long", truncated: true }], sent);
  expect(cut.items).toEqual([{ type: "user", key: "user", text: "a long prompt", isTruncated: false }]);
  const unseen = from([runStart(), { type: "user_message", messageId: "u1", text: "a long", truncated: true }]);
  expect(unseen.items).toEqual([{ type: "user", key: "user", text: "a long", isTruncated: true }]);
});

it("names the request that waits for an answer", () => {
  const asked = from([toolStart("1-0"), permissionRequest("1-0")], BEGUN);
  expect(openRequestOf(asked)?.permission?.requestId).toBe(REQUEST_ID);
  expect(openRequestOf(applyEvents(newTranscript(RUN_ID), WHOLE_RUN))).toBeUndefined();
});

it("adds up the tokens of its messages while it goes on", () => {
  const one = from([messageStart("m1"), messageEnd("m1", "")], BEGUN);
  expect([one.usage, one.steps]).toEqual([USAGE, 1]);
});

it("says why it failed", () => {
  const failed = from([runEnd("failed")], BEGUN);
  expect([failed.status, failed.error]).toEqual(["failed", { code: "internal", message: "It broke." }]);
});

it("ends the wait after a failed try when the next one begins", () => {
  const waiting = from([{ type: "model_retry", attempt: 1, delayMs: 5, reason: "model_timeout" }], BEGUN);
  expect(waiting.items.at(-1)).toMatchObject({ type: "retry", isWaiting: true });
  expect(from([messageStart("m1")], waiting).items.at(-2)).toMatchObject({ type: "retry", isWaiting: false });
});

describe("a message to the run during the wait", () => {
  const tried = (attempt: number): TranscriptEvent => ({
    type: "model_retry",
    attempt,
    delayMs: 5,
    reason: "model_timeout",
  });
  const told = [tried(2), { type: "steer_message", messageId: "s1", text: "Hurry." }, tried(3)] as const;
  const retriesOf = (events: readonly TranscriptEvent[]) =>
    from(events, BEGUN).items.filter(({ type }) => type === "retry");

  it("does not keep the failed try before the next one", () => {
    expect(retriesOf([...told, messageStart("m1")])).toMatchObject([{ attempt: 3, isWaiting: false }]);
  });

  it("does not keep the last one beside the failure it ends in", () => {
    const dropped: TranscriptEvent = { type: "steer_dropped", messageId: "s1" };
    expect(retriesOf([...told, dropped, runEnd("failed")])).toEqual([]);
  });
});

it.each([
  ["that is being stopped", { type: "run_status", status: "aborting" }],
  ["that was stopped", runEnd("aborted")],
] as const)("a run %s while it waited has not tried again", (_name, event) => {
  const tried = from([{ type: "model_retry", attempt: 1, delayMs: 5, reason: "model_timeout" }], BEGUN);
  expect(from([event], tried).items).toEqual(BEGUN.items);
});

it("keeps the end of a long output, and the count of what is gone", () => {
  const piece: TranscriptEvent = { type: "tool_output", toolCallId: "1-0", stream: "stdout", text: "x".repeat(999) };
  const last: TranscriptEvent = { type: "tool_output", toolCallId: "1-0", stream: "stderr", text: "end" };
  const pieces = [toolStart("1-0"), ...Array.from({ length: 1_000 }, () => piece), last];
  const item = from(pieces, BEGUN).items.at(-1);
  const live = item?.type === "tool" ? item.live : undefined;
  const kept = live?.parts.reduce((sum, { text }) => sum + text.length, 0) ?? 0;
  expect(kept + (live?.leftOut ?? 0)).toBe(999_003);
  expect(kept).toBeGreaterThanOrEqual(100_000);
  expect(kept).toBeLessThanOrEqual(125_000);
  expect(live?.parts.at(-1)).toEqual({ stream: "stderr", text: "end" });
});

it("the newest output begins with a whole character", () => {
  const parts = [
    { stream: "stdout", text: "a\u{1F680}b" },
    { stream: "stderr", text: "c" },
  ] as const;
  expect([newestOutput(parts, 3), newestOutput(parts, 4)]).toEqual([
    [{ stream: "stdout", text: "b" }, parts[1]],
    [{ stream: "stdout", text: "\u{1F680}b" }, parts[1]],
  ]);
});
