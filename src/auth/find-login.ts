/** Finds out who is signed in, from the cookies of a request. */
import { type Caller, OwnerEmail } from "../contract/ids.ts";
import type { Env } from "../env.ts";
import { isAllowedEmail } from "./allowed-emails.ts";
import { COOKIE_PREFIX, MAX_LOGIN_MS } from "./auth-constants.ts";
import { authFor, hasSignedCopy } from "./auth-for.ts";

/** The cookie with the signed copy of the log-in, whole or in parts, with `__Host-` or without. */
const CACHE_COOKIE = new RegExp(`^(__Host-)?${COOKIE_PREFIX}\\.session_data(\\.\\d+)?=`);

/** The headers without that copy, so that the log-in is looked up. */
export const withoutCookieCache = (headers: Headers): Headers => {
  const rest = new Headers(headers);
  const cookies = (headers.get("cookie") ?? "").split(/;\s*/).filter((cookie) => !CACHE_COOKIE.test(cookie));
  if (cookies.join("") === "") rest.delete("cookie");
  else rest.set("cookie", cookies.join("; "));
  return rest;
};

/** Somebody who is signed in, with the cookies to set in their browser. */
type Login = { readonly caller: Caller & { readonly loginId: string }; readonly setCookies: readonly string[] };

const LOGIN_COOKIE = `${COOKIE_PREFIX}.session_token=`;

/**
 * The log-in, or undefined when nobody is signed in. For up to five minutes a signed cookie is trusted without a query to D1;
 * for what a revoked log-in must not do, `db/logins` is checked as well. `beforeLookup` is called before D1 is queried, and can refuse.
 */
export const findLogin = async (
  request: Request,
  env: Env,
  beforeLookup?: () => Promise<void>,
): Promise<Login | undefined> => {
  if (!request.headers.get("cookie")?.includes(LOGIN_COOKIE)) return undefined;
  const auth = await authFor(env, request.url);
  if (auth === undefined) return undefined;
  if (beforeLookup !== undefined && !(await hasSignedCopy(request, env))) await beforeLookup();
  const find = (given: Headers) => auth.api.getSession({ headers: given, returnHeaders: true });
  // It throws on a signed copy that cannot be decoded, which anybody can send: then the log-in is looked up.
  const { headers, response } = await find(request.headers).catch(() => find(withoutCookieCache(request.headers)));
  if (response === null || !response.user.emailVerified) return undefined;
  const ownerEmail = OwnerEmail.safeParse(response.user.email);
  // Checked on every request: a person who is taken off the list is signed out at once, in every browser.
  if (!ownerEmail.success || !isAllowedEmail(env, ownerEmail.data)) return undefined;
  const { id: loginId, activeOrganizationId, createdAt } = response.session;
  // The cron deletes the log-in's row. Until then, and by its signed cookie, the log-in would still seem valid.
  if (Date.now() - new Date(createdAt).getTime() >= MAX_LOGIN_MS) return undefined;
  return {
    caller: { ownerEmail: ownerEmail.data, orgId: activeOrganizationId ?? null, loginId },
    setCookies: headers.getSetCookie(),
  };
};

/** `Set-Cookie` headers that delete every sign-in cookie, including its signed copy in parts. Ends the log-in if there is one. */
export const cookiesOfNobody = async (request: Request, env: Env): Promise<readonly string[]> => {
  const auth = await authFor(env, request.url);
  if (auth === undefined) return [];
  const { headers } = await auth.api.signOut({ headers: request.headers, returnHeaders: true });
  return headers.getSetCookie();
};
