/** Cursors of the thread lists: what is given out comes back, anything else is a 400. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AppError } from "../../../src/contract/app-error.ts";
import { formatPageCursor, parsePageCursor } from "../../../src/http/page-cursor.ts";

/** One character of each kind that text formats trip over. */
const character = fc.constantFrom("a", " ", "é", "漢", "😀", "\n", "\r", '"', "\\", "\u2028", "\u0000");

/** Standard base64 of any bytes, as a client could make one up. */
const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

describe("a page cursor", () => {
  it("comes back as its row, whatever the id", () => {
    const ids = fc.string({ unit: character, maxLength: 200 });
    fc.assert(
      fc.property(fc.maxSafeNat(), ids, (timeMs, id) => {
        expect(parsePageCursor(formatPageCursor(timeMs, id))).toEqual([timeMs, id]);
      }),
    );
  });

  it("comes back also where the id holds half a character", () => {
    expect(parsePageCursor(formatPageCursor(1, "\ud800"))).toEqual([1, "\ud800"]);
  });

  it("goes into a query string as it is", () => {
    const ids = fc.string({ unit: character, maxLength: 50 });
    fc.assert(
      fc.property(ids, (id) => {
        expect(formatPageCursor(1, id)).toMatch(/^[\w-]+$/);
      }),
    );
  });

  it.each([undefined, ""])("that is %j means the first page", (cursor) => {
    expect(parsePageCursor(cursor)).toBeUndefined();
  });

  it.each([
    ["no base64", "???"],
    ["no base64 of bytes", "漢字"],
    ["one character", "A"],
    ["no JSON", base64("hello")],
    ["JSON of another shape", base64('{"timeMs":1,"id":"a"}')],
    ["a pair the wrong way round", base64('["a",1]')],
    ["a time that is no integer", base64('[1.5,"a"]')],
    ["a time that is a string", base64('["1","a"]')],
    ["a pair with more behind it", base64('[1,"a","b"]')],
    ["nothing but null", base64("null")],
  ])("that is %s is refused", (_, cursor) => {
    const refusal = new AppError(400, "cursor: use the nextCursor of an earlier answer.");
    expect(() => parsePageCursor(cursor)).toThrow(refusal);
  });
});
