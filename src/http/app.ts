/**
 * Builds the app: what every response carries, the routers in the order of the data flow, the app's page for its own addresses, and a real
 * 404 for every other address.
 */

import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { AppError } from "../contract/app-error.ts";
import { FRONT_HEADER, isOfFront } from "../contract/local/front-header.ts";
import { isLoopbackUrl } from "../contract/local/loopback.ts";
import type { AppEnv } from "./app-env.ts";
import { renderError } from "./errors.ts";
import { logRequest } from "./request-log.ts";
import { refuseOtherMethods } from "./route.ts";
import { mountAccountRoutes, mountSessionRoute } from "./routes/account-route.ts";
import { mountActionRoutes } from "./routes/actions-route.ts";
import { mountAuthRoutes } from "./routes/auth-route.ts";
import { mountHealthRoute } from "./routes/health-route.ts";
import { mountPushRoutes, mountUnsubscribeRoute } from "./routes/notice-routes.ts";
import { mountPermissionRoutes, mountRuleRoutes } from "./routes/permission-routes.ts";
import { mountQuestionRoutes } from "./routes/question-routes.ts";
import { mountRunRoutes, mountSteerRoute, mountUndoRoute } from "./routes/run-routes.ts";
import { mountSettingsRoute } from "./routes/settings-route.ts";
import { mountBranchRoutes, mountThreadRoutes } from "./routes/thread-routes.ts";
import { mountModelsRoute, mountTurnRoute } from "./routes/turn-route.ts";

const THREAD_PAGE = "/t/:threadId";

/** Mounts the page of a thread. The fixed addresses are served as files. */
const mountPageRoute = (app: Hono<AppEnv>): void => {
  app.get(THREAD_PAGE, async (c) => await appPage(c, 200));
  refuseOtherMethods(app, THREAD_PAGE, ["GET"]);
};

/**
 * Answers an address without a route: a person gets the app, which shows its own message, with status 404.
 *
 * @throws {AppError} 404 for requests that do not accept a page.
 */
const answerUnknown = async (c: Context<AppEnv>): Promise<Response> => {
  const { pathname } = new URL(c.req.url);
  const isPage = c.req.method === "GET" && (c.req.header("accept") ?? "").includes("text/html");
  if (!isPage || OWN_ROUTES.test(pathname)) throw new AppError(404, "Not found.");
  return await appPage(c, 404);
};

/** Only programs use these paths, whatever they accept; and a missing script or style must not be answered with a page. */
const OWN_ROUTES = /^\/(_framework|api|assets)(\/|$)/;

const appPage = async (c: Context<AppEnv>, status: 200 | 404): Promise<Response> => {
  const page = await c.env.ASSETS.fetch(new URL("/", c.req.url));
  return new Response(page.body, { status, headers: page.headers });
};

const REFUSED = "This port is internal to wrangler. Use the address that npm run dev printed.";

/**
 * Refuses, with 403, a request without the secret of this start. Under `npm run dev` only requests through the dev command's own
 * listener are answered, because wrangler's port is open as well. Without such a listener it has no effect.
 */
const requireFront = createMiddleware<AppEnv>(async (c, next) => {
  if (!isOfFront(c.req.header(FRONT_HEADER), c.env.FRONT_SECRET)) throw new AppError(403, REFUSED);
  await next();
});

/** Refuses, with 403, what came over the network unencrypted: a code or a log-in in it can be read on the way. */
const requireEncryption = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.url.startsWith("http:") && !isLoopbackUrl(c.req.url)) {
    throw new AppError(403, "Open this address with https.");
  }
  await next();
});

/** For responses that are data: nothing in them may run, load, be framed, be cached, or be used by another site's page. */
const DATA_HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
} as const;

/** One year, for this host alone: subdomains may serve other things of its owner. */
const HSTS = "max-age=31536000";

/**
 * Sets the request's id and the headers above on every response of the Worker. Files get the same from `public/_headers`, and
 * pages that the Worker passes on keep theirs. A header that the response already has is kept: an event stream sets its own
 * caching.
 */
const setAnswerHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  // Through Hono first: it replaces a response whose headers are immutable, such as a redirect, by one whose headers are not.
  c.header("X-Request-Id", c.var.requestId);
  const { headers } = c.res;
  for (const [name, value] of Object.entries(DATA_HEADERS)) {
    if (!headers.has(name)) headers.set(name, value);
  }
  if (!isLoopbackUrl(c.req.url)) headers.set("Strict-Transport-Security", HSTS);
});

/** The Worker's app. */
export const createApp = (): Hono<AppEnv> => {
  const app = new Hono<AppEnv>();
  app.use(async (c, next) => {
    c.set("requestId", crypto.randomUUID());
    await next();
  });
  app.use(logRequest, setAnswerHeaders, requireFront, requireEncryption);
  mountHealthRoute(app);
  mountAuthRoutes(app);
  mountAccountRoutes(app);
  mountSessionRoute(app);
  mountSettingsRoute(app);
  mountModelsRoute(app);
  mountPushRoutes(app);
  mountUnsubscribeRoute(app);
  mountActionRoutes(app);
  mountTurnRoute(app);
  mountRunRoutes(app);
  mountSteerRoute(app);
  mountPermissionRoutes(app);
  mountUndoRoute(app);
  mountQuestionRoutes(app);
  mountThreadRoutes(app);
  mountBranchRoutes(app);
  mountRuleRoutes(app);
  mountPageRoute(app);
  app.notFound(async (c) => await answerUnknown(c).catch((error: unknown) => renderError(error, c)));
  app.onError(renderError);
  return app;
};
