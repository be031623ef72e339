/** Frames of at most 64 KB: what is cut, where it is said, and what must stay whole (api.md §3). */
import { describe, expect, it } from "vitest";
import { RequestId } from "../../../src/contract/ids.ts";
import type { PermissionSubject } from "../../../src/contract/permission.ts";
import { NO_USAGE } from "../../../src/contract/run.ts";
import type { EventOf, TranscriptEvent } from "../../../src/contract/transcript.ts";
import { fitEvent } from "../../../src/run/store/run-events.ts";
import { formatFrame } from "../../../src/run/stream/sse.ts";

/** api.md §3. */
const MAX_FRAME_BYTES = 65_536;

const MESSAGE_ID = "019a0000-0000-7000-8000-00000000000a";
const REQUEST_ID = RequestId.parse("019a0000-0000-7000-8000-000000000001");

/** Bytes of the frame as it is sent, with the longest seq and time there can be. */
const frameBytes = (event: TranscriptEvent): number =>
  new TextEncoder().encode(formatFrame(event, 999_999_999_999_999, "2026-11-20T12:00:00.000Z")).byteLength;

const userMessage = (text: string): EventOf<"user_message"> => ({ type: "user_message", messageId: MESSAGE_ID, text });

const toolStart = (input: unknown): EventOf<"tool_start"> => ({
  type: "tool_start",
  toolCallId: "1-0",
  messageId: MESSAGE_ID,
  tool: "write_file",
  kind: "edit",
  title: "Write notes.md",
  input,
});

const request = (subject: PermissionSubject): EventOf<"permission_request"> => ({
  type: "permission_request",
  requestId: REQUEST_ID,
  toolCallId: "1-0",
  tool: "delete-stock",
  kind: "edit",
  title: "Delete 100 stocks",
  subject,
  options: [
    { decision: "allow_once", label: "Allow once" },
    { decision: "reject", label: "Reject" },
  ],
  expiresAt: "2026-11-21T12:00:00.000Z",
});

