/** How deltas are merged: the first at once, the rest for at most 50 ms, 2 KB a frame (api.md §3). */
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EventOf, TranscriptEvent } from "../../../src/contract/transcript.ts";
import { DeltaBuffer } from "../../../src/run/stream/delta-buffer.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Characters of one to four bytes in UTF-8. */
const character = fc.constantFrom("a", "é", "漢", "😀");

type Delta = Parameters<DeltaBuffer["add"]>[0];

/** A buffer whose every flush is one row of `rows`. */
const startBuffer = () => {
  const rows: TranscriptEvent[][] = [];
  const buffer = new DeltaBuffer(() => rows.push(buffer.take()), Date.now);
  const addAll = (deltas: readonly Delta[]) => deltas.map((delta) => buffer.add(delta));
  return { buffer, rows, addAll };
};

const start: EventOf<"message_start"> = { type: "message_start", messageId: "m1", step: 1 };
const text = (words: string): EventOf<"text_delta"> => ({ type: "text_delta", messageId: "m1", text: words });
const thinking = (words: string): EventOf<"thinking_delta"> => ({
  type: "thinking_delta",
  messageId: "m1",
  text: words,
});
const output = (toolCallId: string, stream: "stdout" | "stderr", words: string): EventOf<"tool_output"> => ({
  type: "tool_output",
  toolCallId,
  stream,
  text: words,
});

const bytesOf = (words: string): number => new TextEncoder().encode(words).byteLength;

describe("a message", () => {
  it("starts in one row with its first delta, at once", () => {
    const { buffer, rows } = startBuffer();
    buffer.open(start);
    expect(rows).toEqual([]);
    buffer.add(text("Hel"));
    expect(rows).toEqual([[start, text("Hel")]]);
  });

  it("starts without a delta after 50 ms", () => {
    const { buffer, rows } = startBuffer();
    buffer.open(start);
    vi.advanceTimersByTime(50);
    expect(rows).toEqual([[start]]);
  });

  it("sends its first delta at once, though the one before it has just sent its last", () => {
    const { buffer, rows } = startBuffer();
    buffer.open(start);
    buffer.add(text("Hel"));
    buffer.open({ ...start, messageId: "m2", step: 2 });
    buffer.add({ ...text("A"), messageId: "m2" });
    expect(rows).toEqual([
      [start, text("Hel")],
      [
        { ...start, messageId: "m2", step: 2 },
        { ...text("A"), messageId: "m2" },
      ],
    ]);
  });

  it("continues at once when the clock was set back by an hour", () => {
    const { buffer, rows } = startBuffer();
    buffer.open(start);
    buffer.add(text("a"));
    vi.setSystemTime(Date.now() - 3_600_000);
    buffer.add(text("b"));
    expect(rows).toEqual([[start, text("a")], [text("b")]]);
  });

  it("merges what follows within 50 ms of the first delta into one frame", () => {
    const { buffer, rows } = startBuffer();
    buffer.open(start);
    buffer.add(text("a"));
    vi.advanceTimersByTime(20);
    buffer.add(text("b"));
    vi.advanceTimersByTime(20);
    buffer.add(text("c"));
    vi.advanceTimersByTime(9);
    expect(rows).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(rows.slice(1)).toEqual([[text("bc")]]);
  });

  it("lets no delta of a steady stream wait longer than 50 ms", () => {
    const { buffer, rows } = startBuffer();
    buffer.open(start);
    buffer.add(text("a"));
    vi.advanceTimersByTime(50);
    buffer.add(text("b"));
    vi.advanceTimersByTime(30);
    buffer.add(text("c"));
    vi.advanceTimersByTime(20);
    expect(rows.slice(1)).toEqual([[text("b")], [text("c")]]);
  });

  it("keeps text and thinking apart and in order", () => {
    const { buffer, addAll } = startBuffer();
    buffer.open(start);
    addAll([text("0"), thinking("a"), thinking("b"), text("c"), text("d"), thinking("e")]);
    expect(buffer.take()).toEqual([thinking("ab"), text("cd"), thinking("e")]);
  });

  it("drops empty deltas without sending anything", () => {
    const { buffer, rows } = startBuffer();
    buffer.add(text(""));
    vi.advanceTimersByTime(1_000);
    expect([rows, buffer.take()]).toEqual([[], []]);
  });

  it("leaves the delta it was given as it was", () => {
    const { buffer } = startBuffer();
    buffer.open(start);
    buffer.add(text("0"));
    const given = text("a");
    buffer.add(given);
    buffer.add(text("b"));
    expect(given).toEqual(text("a"));
  });
});

it("output of two calls and of two streams is not merged", () => {
  const { buffer, addAll } = startBuffer();
  addAll([output("1-0", "stdout", "0"), output("1-0", "stdout", "a"), output("1-0", "stderr", "b")]);
  addAll([output("1-1", "stderr", "c"), output("1-1", "stderr", "d")]);
  expect(buffer.take()).toEqual([
    output("1-0", "stdout", "a"),
    output("1-0", "stderr", "b"),
    output("1-1", "stderr", "cd"),
  ]);
});

it("what was taken by a commit is not sent again by the timer", () => {
  const { buffer, rows } = startBuffer();
  buffer.open(start);
  buffer.add(text("a"));
  buffer.add(text("b"));
  expect(buffer.take()).toEqual([text("b")]);
  vi.advanceTimersByTime(1_000);
  expect(rows).toHaveLength(1);
});

describe("a long delta", () => {
  it.each([
    ["ASCII", "a".repeat(5_000), [2_048, 2_048, 904]],
    ["two-byte characters", "é".repeat(2_000), [2_048, 1_952]],
    ["characters of two UTF-16 units, never cut in half", `a${"😀".repeat(600)}`, [2_045, 356]],
  ])("of %s goes out in pieces of at most 2 KB", (_, words, sizes) => {
    const { buffer, rows } = startBuffer();
    buffer.add(text(words));
    expect(rows.flat().map((event) => ("text" in event ? bytesOf(event.text) : 0))).toEqual(sizes);
  });

  it("comes out as it went in, in pieces of at most 2 KB that are never empty", () => {
    const deltas = fc.array(fc.string({ unit: character, maxLength: 3_000, size: "max" }), { maxLength: 8 });
    fc.assert(
      fc.property(deltas, (parts) => {
        const { buffer, rows, addAll } = startBuffer();
        addAll(parts.map(text));
        const sent = [...rows.flat(), ...buffer.take()].map((event) => ("text" in event ? event.text : ""));
        expect(sent.join("")).toBe(parts.join(""));
        expect(sent.filter((piece) => piece === "" || bytesOf(piece) > 2_048)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});
