/** What a browser's cookies become when its log-in is over. */
import type { Env } from "../env.ts";
import { authFor } from "./create-auth.ts";

/** `Set-Cookie` headers that take every cookie of sign-in away, also its signed copy in parts; ends the log-in, if it is there. */
export const cookiesOfNobody = async (request: Request, env: Env): Promise<readonly string[]> => {
  const auth = await authFor(env, request.url);
  if (auth === undefined) return [];
  const { headers } = await auth.api.signOut({ headers: request.headers, returnHeaders: true });
  return headers.getSetCookie();
};