const manyKeys = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key${index}`, "v"]));

/** 100 stocks as `delete-stock` shows them before it deletes them. */
const hundredStocks = Array.from({ length: 100 }, (_, index) => ({
  ...{
    id: `019a0000-0000-7000-8000-${String(index).padStart(12, "0")}`,
    symbol: `SYM${index}`,
    name: `Company ${index}`,
  },
  ...{ exchange: "XNAS", isin: null, assetType: "stock", currency: "USD", quantity: "10", avgCost: "180.25" },
  ...{
    watched: true,
    targetLow: "150",
    targetHigh: "220",
    lastPrice: "199.5",
    lastPriceAt: "2026-11-20T12:00:00.000Z",
  },
  ...{
    lastPriceSource: "manual",
    sector: "Technology",
    tags: ["growth", "core"],
    notes: "Bought in two steps. ".repeat(15),
    version: 3,
  },
  ...{
    updatedVia: "agent",
    createdAt: "2026-11-20T12:00:00.000Z",
    updatedAt: "2026-11-20T12:00:00.000Z",
    deletedAt: null,
  },
  ...{
    status: "holding",
    marketValue: "1995",
    costBasis: "1802.5",
    gain: "192.5",
    gainPct: "10.68",
    targetState: "between",
  },
}));

describe("an event under 64 KB", () => {
  it("stays as it is", () => {
    const event = toolStart({ path: "notes.md", content: "a".repeat(60_000) });
    expect(fitEvent(event)).toEqual({ event, isCut: false });
  });
});

describe("a long string", () => {
  it.each([
    ["ASCII", "a".repeat(200_000)],
    ["two-byte characters", "é".repeat(200_000)],
    ["three-byte characters", "漢".repeat(200_000)],
    ["emoji", "😀".repeat(100_000)],
    ["emoji, so that a cut by units would fall inside one", `a${"😀".repeat(100_000)}`],
    ["characters that JSON spells with six", "\u0001".repeat(200_000)],
    ["quotes and backslashes", '"\\'.repeat(100_000)],
  ])("of %s is cut at a code point, and says so", (_, text) => {
    const { event, isCut } = fitEvent(userMessage(text));
    const cut = "text" in event ? event.text : "";
    expect(event).toEqual({ ...userMessage(cut), truncated: true });
    expect(isCut).toBe(true);
    expect(text.startsWith(cut) && cut.length > 1_000 && cut.isWellFormed()).toBe(true);
    expect(frameBytes(event)).toBeLessThanOrEqual(MAX_FRAME_BYTES);
  });

  it("in an input is marked next to it", () => {
    const { event } = fitEvent(toolStart({ path: "notes.md", content: "a".repeat(100_000) }));
    expect(event).toEqual(toolStart({ path: "notes.md", content: expect.stringMatching(/^a+$/), truncated: true }));
    expect(frameBytes(event)).toBeLessThanOrEqual(MAX_FRAME_BYTES);
  });

  it("deep in an input is marked in its own object alone", () => {
    const { event } = fitEvent(toolStart({ outer: { short: "x", long: "a".repeat(100_000) }, other: { short: "y" } }));
    expect(event).toEqual(
      toolStart({
        outer: { short: "x", long: expect.stringMatching(/^a+$/), truncated: true },
        other: { short: "y" },
      }),
    );
  });

  it("in a list is marked in the object that holds the list", () => {
    const { event } = fitEvent(toolStart({ items: ["short", "a".repeat(100_000)] }));
    expect(event).toEqual(toolStart({ items: ["short", expect.stringMatching(/^a+$/)], truncated: true }));
  });

  it("makes room for the short ones, which stay whole", () => {
    const long = { a: "a".repeat(50_000), b: "b".repeat(50_000), c: "c".repeat(1_000) };
    const { event } = fitEvent(toolStart(long));
    expect(event).toMatchObject({ input: { c: long.c } });
  });

  it.each<TranscriptEvent>([
    { type: "tool_output", toolCallId: "1-0", stream: "stdout", text: "a".repeat(100_000) },
    { type: "file_change", toolCallId: "1-0", path: "a.ts", operation: "update", diff: "+".repeat(100_000) },
    {
      ...{ type: "tool_end", toolCallId: "1-0", status: "completed", output: "a".repeat(100_000) },
      ...{ truncated: false, durationMs: 1 },
    },
  ])("of $type is cut too", (event) => {
    const cut = fitEvent(event);
    expect(cut).toMatchObject({ isCut: true, event: { type: event.type, toolCallId: "1-0", truncated: true } });
    expect(frameBytes(cut.event)).toBeLessThanOrEqual(MAX_FRAME_BYTES);
  });

  it("of a message's end is never cut", () => {
    const end: TranscriptEvent = {
      ...{ type: "message_end", messageId: MESSAGE_ID, text: "a".repeat(300_000) },
      ...{ stopReason: "end_turn", usage: NO_USAGE },
    };
    expect(fitEvent(end)).toEqual({ event: end, isCut: false });
  });
});

describe("a permission request", () => {
  it.each<[string, PermissionSubject, object]>([
    [
      "a command",
      { type: "command", command: "x".repeat(100_000), dir: "." },
      { type: "command", command: expect.stringMatching(/^x+$/), dir: ".", truncated: true },
    ],
    [
      "a diff",
      { type: "edit", path: "src/a.ts", diff: "+".repeat(100_000) },
      { type: "edit", path: "src/a.ts", diff: expect.stringMatching(/^\++$/), truncated: true },
    ],
    [
      "an action's input",
      { type: "action", name: "update-stock", input: { set: { notes: "n".repeat(100_000) } } },
      {
        type: "action",
        name: "update-stock",
        input: { set: { notes: expect.stringMatching(/^n+$/), truncated: true } },
        truncated: true,
      },
    ],
  ])("about %s that is long says so in its subject", (_, subject, cut) => {
    const { event } = fitEvent(request(subject));
    expect(event).toEqual({ ...request(subject), subject: cut });
    expect(frameBytes(event)).toBeLessThanOrEqual(MAX_FRAME_BYTES);
  });
});

describe("ids, kinds, options and times stay whole, whatever is cut around them", () => {
  it.each([
    ["10,000 small keys", manyKeys],
    ["2,000 strings of 100 characters", { lines: Array.from({ length: 2_000 }, () => "a".repeat(100)) }],
    ["a list of 20,000 numbers", { numbers: Array.from({ length: 20_000 }, (_, index) => index) }],
    ["a key of 100,000 characters", { ["k".repeat(100_000)]: 1 }],
  ])("in a call with %s", (_, input) => {
    const { event, isCut } = fitEvent(toolStart(input));
    expect({ ...event, input: undefined, truncated: undefined }).toEqual(toolStart(undefined));
    expect(isCut).toBe(true);
    expect(frameBytes(event)).toBeLessThanOrEqual(MAX_FRAME_BYTES);
  });

  it.each<[string, PermissionSubject]>([
    ["10,000 small keys", { type: "action", name: "delete-stock", input: manyKeys }],
    ["100 stocks to delete", { type: "action", name: "delete-stock", input: {}, before: hundredStocks }],
    [
      "a list of 40,000 numbers",
      { type: "action", name: "delete-stock", input: Array.from({ length: 40_000 }, () => 1) },
    ],
  ])("in a request about %s", (_, subject) => {
    const { event } = fitEvent(request(subject));
    const { subject: __, ...rest } = request(subject);
    expect(event).toMatchObject({ ...rest, subject: { type: "action", name: "delete-stock" } });
    expect(JSON.stringify(event).includes('"truncated":true')).toBe(true);
    expect(frameBytes(event)).toBeLessThanOrEqual(MAX_FRAME_BYTES);
  });
});
