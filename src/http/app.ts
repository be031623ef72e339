/** Builds the app: what every answer carries, the routers in the order of the data flow, and what no route answers. */
import { Hono } from "hono";
import { mountAccountRoutes } from "./account-route.ts";
import { mountActionRoutes } from "./actions-route.ts";
import type { AppEnv } from "./app-env.ts";
import { mountAuthRoutes } from "./auth-route.ts";
import { renderError } from "./errors.ts";
import { requireFront } from "./front-check.ts";
import { mountHealthRoute } from "./health-route.ts";
import { mountModelsRoute } from "./models-route.ts";
import { answerUnknown, mountPageRoute } from "./page-route.ts";
import { mountPermissionRoutes } from "./permission-routes.ts";
import { logRequest } from "./request-log.ts";
import { mountRuleRoutes } from "./rule-routes.ts";
import { mountRunRoutes } from "./run-routes.ts";
import { setAnswerHeaders } from "./security-headers.ts";
import { mountSessionRoute } from "./session-route.ts";
import { mountThreadRoutes } from "./thread-routes.ts";
import { mountTurnRoute } from "./turn-route.ts";

/** The Worker's app. */
export const createApp = (): Hono<AppEnv> => {
  const app = new Hono<AppEnv>();
  app.use(async (c, next) => {
    c.set("requestId", crypto.randomUUID());
    await next();
  });
  app.use(logRequest, setAnswerHeaders, requireFront);
  mountHealthRoute(app);
  mountAuthRoutes(app);
  mountAccountRoutes(app);
  mountSessionRoute(app);
  mountModelsRoute(app);
  mountActionRoutes(app);
  mountTurnRoute(app);
  mountRunRoutes(app);
  mountPermissionRoutes(app);
  mountThreadRoutes(app);
  mountRuleRoutes(app);
  mountPageRoute(app);
  app.notFound(async (c) => await answerUnknown(c).catch((error: unknown) => renderError(error, c)));
  app.onError(renderError);
  return app;
};
