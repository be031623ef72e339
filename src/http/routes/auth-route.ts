/**
 * Sign-in. Asking for a code and signing in with it are guarded here. Other requests are passed to better-auth only if they are
 * on a list, so that new routes of an update, and routes that change an e-mail or set a password, do not exist.
 */

import type { Context, Hono } from "hono";
import { isAccountOpen } from "../../account/delete-account.ts";
import { isAllowedEmail, logNamesNobody, namesNobody } from "../../auth/allowed-emails.ts";
import { AUTH_PATH } from "../../auth/auth-constants.ts";
import type { Auth } from "../../auth/auth-for.ts";
import {
  addressOf,
  codesByAddress,
  codesByEmail,
  mailsOfAll,
  mailsOfNobody,
  triesByAddress,
} from "../../auth/count-attempts.ts";
import { findLogin } from "../../auth/find-login.ts";
import { isNewDevice, sendCode, tellOfDevice } from "../../auth/send-mail.ts";
import { CodeRequest, SignInRequest } from "../../auth/sign-in-request.ts";
import { findDeletion, forgetCode, listLogins, removeLogins, removeOtherLogins } from "../../auth/sign-in-rows.ts";
import { AppError, errorCode } from "../../contract/app-error.ts";
import { OwnerEmail } from "../../contract/ids.ts";
import { isLoopbackUrl } from "../../contract/local/loopback.ts";
import { log } from "../../contract/log.ts";
import { openDb } from "../../db/db.ts";
import { removeSignedOut } from "../../db/notices/recipients.ts";
import type { AppEnv } from "../app-env.ts";
import {
  authOf,
  codeNotSent,
  countOrRefuse,
  forward,
  mountAuth,
  notSetUp,
  WRONG_CODE,
  withBody,
} from "../auth-forward.ts";
import { readJson } from "../body.ts";
import { mountFreshCode } from "../fresh-code.ts";
import { mountOrganizationRoutes } from "./organization-routes.ts";

/** Routes of better-auth that are passed on unchanged. */
const READS = ["get-session", "list-sessions"];

/** Routes that end log-ins. True if devices whose log-in is no longer known are signed out too: it may be any of the person's. */
const SIGN_OUTS = {
  "sign-out": false,
  "revoke-session": false,
  "revoke-sessions": true,
  "revoke-other-sessions": true,
};

/** Mounts the sign-in routes. */
export const mountAuthRoutes = (app: Hono<AppEnv>): void => {
  for (const name of READS) mountAuth(app, "GET", name, async (c) => forward(c, await authOf(c), c.req.raw));
  for (const [name, areUnknownRemoved] of Object.entries(SIGN_OUTS))
    mountAuth(app, "POST", name, (c) => endLogins(c, areUnknownRemoved));
  mountAuth(app, "POST", "email-otp/send-verification-otp", requestCode);
  mountAuth(app, "POST", "sign-in/email-otp", signIn);
  mountFreshCode(app);
  mountOrganizationRoutes(app);
};

/** Ends log-ins, and the pushes to their devices: a lost phone must not go on showing notices. */
const endLogins = async (c: Context<AppEnv>, areUnknownRemoved: boolean): Promise<Response> => {
  const auth = await authOf(c);
  // Parsed here: better-auth answers invalid JSON in its own words, and logs it.
  const body = await readJson(c.req.raw);
  const login = await findLogin(c.req.raw, c.env);
  const owner = login?.caller.ownerEmail;
  const db = openDb(c.env.DB);
  const before = owner === undefined ? [] : await listLogins(db, owner);
  // better-auth would end no more than a hundred log-ins, each by statements of its own.
  if (login !== undefined && c.req.path === `${AUTH_PATH}/revoke-other-sessions`)
    await removeOtherLogins(db, login.caller.loginId, Date.now());
  const answer = await forward(c, auth, withBody(c, body));
  if (owner !== undefined) await removeSignedOut(db, owner, { before, areUnknownRemoved });
  return answer;
};

/** The better-auth instance for creating and checking codes. @throws {AppError} 503 when nobody can sign in. */
const codeAuthOf = async (c: Context<AppEnv>): Promise<Auth> => {
  const auth = await authOf(c);
  if (!namesNobody(c.env)) return auth;
  logNamesNobody();
  throw notSetUp();
};

/** Sends a code. It does the same work for every e-mail, whether or not it has ever signed in. */
const requestCode = async (c: Context<AppEnv>): Promise<Response> => {
  const auth = await codeAuthOf(c);
  const body = CodeRequest.safeParse(await readJson(c.req.raw));
  if (!body.success) throw new AppError(400, "email: use an address such as ann@example.com.");
  const { email } = body.data;
  await countOrRefuse(c, codesByAddress(addressOf(c.req.raw)));
  const isAllowed = isAllowedEmail(c.env, email);
  await countOrRefuse(c, [...codesByEmail(email), ...(isAllowed ? mailsOfAll(c.env) : mailsOfNobody())]);
  const code = await auth.api.createVerificationOTP({ body: { email, type: "sign-in" } });
  // The same answer after the same work, except for the mail: responses must not reveal who is on the allow list.
  if (!isAllowed) return c.json({ success: true });
  const madeAtMs = Date.now();
  await sendCode(c.env, email, code, isLoopbackUrl(c.req.url)).catch(async (error: unknown) => {
    await forgetCode(openDb(c.env.DB), email, madeAtMs);
    throw codeNotSent(c, error);
  });
  return c.json({ success: true });
};

const signIn = async (c: Context<AppEnv>): Promise<Response> => {
  const auth = await codeAuthOf(c);
  const body = SignInRequest.safeParse(await readJson(c.req.raw));
  await countOrRefuse(c, triesByAddress(addressOf(c.req.raw)));
  // Text that cannot be a code or an e-mail gets the same answer as a wrong code.
  if (!body.success) throw new AppError(400, WRONG_CODE, errorCode("INVALID_OTP"));
  const { email } = body.data;
  // For somebody not on the list every code is wrong, after the same work in D1: responses must not reveal who is on it.
  const otp = isAllowedEmail(c.env, email) ? body.data.otp : "";
  const db = openDb(c.env.DB);
  const owner = OwnerEmail.parse(email);
  const startedMs = Date.now();
  const isOpen = await isAccountOpen(c.env, await findDeletion(db, owner), startedMs);
  const answer = await forward(c, auth, new Request(c.req.raw, { body: JSON.stringify({ email, otp }) }));
  // Checked again: a deletion may have been requested since, and would not know of this log-in.
  if (isOpen && (await findDeletion(db, owner)) === undefined) {
    c.executionCtx.waitUntil(tellIfNew(c, owner, startedMs));
    return answer;
  }
  // Only the account's owner gets this answer: they had the code.
  await removeLogins(db, owner);
  throw new AppError(409, "This account is being deleted. Sign in again in a few minutes for a new one.");
};

/** Runs after the response and cannot fail it: the person is signed in either way. On this machine there is nobody to tell. */
const tellIfNew = async (c: Context<AppEnv>, owner: OwnerEmail, startedMs: number): Promise<void> => {
  if (isLoopbackUrl(c.req.url)) return;
  try {
    if (!(await isNewDevice(openDb(c.env.DB), owner, startedMs))) return;
    await countOrRefuse(c, mailsOfAll(c.env));
    await tellOfDevice(c.env, owner, startedMs, new URL(c.req.url).origin);
  } catch (error) {
    const { requestId } = c.var;
    log.warn("No mail of a sign-in.", { requestId, error });
  }
};
