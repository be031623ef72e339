/** Cursors of a list: opaque text that says where a page ended, and of which list. */
import { decodeBase64Url, encodeBase64Url } from "hono/utils/encode";
import * as z from "zod";
import { AppError } from "../contract/app-error.ts";
import { contentHash } from "../contract/digest.ts";
import { StockId } from "../contract/ids.ts";
import { parseJson } from "../contract/parse-json.ts";
import { CURSOR_REMEDY, type ListStocksInput } from "../contract/stocks/list-stocks.ts";
import type { PagePosition } from "../db/stock-list.ts";

/** Which list, then the position in it: fingerprint, sort key, id, and the day of the rates where it has any. */
const Cursor = z.tuple([z.string(), z.union([z.string(), z.number(), z.null()]), StockId, z.iso.date().optional()]);

/** Writes the cursor of the page after a row; needs no escaping in a URL. */
export const writeCursor = async (list: ListStocksInput, { key, id, ratesOn }: PagePosition): Promise<string> => {
  const day = list.sort === "marketValue" && ratesOn !== undefined ? [ratesOn] : [];
  const json = JSON.stringify([await fingerprint(list), key, id, ...day]);
  return encodeBase64Url(new TextEncoder().encode(json).buffer).replace(/=+$/, "");
};

/** Reads a list's own cursor. @throws {AppError} 400 for one of another filter or sort, or for any other text. */
export const readCursor = async (list: ListStocksInput, cursor: string): Promise<PagePosition> => {
  const parsed = Cursor.safeParse(decode(cursor));
  if (!parsed.success || parsed.data[0] !== (await fingerprint(list))) {
    throw new AppError(400, `cursor: ${CURSOR_REMEDY}`);
  }
  const [, key, id, ratesOn] = parsed.data;
  return { key, id, ratesOn };
};

/** What a cursor is bound to: filter and sort. The page size may change between pages. */
const fingerprint = async ({
  cursor: _cursor,
  limit: _limit,
  spark: _spark,
  ...list
}: ListStocksInput): Promise<string> => (await contentHash(list)).slice(0, 16);

const decode = (cursor: string): unknown => {
  try {
    return parseJson(new TextDecoder().decode(decodeBase64Url(cursor)));
  } catch {
    // Not a cursor of ours: refused like any other text, see readCursor.
    return undefined;
  }
};
