/** `GET /_framework/session`: who is signed in, for the app's account menu. */
import type { Hono } from "hono";
import type { AppEnv } from "./app-env.ts";
import { isAuthDisabled } from "./caller.ts";
import { route } from "./route.ts";

/** Mounts the route. */
export const mountSessionRoute = (app: Hono<AppEnv>): void => {
  route(app, "/_framework/session", {
    GET: (c) => {
      const { ownerEmail: email, orgId, loginId } = c.var.caller;
      return c.json({ email, orgId, authDisabled: loginId === undefined && isAuthDisabled(c.env) });
    },
  });
};
