/**
 * Who has changed something reads no older list afterwards, whichever copy of the database answers: the moment of the
 * change goes along in a cookie, which all tabs of a browser share and no client has to know of (docs/decisions/0071).
 */
import type { Context } from "hono";
import { getCookie } from "hono/cookie";
import { serialize } from "hono/utils/cookie";
import { isBookmark } from "../db/db-session.ts";
import type { AppEnv } from "./app-env.ts";

const COOKIE = "tally.bookmark";

/** Where it is sent: to the actions alone. */
const PATH = "/_framework/actions";

/** How long it is sent, in seconds. No copy is as far behind. */
const LIFETIME_S = 300;

/** Moment of the caller's last change. A cookie that is nothing like one counts as none. */
export const readBookmark = (c: Context<AppEnv>): string | undefined => {
  const bookmark = getCookie(c, COOKIE);
  return bookmark !== undefined && isBookmark(bookmark) ? bookmark : undefined;
};

/** Headers that hand the caller the moment of their change; none where nothing was changed. */
export const bookmarkHeaders = (c: Context<AppEnv>, bookmark: string | undefined): Record<string, string> => {
  if (bookmark === undefined || !isBookmark(bookmark)) return {};
  const secure = new URL(c.req.url).protocol === "https:";
  const options = { path: PATH, maxAge: LIFETIME_S, httpOnly: true, sameSite: "Lax", secure } as const;
  return { "Set-Cookie": serialize(COOKIE, bookmark, options) };
};
