/** The signed copy of a log-in that its browser carries, for reads without a question to D1. */
import { COOKIE_PREFIX } from "./create-auth.ts";

/** The copy, also in parts and behind `__Host-`. */
const CACHE_COOKIE = new RegExp(`^(__Host-)?${COOKIE_PREFIX}\\.session_data(\\.\\d+)?=`);

/** The headers without that copy: the log-in has to be looked up. */
export const withoutCookieCache = (headers: Headers): Headers => {
  const rest = new Headers(headers);
  const cookies = (headers.get("cookie") ?? "").split(/;\s*/).filter((cookie) => !CACHE_COOKIE.test(cookie));
  if (cookies.join("") === "") rest.delete("cookie");
  else rest.set("cookie", cookies.join("; "));
  return rest;
};
