/** A person's account as a whole: its export as one file, and its deletion. And the session route: who is signed in. */
import type { Context, Hono } from "hono";
import * as z from "zod";
import { continueDeletion, logCutOff } from "../../account/delete-account.ts";
import { exportAccount } from "../../account/export-account.ts";
import { exportsOf } from "../../auth/count-attempts.ts";
import { cookiesOfNobody } from "../../auth/find-login.ts";
import { requestDeletion } from "../../auth/sign-in-rows.ts";
import { AppError } from "../../contract/app-error.ts";
import { openDb } from "../../db/db.ts";
import { parseSettings } from "../../settings.ts";
import type { AppEnv } from "../app-env.ts";
import { countOrRefuse } from "../auth-forward.ts";
import { readJson } from "../body.ts";
import { isAuthDisabled } from "../caller.ts";
import { refuseCrossSite } from "../cross-site.ts";
import { limitChange } from "../rate-limit.ts";
import { assertLiveLogin, limitedRead, route } from "../route.ts";

export const mountAccountRoutes = (app: Hono<AppEnv>): void => {
  // An export costs much, and a page of another site could start one over and over, though it cannot read it. Other reads cost little.
  app.get("/_framework/account/export", refuseCrossSite);
  route(app, "/_framework/account/export", { GET: limitedRead(assertLiveLogin, download) });
  route(app, "/_framework/account", { DELETE: remove });
};

const download = async (c: Context<AppEnv>): Promise<Response> => {
  // It is a read, but of everything, so it counts as a change.
  await limitChange(c);
  const { ownerEmail, loginId } = c.var.caller;
  await countOrRefuse(c, exportsOf(ownerEmail));
  const day = new Date().toISOString().slice(0, 10);
  return new Response(exportAccount(c.env, ownerEmail, new Date(), loginId), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="tally-${day}.json"`,
    },
  });
};

const Confirmation = z.object({ email: z.string().trim().toLowerCase() });

const remove = async (c: Context<AppEnv>): Promise<Response> => {
  const { ownerEmail, loginId } = c.var.caller;
  const body = Confirmation.safeParse(await readJson(c.req.raw));
  if (!body.success || body.data.email !== ownerEmail) {
    throw new AppError(400, "email: type the address you are signed in with, to confirm.");
  }
  if (loginId === undefined) throw new AppError(409, "Sign-in is off here, so there is no account to delete.");
  const requestedAtMs = Date.now();
  await requestDeletion(openDb(c.env.DB), ownerEmail, requestedAtMs);
  // The request is stored: the cron finishes what this does not.
  const deletion = { ownerEmail, requestedAtMs };
  c.executionCtx.waitUntil(
    continueDeletion(c.env, deletion, requestedAtMs).catch((error: unknown) => logCutOff(deletion, error)),
  );
  for (const cookie of await cookiesOfNobody(c.req.raw, c.env)) c.header("Set-Cookie", cookie, { append: true });
  return c.json({ ok: true });
};

export const mountSessionRoute = (app: Hono<AppEnv>): void => {
  route(app, "/_framework/session", {
    GET: (c) => {
      const { ownerEmail: email, orgId, loginId } = c.var.caller;
      return c.json({
        ...{ email, orgId, authDisabled: loginId === undefined && isAuthDisabled(c.env) },
        // The app's pages on plain HTTP ask for this field.
        ...(parseSettings(c.env).SERVICE_WORKER && { serviceWorker: true }),
      });
    },
  });
};
