/** Cursors: bound to filter and sort, and opaque; any other text is refused (api.md §5). */
import { expect, it } from "vitest";
import { readCursor, writeCursor } from "../../../src/actions/list-stocks.ts";
import { ListStocksInput } from "../../../src/contract/stocks/list-stocks.ts";

const ID = "01234567-89ab-7000-8000-000000000000";
const list = (fields: Record<string, unknown> = {}) => ListStocksInput.parse({ q: "é", sort: "gainPct", ...fields });
const REFUSAL = { status: 400, message: "cursor: use the nextCursor of the same list, with the same filters and sort" };

it.each([["ÅNGSTRÖM 株"], [0.1], [-12.5], [null], [1e21]])("the position %j comes back", async (key) => {
  const cursor = await writeCursor(list(), { key, id: ID });
  expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
  expect(await readCursor(list({ limit: 7, cursor }), cursor)).toEqual({ key, id: ID });
});

it.each([[{ q: "e" }], [{ sort: "name" }], [{ order: "desc" }], [{ deleted: true }], [{ watched: false }]])(
  "a cursor is refused with %j instead",
  async (change) => {
    const cursor = await writeCursor(list(), { key: 1, id: ID });
    await expect(readCursor(list(change), cursor)).rejects.toMatchObject(REFUSAL);
  },
);

it.each(["x", "%%%", "bnVsbA", "W10", "é", `WyIwMDAwIiwxLCJ4Il0`])("%j is not a cursor", async (cursor) => {
  await expect(readCursor(list(), cursor)).rejects.toMatchObject(REFUSAL);
});
