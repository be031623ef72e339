/**
 * Before a log-in of a deployed Worker may allow its first command, it must enter a code that was mailed for it (api.md §1,
 * error codes). Under the dev command on this machine nobody is asked: whoever is there has a shell anyway.
 */

import type { Context, Hono } from "hono";
import * as z from "zod";
import { findAuthSecret } from "../auth/auth-secret.ts";
import { addressOf, freshCodesBy, mailsOfAll, triesByAddress } from "../auth/count-attempts.ts";
import { findLogin } from "../auth/find-login.ts";
import { enterFreshCode, forgetFreshCode, isCodeUnderWay, makeFreshCode } from "../auth/fresh-code.ts";
import { sendFreshCode } from "../auth/send-mail.ts";
import { AppError, errorCode, signInFirst } from "../contract/app-error.ts";
import { isLoopbackUrl } from "../contract/local/loopback.ts";
import type { PermissionAnswer } from "../contract/permission.ts";
import { openDb } from "../db/db.ts";
import { areLoginsConfirmed } from "../db/logins.ts";
import type { AppEnv } from "./app-env.ts";
import { codeNotSent, countOrRefuse, mountAuth, WRONG_CODE } from "./auth-forward.ts";
import { readJson } from "./body.ts";

/** Text of the 403. */
const ENTER_CODE = "Enter the code we sent you.";

const FreshCode = z.object({
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/),
});

/** Mounts `POST /_framework/auth/fresh-code`. */
export const mountFreshCode = (app: Hono<AppEnv>): void => {
  mountAuth(app, "POST", "fresh-code", async (c) => {
    const login = await findLogin(c.req.raw, c.env);
    if (login === undefined) throw signInFirst();
    const body = FreshCode.safeParse(await readJson(c.req.raw));
    await countOrRefuse(c, triesByAddress(addressOf(c.req.raw)));
    const { loginId } = login.caller;
    const isRight =
      body.success &&
      (await enterFreshCode(openDb(c.env.DB), findAuthSecret(c.env) ?? "", loginId, {
        code: body.data.code,
        nowMs: Date.now(),
      }));
    if (!isRight) throw new AppError(400, WRONG_CODE, errorCode("INVALID_OTP"));
    return c.json({ ok: true });
  });
};

/**
 * The log-in of a request that says something to a run, so that the run knows who has spoken to it: a standing rule runs no command
 * for somebody who could not allow one. Empty on this machine, where nobody is asked for a code.
 */
export const speakerOf = (c: Context<AppEnv>): { readonly loginId?: string } => {
  const { loginId } = c.var.caller;
  return loginId === undefined || isLoopbackUrl(c.req.url) ? {} : { loginId };
};

/**
 * Sends a code and refuses when an answer would allow this log-in's first command. `mayBeCommand`: whether the open request can
 * be a command. @throws {AppError} 403 until the code is entered, 429 for too many codes, 503 when none can be sent.
 */
export const requireFreshCode = async (
  c: Context<AppEnv>,
  { decision }: PermissionAnswer,
  mayBeCommand: () => Promise<boolean>,
): Promise<void> => {
  const { loginId } = speakerOf(c);
  if (decision === "reject" || loginId === undefined) return;
  if (!(await mayBeCommand())) return;
  const db = openDb(c.env.DB);
  if (await areLoginsConfirmed(db, [loginId])) return;
  if (!(await isCodeUnderWay(db, loginId, Date.now()))) {
    await countOrRefuse(c, [...freshCodesBy(loginId), ...mailsOfAll(c.env)]);
    const nowMs = Date.now();
    const made = await makeFreshCode(db, findAuthSecret(c.env) ?? "", loginId, nowMs);
    if (made !== undefined)
      await sendFreshCode(c.env, c.var.caller.ownerEmail, made.code).catch(async (error: unknown) => {
        await forgetFreshCode(db, loginId, nowMs, made);
        throw codeNotSent(c, error);
      });
  }
  throw new AppError(403, ENTER_CODE, errorCode("fresh_code"));
};
