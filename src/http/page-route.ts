/** What the asset server does not find: the app's own addresses get its page, everything else is a true 404. */
import type { Context, Hono } from "hono";
import { AppError } from "../contract/app-error.ts";
import type { AppEnv } from "./app-env.ts";

/** Mounts the page of a thread. The fixed addresses are files. */
export const mountPageRoute = (app: Hono<AppEnv>): void => {
  app.get("/t/:threadId", async (c) => await appPage(c, 200));
};

/**
 * For an address without a route: a person gets the app, which says so in its own look, with status 404.
 *
 * @throws {AppError} 404 to anything that does not ask for a page.
 */
export const answerUnknown = async (c: Context<AppEnv>): Promise<Response> => {
  const { pathname } = new URL(c.req.url);
  const isPage = c.req.method === "GET" && (c.req.header("accept") ?? "").includes("text/html");
  if (!isPage || OWN_ROUTES.test(pathname)) throw new AppError(404, "Not found.");
  return await appPage(c, 404);
};

/** Below these only programs ask, whatever they accept; and a script or style that is gone must not become a page. */
const OWN_ROUTES = /^\/(_framework|api|assets)(\/|$)/;

const appPage = async (c: Context<AppEnv>, status: 200 | 404): Promise<Response> => {
  const page = await c.env.ASSETS.fetch(new URL("/", c.req.url));
  return new Response(page.body, { status, headers: page.headers });
};
