/**
 * The bookmark of the caller's last change to stocks, in a cookie. With it, nobody who has changed something reads an older list
 * afterwards, whichever copy of the database answers. All tabs of a browser share the cookie, and clients need not know about it
 * (decision 0071).
 */
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { serialize } from "hono/utils/cookie";
import { isBookmark } from "../db/db.ts";
import type { AppEnv } from "./app-env.ts";

const COOKIE = "tally.bookmark";

/** The path of the bookmark cookie: only actions need it. */
const PATH = "/_framework/actions";

/** Lifetime of the bookmark cookie, in seconds. No copy of the database lags that far behind. */
const LIFETIME_S = 300;

/** The caller's bookmark; a malformed cookie counts as none. */
export const readBookmark = (c: Context<AppEnv>): string | undefined => {
  const bookmark = getCookie(c, COOKIE);
  return bookmark !== undefined && isBookmark(bookmark) ? bookmark : undefined;
};

/** Headers that give the caller the bookmark of their change; none when nothing was changed. */
export const bookmarkHeaders = (c: Context<AppEnv>, bookmark: string | undefined): Record<string, string> => {
  if (bookmark === undefined || !isBookmark(bookmark)) return {};
  const secure = new URL(c.req.url).protocol === "https:";
  const options = { path: PATH, maxAge: LIFETIME_S, httpOnly: true, sameSite: "Lax", secure } as const;
  return { "Set-Cookie": serialize(COOKIE, bookmark, options) };
};
