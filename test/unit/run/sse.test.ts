/** The stream's text: frames as clients read them, and the cursors they come back with (api.md §3). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "../../../src/contract/app-error.ts";
import { formatFrame, parseCursor, STREAM_HEADERS, STREAM_PING, STREAM_PRELUDE } from "../../../src/run/stream/sse.ts";

/** One character of each kind that text formats trip over. */
const character = fc.constantFrom("a", " ", "é", "漢", "😀", "\n", "\r", '"', "\\", "\u2028", "\u0000");

const AT = "2026-11-20T12:00:00.000Z";

describe("a frame", () => {
  it("is its id, one data line with type, seq and time first, and an empty line", () => {
    expect(formatFrame({ type: "text_delta", messageId: "m1", text: "Hi" }, 7, AT)).toBe(
      `id: 7\ndata: {"type":"text_delta","seq":7,"at":"${AT}","messageId":"m1","text":"Hi"}\n\n`,
    );
  });

  it("is one data line and returns the text, whatever the text contains", () => {
    fc.assert(
      fc.property(fc.string({ unit: character }), (text) => {
        const frame = formatFrame({ type: "text_delta", messageId: "m1", text: `\r\n${text}\n\ndata: x` }, 1, AT);
        expect(frame.split(/\r\n|\r|\n/)).toHaveLength(4);
        expect(JSON.parse(frame.slice(frame.indexOf("data: ") + 6))).toHaveProperty("text", `\r\n${text}\n\ndata: x`);
      }),
    );
  });
});

describe("a cursor", () => {
  it.each([
    ["nothing given", null, null, 0],
    ["an empty after", null, "", 0],
    ["after", null, "12", 12],
    ["zero", null, "0", 0],
    ["leading zeros", null, "007", 7],
    ["15 digits", null, "999999999999999", 999_999_999_999_999],
    ["the header", "5", null, 5],
    ["the header over after", "5", "9", 5],
    ["the header over an invalid after", "5", "nine", 5],
  ])("is read from %s", (_, lastEventId, after, cursor) => {
    expect(parseCursor(lastEventId, after)).toBe(cursor);
  });

  it.each([
    ["a word", null, "nine"],
    ["a negative number", null, "-1"],
    ["a sign", null, "+1"],
    ["a fraction", null, "1.5"],
    ["an exponent", null, "1e3"],
    ["hexadecimal", null, "0x10"],
    ["a space", null, " 1"],
    ["a line break behind the digits", null, "1\n"],
    ["digits of another script", null, "٣"],
    ["16 digits", null, "1000000000000000"],
    ["an invalid header, whatever after says", "nine", "9"],
    ["an empty header, whatever after says", "", "9"],
  ])("that is %s is refused", (_, lastEventId, after) => {
    expect(() => parseCursor(lastEventId, after)).toThrow(new AppError(400, "Invalid event cursor."));
  });
});

describe("the stream around the frames", () => {
  it("begins with the retry time and a comment", () => {
    expect(STREAM_PRELUDE).toMatch(/^retry: 2000\n\n:[^\n]*\n\n$/);
  });

  it("says by a comment that it is alive", () => {
    expect(STREAM_PING).toMatch(/^:[^\n]*\n\n$/);
  });

  it("has the headers that keep proxies from holding it back", () => {
    expect(STREAM_HEADERS).toEqual({
      "Content-Type": "text/event-stream; charset=utf-8",
      "Cache-Control": "no-cache, no-transform",
      "X-Accel-Buffering": "no",
    });
  });
});
