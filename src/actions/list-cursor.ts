/** Cursors of a list: opaque text that says where a page ended, and of which list. */
import { decodeBase64Url, encodeBase64Url } from "hono/utils/encode";
import * as z from "zod";
import { AppError } from "../contract/app-error.ts";
import { StockId } from "../contract/ids.ts";
import { CURSOR_REMEDY, type ListStocksInput } from "../contract/list-stocks.ts";
import type { PagePosition } from "../db/stock-list.ts";
import { contentHash } from "./content-hash.ts";

/** Whose list, then where in it: fingerprint, sort key, id. */
const Cursor = z.tuple([z.string(), z.union([z.string(), z.number(), z.null()]), StockId]);

/** Writes the cursor of the page behind a row; needs no escaping in a URL. */
export const writeCursor = async (list: ListStocksInput, { key, id }: PagePosition): Promise<string> => {
  const json = JSON.stringify([await fingerprint(list), key, id]);
  return encodeBase64Url(new TextEncoder().encode(json).buffer).replace(/=+$/, "");
};

/** Reads a list's own cursor. @throws {AppError} 400 for one of another filter or sort, or for any other text. */
export const readCursor = async (list: ListStocksInput, cursor: string): Promise<PagePosition> => {
  const parsed = Cursor.safeParse(decode(cursor));
  if (!parsed.success || parsed.data[0] !== (await fingerprint(list))) {
    throw new AppError(400, `cursor: ${CURSOR_REMEDY}`);
  }
  const [, key, id] = parsed.data;
  return { key, id };
};

/** What a cursor is bound to: filter and sort. The page's size may change on the way. */
const fingerprint = async ({ cursor: _cursor, limit: _limit, ...list }: ListStocksInput): Promise<string> =>
  (await contentHash(list)).slice(0, 16);

const decode = (cursor: string): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(decodeBase64Url(cursor)));
  } catch {
    // Not one of ours: the same refusal as for any other text, see readCursor.
    return undefined;
  }
};
