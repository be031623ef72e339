/** Cursors of the thread lists: base64url of the last row's sort key. Opaque to clients, and checked when they return. */
import * as z from "zod";
import { AppError } from "../contract/app-error.ts";
import { parseJson } from "../contract/parse-json.ts";

const SortKey = z.tuple([z.int(), z.string()]);

/** The position of the next page: after this row. */
export const formatPageCursor = (timeMs: number, id: string): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify([timeMs, id]))))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

/** Time and id of the cursor's row; undefined without a cursor. @throws {AppError} 400 for a cursor that cannot be read. */
export const parsePageCursor = (cursor: string | undefined): readonly [number, string] | undefined => {
  if (cursor === undefined || cursor === "") return undefined;
  try {
    const bytes = Uint8Array.from(atob(cursor.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    return SortKey.parse(parseJson(new TextDecoder().decode(bytes)));
  } catch {
    throw new AppError(400, "cursor: use the nextCursor of an earlier answer.");
  }
};
