/**
 * Sign-in. Asking for a code and signing in by it are guarded here; the rest goes to better-auth, from a list: what an
 * update adds to it, and what would change an e-mail or set a password, does not exist.
 */
import type { Context, Hono } from "hono";
import { isAccountOpen } from "../account/delete-account.ts";
import { findDeletion, removeLogins } from "../auth/account-deletions.ts";
import { isAllowedEmail } from "../auth/allowed-emails.ts";
import {
  addressOf,
  codesByAddress,
  codesByEmail,
  mailsOfAll,
  mailsOfNobody,
  triesByAddress,
} from "../auth/count-attempts.ts";
import { isNewDevice, tellOfDevice } from "../auth/new-device.ts";
import { sendCode } from "../auth/send-code.ts";
import { CodeRequest, SignInRequest } from "../auth/sign-in-request.ts";
import { AppError } from "../contract/app-error.ts";
import { OwnerEmail } from "../contract/ids.ts";
import { openDb } from "../db/db.ts";
import type { AppEnv } from "./app-env.ts";
import { authOf, countOrRefuse, forward, mountAuth, WRONG_CODE, withBody } from "./auth-forward.ts";
import { readJson } from "./body.ts";
import { mountFreshCode } from "./fresh-code.ts";
import { isLoopback } from "./loopback.ts";
import { mountOrganizationRoutes } from "./organization-routes.ts";

/** Routes of better-auth that are passed on as they are. */
const READS = ["get-session", "list-sessions"];
const WRITES = ["sign-out", "revoke-session", "revoke-sessions", "revoke-other-sessions"];

/** Mounts the sign-in routes. */
export const mountAuthRoutes = (app: Hono<AppEnv>): void => {
  for (const name of READS) mountAuth(app, "GET", name, async (c) => forward(c, await authOf(c), c.req.raw));
  for (const name of WRITES) {
    // Read here: better-auth answers bad JSON in its own words, and logs it.
    mountAuth(app, "POST", name, async (c) => forward(c, await authOf(c), withBody(c, await readJson(c.req.raw))));
  }
  mountAuth(app, "POST", "email-otp/send-verification-otp", requestCode);
  mountAuth(app, "POST", "sign-in/email-otp", signIn);
  mountFreshCode(app);
  mountOrganizationRoutes(app);
};

/** Sends a code. The work is the same for every e-mail, whether somebody has signed in by it before or not. */
const requestCode = async (c: Context<AppEnv>): Promise<Response> => {
  const auth = await authOf(c);
  const body = CodeRequest.safeParse(await readJson(c.req.raw));
  if (!body.success) throw new AppError(400, "email: use an address such as ann@example.com.");
  const { email } = body.data;
  await countOrRefuse(c, codesByAddress(addressOf(c.req.raw)));
  const isAllowed = isAllowedEmail(c.env, email);
  await countOrRefuse(c, [...codesByEmail(email), ...(isAllowed ? mailsOfAll(c.env) : mailsOfNobody())]);
  const code = await auth.api.createVerificationOTP({ body: { email, type: "sign-in" } });
  // Answered as everybody is, behind the same work but the mail: the list is nobody's to read off the answers.
  if (!isAllowed) return c.json({ success: true });
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
  await countOrRefuse(c, triesByAddress(addressOf(c.req.raw)));
  // Also for what no code and no e-mail can be: the answer is as for any other wrong one.
  if (!body.success || !isAllowedEmail(c.env, body.data.email)) {
    throw new AppError(400, WRONG_CODE, { "X-Error-Code": "INVALID_OTP" });
  }
  const db = openDb(c.env.DB);
  const owner = OwnerEmail.parse(body.data.email);
  const startedMs = Date.now();
  const isOpen = await isAccountOpen(c.env, await findDeletion(db, owner), startedMs);
  const answer = await forward(c, auth, new Request(c.req.raw, { body: JSON.stringify(body.data) }));
  if (isOpen) {
    c.executionCtx.waitUntil(tellIfNew(c, owner, startedMs));
    return answer;
  }
  // Said to nobody but the person, who had the code.
  await removeLogins(db, owner);
  throw new AppError(409, "This account is being deleted. Sign in again in a few minutes for a new one.");
};

/** Behind the answer, and never its failure: the person is signed in either way. On this machine there is nobody to tell. */
const tellIfNew = async (c: Context<AppEnv>, owner: OwnerEmail, startedMs: number): Promise<void> => {
  if (isLoopback(c.req.url)) return;
  try {
    if (!(await isNewDevice(openDb(c.env.DB), owner, startedMs))) return;
    await countOrRefuse(c, mailsOfAll(c.env));
    await tellOfDevice(c.env, owner, startedMs, new URL(c.req.url).origin);
  } catch (error) {
    const { requestId } = c.var;
    console.warn(JSON.stringify({ level: "warn", message: "No mail of a sign-in.", requestId, error: String(error) }));
  }
};
