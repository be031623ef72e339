/** What each state of a run knows. */

import { describe, expect, it } from "vitest";
import { RequestId } from "../../../src/contract/ids.ts";
import { NO_USAGE } from "../../../src/contract/run.ts";
import { isEnded, isLive, RunState, startedAtMsOf, startedPart } from "../../../src/run/run-state.ts";

const started = { grant: 3, model: "claude-sonnet-5-5", startedAtMs: 1_000 };
const requestId = RequestId.parse("019a0000-0000-7000-8000-000000000001");
const ended = {
  stopReason: "end_turn",
  error: null,
  usage: NO_USAGE,
  costUsd: "0",
  lastSeq: 7,
  endedAtMs: 9_000,
} as const;

describe("a run's state", () => {
  it.each<[string, RunState, { live: boolean; over: boolean; startedAtMs: number | undefined }]>([
    ["queued", { status: "queued" }, { live: false, over: false, startedAtMs: undefined }],
    ["running", { status: "running", ...started }, { live: true, over: false, startedAtMs: 1_000 }],
    [
      "waiting",
      { status: "waiting_permission", ...started, requestId },
      { live: true, over: false, startedAtMs: 1_000 },
    ],
    ["aborting", { status: "aborting", ...started, sinceMs: 5_000 }, { live: true, over: false, startedAtMs: 1_000 }],
    ["completed", { status: "completed", ...ended, started }, { live: false, over: true, startedAtMs: 1_000 }],
    [
      "aborted before its turn came",
      { status: "aborted", ...ended },
      { live: false, over: true, startedAtMs: undefined },
    ],
  ])("%s says whether it is live, whether it is over and since when it runs", (_, state, known) => {
    expect({ live: isLive(state), over: isEnded(state), startedAtMs: startedAtMsOf(state) }).toEqual(known);
  });

  it("hands on what it has had since its turn came, and nothing of the state it leaves", () => {
    expect(startedPart({ status: "waiting_permission", ...started, requestId })).toEqual(started);
  });

  it("survives storage", () => {
    const state: RunState = { status: "completed", ...ended, started };
    expect(RunState.parse(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });

  it("of an earlier version does not know what it cost", () => {
    const { costUsd: _, ...stored } = { status: "completed", ...ended, started };
    expect(RunState.parse(stored)).toEqual({ ...stored, costUsd: null });
  });

  it.each([
    ["an unknown status", { status: "paused" }],
    ["a running state without its grant", { status: "running", model: "m", startedAtMs: 1 }],
    ["an end without its time", { status: "failed", stopReason: "error", error: null }],
  ])("is not read from %s", (_, stored) => {
    expect(RunState.safeParse(stored).success).toBe(false);
  });
});
