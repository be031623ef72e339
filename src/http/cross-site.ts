/** Refuses state changes that a page of another site makes a browser send (api.md §1). */
import { createMiddleware } from "hono/factory";
import { AppError } from "../contract/app-error.ts";
import type { AppEnv } from "./app-env.ts";

const REFUSED = "Cross-site requests are refused.";

/** Whether the browser says, in `Sec-Fetch-Site` or `Origin`, that the request comes from another origin. */
const isCrossSite = (request: Request): boolean => {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin" && site !== "none") return true;
  const origin = request.headers.get("origin");
  return origin !== null && hostOf(origin) !== (request.headers.get("host") ?? new URL(request.url).host);
};

/** @throws {AppError} 403 for a cross-site request. */
export const assertSameSite = (request: Request): void => {
  if (isCrossSite(request)) throw new AppError(403, REFUSED);
};

/** Refuses a cross-site request with 403. Comes before the handler of every method that changes something. */
export const refuseCrossSite = createMiddleware<AppEnv>(async (c, next) => {
  assertSameSite(c.req.raw);
  await next();
});

/** Host and port of an origin; the opaque origin `null` and anything unreadable have none. */
const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);
