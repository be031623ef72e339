/** Who is signed in, by the cookies of a request. */
import type { Caller } from "../contract/caller.ts";
import { OwnerEmail } from "../contract/ids.ts";
import type { Env } from "../env.ts";
import { isAllowedEmail } from "./allowed-emails.ts";
import { withoutCookieCache } from "./cookie-cache.ts";
import { authFor, COOKIE_PREFIX, MAX_LOGIN_MS } from "./create-auth.ts";

/** Somebody who is signed in, with the cookies their browser shall have from now on. */
export type Login = { readonly caller: Caller & { readonly loginId: string }; readonly setCookies: readonly string[] };

const LOGIN_COOKIE = `${COOKIE_PREFIX}.session_token=`;

/**
 * The log-in, or undefined for nobody. For up to five minutes a signed cookie is believed without a question to D1: what
 * must not be done by a revoked log-in asks `db/logins` as well.
 */
export const findLogin = async (request: Request, env: Env): Promise<Login | undefined> => {
  if (!request.headers.get("cookie")?.includes(LOGIN_COOKIE)) return undefined;
  const auth = await authFor(env, request.url);
  if (auth === undefined) return undefined;
  const find = (given: Headers) => auth.api.getSession({ headers: given, returnHeaders: true });
  // It breaks on a signed copy that cannot be decoded, which anybody can send: the log-in is looked up then.
  const { headers, response } = await find(request.headers).catch(() => find(withoutCookieCache(request.headers)));
  if (response === null || !response.user.emailVerified) return undefined;
  const ownerEmail = OwnerEmail.safeParse(response.user.email);
  // Asked of the list of this very request: a person who is taken off it is nobody at once, in every browser.
  if (!ownerEmail.success || !isAllowedEmail(env, ownerEmail.data)) return undefined;
  const { id: loginId, activeOrganizationId, createdAt } = response.session;
  // The cron takes its row away; until then, and by the signed cookie, it counts for nothing.
  if (Date.now() - new Date(createdAt).getTime() >= MAX_LOGIN_MS) return undefined;
  return {
    caller: { ownerEmail: ownerEmail.data, orgId: activeOrganizationId ?? null, loginId },
    setCookies: headers.getSetCookie(),
  };
};
