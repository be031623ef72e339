/** Cursors of `list-stocks`: what is given out comes back, and whatever is done to one on the way, the answer is a 400. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { readCursor, writeCursor } from "../../../src/actions/list-stocks.ts";
import { AppError } from "../../../src/contract/app-error.ts";
import { ListStocksInput } from "../../../src/contract/stocks/list-stocks.ts";
import { SortField, SortOrder } from "../../../src/contract/stocks/stock-filter.ts";
import { parsePageCursor } from "../../../src/http/page-cursor.ts";

const key = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
  fc.constant(null),
);
const list = fc
  .record({ sort: fc.constantFrom(...SortField.options), order: fc.constantFrom(...SortOrder.options), q: fc.string() })
  .map((fields) => ListStocksInput.parse({ ...fields, q: fields.q.slice(0, 200) }));

/** A text as base64, as a client could make a cursor up. */
const base64 = (made: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(made)));

/** A list that begins with a number could be a position in a list of threads. */
const noPosition = fc.json().filter((made) => !/^\[-?\d/.test(made));

/** Any text, and what nearly is a cursor. */
const text = fc.oneof(fc.string({ unit: "binary" }), fc.base64String(), noPosition.map(base64));

/** The refusal's status, or `undefined` where the cursor was read. Any other error is thrown on. */
const statusOf = async (read: () => unknown): Promise<number | undefined> => {
  try {
    await read();
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.status;
    throw error;
  }
};

it("a position comes back from the cursor of its own list, and from no other", async () => {
  await fc.assert(
    fc.asyncProperty(list, list, key, fc.uuid(), async (own, other, at, id) => {
      const cursor = await writeCursor(own, { key: at, id });
      expect(cursor).toMatch(/^[\w-]+$/);
      expect(await readCursor(own, cursor)).toEqual({ key: at, id });
      const isSame = JSON.stringify(own) === JSON.stringify(other);
      expect(await statusOf(() => readCursor(other, cursor))).toBe(isSame ? undefined : 400);
    }),
  );
});

it("a cursor with a character changed is read or refused, and never breaks", async () => {
  await fc.assert(
    fc.asyncProperty(
      list,
      key,
      fc.uuid(),
      fc.nat(),
      fc.string({ unit: "binary", maxLength: 2 }),
      async (own, at, id, place, piece) => {
        const cursor = await writeCursor(own, { key: at, id });
        const start = place % cursor.length;
        const changed = cursor.slice(0, start) + piece + cursor.slice(start + 1);
        expect([400, undefined]).toContain(await statusOf(() => readCursor(own, changed)));
      },
    ),
  );
});

it("a text that is not a cursor is refused, by the list of stocks and by those of threads", async () => {
  const own = ListStocksInput.parse({});
  await fc.assert(
    fc.asyncProperty(text, async (made) => {
      expect(await statusOf(() => readCursor(own, made))).toBe(400);
      // An empty one is none.
      expect(await statusOf(() => parsePageCursor(made))).toBe(made === "" ? undefined : 400);
    }),
  );
});
