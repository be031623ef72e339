/**
 * Sign-in. Asking for a code and signing in by it are guarded here; the rest goes to better-auth, from a list: what an
 * update adds to it, and what would change an e-mail or set a password, does not exist.
 */
import type { Context, Handler, Hono } from "hono";
import { z } from "zod";
import { isAccountOpen } from "../account/delete-account.ts";
import { findDeletion, removeLogins } from "../auth/account-deletions.ts";
import { findAuthSecret, logMissingSecret } from "../auth/auth-secret.ts";
import { withoutCookieCache } from "../auth/cookie-cache.ts";
import { addressOf, codesByAddress, codesByEmail, countAttempt, triesByAddress } from "../auth/count-attempts.ts";
import { AUTH_PATH, type Auth, authFor } from "../auth/create-auth.ts";
import { sendCode } from "../auth/send-code.ts";
import { CodeRequest, SignInRequest } from "../auth/sign-in-request.ts";
import { AppError } from "../contract/app-error.ts";
import { OwnerEmail } from "../contract/ids.ts";
import { signInFirst } from "../contract/sign-in-first.ts";
import { openDb } from "../db/db.ts";
import { parseSettings } from "../env.ts";
import type { AppEnv } from "./app-env.ts";
import { limitBody, readJson, requireJson } from "./body.ts";
import { refuseCrossSite } from "./cross-site.ts";
import { isLoopback } from "./loopback.ts";
import { refuseOtherMethods } from "./route.ts";

/** Routes of better-auth that are passed on as they are. */
const READS = [
  ...["get-session", "list-sessions", "organization/list", "organization/get-full-organization"],
  ...["organization/list-members", "organization/get-active-member", "organization/get-invitation"],
  ...["organization/list-invitations", "organization/list-user-invitations"],
];
const WRITES = [
  ...["sign-out", "revoke-session", "revoke-sessions", "revoke-other-sessions", "organization/create"],
  ...["organization/update", "organization/delete", "organization/set-active", "organization/leave"],
  ...["organization/invite-member", "organization/cancel-invitation", "organization/accept-invitation"],
  ...["organization/reject-invitation", "organization/remove-member", "organization/update-member-role"],
];

/** One text for a wrong code, an old one, none, and too many tries: it tells nobody what there is. */
const WRONG_CODE = "This code is wrong or has expired. Try again, or ask for a new one.";

/** Mounts the sign-in routes. */
export const mountAuthRoutes = (app: Hono<AppEnv>): void => {
  for (const name of READS) mount(app, "GET", name, async (c) => forward(c, await authOf(c), c.req.raw));
  for (const name of WRITES) mount(app, "POST", name, async (c) => forward(c, await authOf(c), c.req.raw));
  mount(app, "POST", "email-otp/send-verification-otp", requestCode);
  mount(app, "POST", "sign-in/email-otp", signIn);
};

const mount = (app: Hono<AppEnv>, method: "GET" | "POST", name: string, handler: Handler<AppEnv>): void => {
  const path = `${AUTH_PATH}/${name}`;
  if (method === "GET") app.get(path, handler);
  else app.post(path, refuseCrossSite, limitBody, requireJson, handler);
  refuseOtherMethods(app, path, [method]);
};

/** Sends a code. The work is the same for every e-mail, whether somebody has signed in by it before or not. */
const requestCode = async (c: Context<AppEnv>): Promise<Response> => {
  const auth = await authOf(c);
  const body = CodeRequest.safeParse(await readJson(c.req.raw));
  if (!body.success) throw new AppError(400, "email: use an address such as ann@example.com.");
  const { email } = body.data;
  await count(c, codesByAddress(addressOf(c.req.raw)));
  await count(c, codesByEmail(email));
  const code = await auth.api.createVerificationOTP({ body: { email, type: "sign-in" } });
  await sendCode(c.env, email, code, isLoopback(c.req.url)).catch((error: unknown) => {
    const { requestId } = c.var;
    console.error(JSON.stringify({ level: "error", message: "No code was sent.", requestId, error: String(error) }));
    throw new AppError(503, "The code could not be sent. Try again later.");
  });
  return c.json({ success: true });
};

const signIn = async (c: Context<AppEnv>): Promise<Response> => {
  const auth = await authOf(c);
  const body = SignInRequest.safeParse(await readJson(c.req.raw));
  await count(c, triesByAddress(addressOf(c.req.raw)));
  // Also for what no code and no e-mail can be: the answer is as for any other wrong one.
  if (!body.success) throw new AppError(400, WRONG_CODE, { "X-Error-Code": "INVALID_OTP" });
  const db = openDb(c.env.DB);
  const owner = OwnerEmail.parse(body.data.email);
  const isOpen = await isAccountOpen(c.env, await findDeletion(db, owner), Date.now());
  const answer = await forward(c, auth, new Request(c.req.raw, { body: JSON.stringify(body.data) }));
  if (isOpen) return answer;
  // Said to nobody but the person, who had the code.
  await removeLogins(db, owner);
  throw new AppError(409, "This account is being deleted. Sign in again in a few minutes for a new one.");
};

/** Passes a request on, its log-in to be looked up in D1, and words what comes back as every other route does. */
const forward = async (c: Context<AppEnv>, auth: Auth, request: Request): Promise<Response> => {
  const headers = withoutCookieCache(request.headers);
  headers.delete("content-length");
  // The cross-site check is behind us; better-auth wants an origin where a program sends none.
  if (!headers.has("origin")) headers.set("origin", new URL(request.url).origin);
  const answer = await auth.handler(new Request(request, { headers }));
  if (answer.ok) return answer;
  throw refusalOf(answer.status, Refusal.parse(await answer.json().catch(() => null)), c);
};

const Refusal = z
  .object({ message: z.string().catch(""), code: z.string().catch("") })
  .catch({ message: "", code: "" });

const CODE_REFUSALS: ReadonlySet<string> = new Set(["INVALID_OTP", "OTP_EXPIRED", "TOO_MANY_ATTEMPTS"]);

const refusalOf = (status: number, { message, code }: z.infer<typeof Refusal>, c: Context<AppEnv>): Error => {
  if (CODE_REFUSALS.has(code)) return new AppError(400, WRONG_CODE, { "X-Error-Code": "INVALID_OTP" });
  const headers = code === "" ? {} : { "X-Error-Code": code };
  switch (status) {
    case 401:
      return signInFirst();
    case 400:
    case 403:
    case 404:
    case 409:
    case 422:
      return new AppError(status, message || "This cannot be done.", headers);
    default:
      return new Error(`better-auth answered ${status} at ${c.req.path}: ${message}`);
  }
};

/** @throws {AppError} 503 when the Worker has no secret to sign cookies with. */
const authOf = async (c: Context<AppEnv>): Promise<Auth> => {
  const auth = await authFor(c.env, c.req.url);
  if (auth !== undefined) return auth;
  logMissingSecret();
  throw new AppError(503, "Sign-in is not set up here.");
};

/** @throws {AppError} 429 when it was one too many. Off where the other rate limits are. */
const count = async (c: Context<AppEnv>, limits: Parameters<typeof countAttempt>[2]): Promise<void> => {
  if (parseSettings(c.env).RATE_LIMITS_DISABLED && isLoopback(c.req.url)) return;
  const secret = findAuthSecret(c.env) ?? "";
  const waitS = await countAttempt(openDb(c.env.DB), secret, limits, Date.now());
  if (waitS !== undefined)
    throw new AppError(429, "Too many requests. Try again later.", { "Retry-After": `${waitS}` });
};
