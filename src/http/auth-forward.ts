/** Mounts the sign-in routes, passes requests on to better-auth, and rewords its answers. */

import type { Context, Hono } from "hono";
import * as z from "zod";
import { AUTH_PATH } from "../auth/auth-constants.ts";
import { type Auth, authFor } from "../auth/auth-for.ts";
import { findAuthSecret, logMissingSecret } from "../auth/auth-secret.ts";
import { type AttemptLimit, countAttempt } from "../auth/count-attempts.ts";
import { findLogin, withoutCookieCache } from "../auth/find-login.ts";
import { mailCode } from "../auth/send-mail.ts";
import { AppError, errorCode, signInFirst } from "../contract/app-error.ts";
import { isLoopbackUrl } from "../contract/local/loopback.ts";
import { log } from "../contract/log.ts";
import { openDb } from "../db/db.ts";
import { parseSettings } from "../settings.ts";
import type { AppEnv } from "./app-env.ts";
import { limitBody, requireJson } from "./body.ts";
import { refuseCrossSite } from "./cross-site.ts";
import { outliveClient } from "./outlive-client.ts";
import { limitAddress } from "./rate-limit.ts";
import { refuseOtherMethods } from "./route.ts";

/** One text for a wrong code, an expired one, none, and too many tries: it reveals nothing about which codes exist. */
export const WRONG_CODE = "This code is wrong or has expired. Try again, or ask for a new one.";

/** The refusal when a code could not be mailed. The failure is logged. */
export const codeNotSent = ({ var: { requestId } }: Context<AppEnv>, error: unknown): AppError => {
  const code = mailCode(error);
  log.error("No code was sent.", { requestId, code, error });
  // Mail to this address has come back, or was reported as spam. The address is refused from then on.
  if (code === "E_RECIPIENT_SUPPRESSED")
    return new AppError(503, "Mail to this address comes back. Ask whoever runs this Tally.");
  return new AppError(503, "The code could not be sent. Try again later.");
};

/**
 * Mounts a route below `/_framework/auth/` after the checks of its method. What a POST has begun goes on when its client leaves. If it were
 * cut off, changes would stay half done, because better-auth has no transaction on D1. Its lock on an address, which it holds while it
 * checks a code, would never be released, and nobody could sign in by that address any more.
 */
export const mountAuth = (
  app: Hono<AppEnv>,
  method: "GET" | "POST",
  name: string,
  handler: (c: Context<AppEnv>) => Promise<Response>,
): void => {
  const path = `${AUTH_PATH}/${name}`;
  if (method === "GET") app.get(path, limitAddress, handler);
  else app.post(path, refuseCrossSite, limitBody, requireJson, limitAddress, (c) => outliveClient(c, handler(c)));
  refuseOtherMethods(app, path, [method]);
};

/** Passes a request on, with its log-in looked up in D1, and words the answer like every other route. */
export const forward = async (c: Context<AppEnv>, auth: Auth, request: Request): Promise<Response> => {
  await refuseDisallowed(c);
  const headers = withoutCookieCache(request.headers);
  headers.delete("content-length");
  // Set in any case: a request without a body may claim any type.
  if (request.method === "POST") headers.set("content-type", "application/json");
  // The cross-site check has already passed; better-auth needs an origin, which programs do not send.
  if (!headers.has("origin")) headers.set("origin", new URL(request.url).origin);
  // better-auth has no route for HEAD; Hono drops the body.
  const method = request.method === "HEAD" ? "GET" : request.method;
  const answer = await auth.handler(new Request(request, { method, headers }));
  if (answer.ok) return answer;
  throw refusalOf(answer.status, Refusal.parse(await answer.json().catch(() => null)), c);
};

/** Routes that are open even to somebody who is not on the allow list: to sign out, and to sign in as somebody else. */
const FOR_ANYBODY: ReadonlySet<string> = new Set([`${AUTH_PATH}/sign-in/email-otp`, `${AUTH_PATH}/sign-out`]);

/** better-auth does not know the allow list. @throws {AppError} 401 for a log-in of somebody who is no longer on it. */
const refuseDisallowed = async (c: Context<AppEnv>): Promise<void> => {
  if (c.env.ALLOWED_EMAILS === undefined || FOR_ANYBODY.has(c.req.path)) return;
  if ((await findLogin(c.req.raw, c.env)) === undefined) throw signInFirst();
};

/** The request with another body, which is JSON like all of them. */
export const withBody = (c: Context<AppEnv>, body: unknown): Request =>
  new Request(c.req.raw, { body: JSON.stringify(body ?? {}) });

const Refusal = z
  .object({ message: z.string().catch(""), code: z.string().catch("") })
  .catch({ message: "", code: "" });

const CODE_REFUSALS: ReadonlySet<string> = new Set(["INVALID_OTP", "OTP_EXPIRED", "TOO_MANY_ATTEMPTS"]);

const refusalOf = (status: number, { message, code }: z.infer<typeof Refusal>, c: Context<AppEnv>): Error => {
  if (CODE_REFUSALS.has(code)) return new AppError(400, WRONG_CODE, errorCode("INVALID_OTP"));
  const headers = code === "" ? {} : { "X-Error-Code": code };
  switch (status) {
    case 401:
      // better-auth also answers 401 to members who are signed in but lack the right.
      return code.startsWith("YOU_ARE_NOT_ALLOWED") ? new AppError(403, message, headers) : signInFirst();
    case 400:
    case 403:
    case 404:
    case 409:
    case 422:
      return new AppError(status, message || "This request was refused. Reload the page and try again.", headers);
    default:
      return new Error(`better-auth answered ${status} at ${c.req.path}: ${message}`);
  }
};

/** @throws {AppError} 503 when the Worker has no secret to sign cookies with. */
export const authOf = async (c: Context<AppEnv>): Promise<Auth> => {
  const auth = await authFor(c.env, c.req.url);
  if (auth !== undefined) return auth;
  logMissingSecret();
  throw notSetUp();
};

/** The refusal when nobody can sign in. The log says what is missing. */
export const notSetUp = (): AppError => new AppError(503, "Sign-in is not set up here.");

/** @throws {AppError} 429 over the limit. Disabled together with the other rate limits. */
export const countOrRefuse = async (c: Context<AppEnv>, limits: readonly AttemptLimit[]): Promise<void> => {
  if (parseSettings(c.env).RATE_LIMITS_DISABLED && isLoopbackUrl(c.req.url)) return;
  const secret = findAuthSecret(c.env) ?? "";
  const waitS = await countAttempt(openDb(c.env.DB), secret, limits, Date.now());
  if (waitS !== undefined)
    throw new AppError(429, "Too many requests. Try again later.", { "Retry-After": `${waitS}` });
};
