/**
 * What every answer of the Worker tells a browser. Files have the same from `public/_headers`; the pages among them that
 * the Worker passes on keep what they come with.
 */
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "./app-env.ts";
import { isLoopback } from "./loopback.ts";

/** For answers that are data: nothing in them may run, load, be framed, be kept, or be used by another site's page. */
const DATA_HEADERS = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
} as const;

/** One year, this host alone: what else its owner runs below it is not ours to decide. */
const HSTS = "max-age=31536000";

/** Sets the request's id and the headers above. One that the answer has already stays: an event stream's caching does. */
export const setAnswerHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  // Through Hono first: it makes an answer whose headers cannot be changed, such as a redirect, into one whose can.
  c.header("X-Request-Id", c.var.requestId);
  const { headers } = c.res;
  for (const [name, value] of Object.entries(DATA_HEADERS)) {
    if (!headers.has(name)) headers.set(name, value);
  }
  if (!isLoopback(c.req.url)) headers.set("Strict-Transport-Security", HSTS);
});
