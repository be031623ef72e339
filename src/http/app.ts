/** Builds the app: what every answer carries, the routers in the order of the data flow, and what no route answers. */
import { Hono } from "hono";
import { AppError } from "../contract/app-error.ts";
import { mountActionRoutes } from "./actions-route.ts";
import type { AppEnv, ResolveCaller } from "./app-env.ts";
import { renderError } from "./errors.ts";
import { mountHealthRoute } from "./health-route.ts";
import { mountPermissionRoutes } from "./permission-routes.ts";
import { mountRuleRoutes } from "./rule-routes.ts";
import { mountRunRoutes } from "./run-routes.ts";
import { mountSessionRoute } from "./session-route.ts";
import { mountThreadRoutes } from "./thread-routes.ts";
import { mountTurnRoute } from "./turn-route.ts";

/** The Worker's app. `resolveCaller` says who calls; it is the one thing a test may exchange. */
export const createApp = (deps: { resolveCaller: ResolveCaller }): Hono<AppEnv> => {
  const app = new Hono<AppEnv>();
  app.use(async (c, next) => {
    c.set("requestId", crypto.randomUUID());
    c.set("resolveCaller", deps.resolveCaller);
    await next();
    c.header("X-Request-Id", c.var.requestId);
    c.header("X-Content-Type-Options", "nosniff");
  });
  mountHealthRoute(app);
  mountSessionRoute(app);
  mountActionRoutes(app);
  mountTurnRoute(app);
  mountRunRoutes(app);
  mountPermissionRoutes(app);
  mountThreadRoutes(app);
  mountRuleRoutes(app);
  app.notFound((c) => renderError(new AppError(404, "Not found."), c));
  app.onError(renderError);
  return app;
};
