/** Bodies: counted and timed while they are read, JSON only (CONTRACT §1). */
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import { AppError } from "../contract/app-error.ts";
import type { AppEnv } from "./app-env.ts";
import { type BodyLimits, readBody, skipBody } from "./read-body.ts";

/** Largest body, in bytes: 100 stocks with full notes are about half of it. Slowest, in ms: 1 MB at 17 KB a second. */
const LIMITS: BodyLimits = { maxBytes: 1_000_000, maxMs: 60_000 };

const TOO_LARGE = "Request is too large.";
const TOO_SLOW = "The request took too long to arrive. Send it again.";

/**
 * Reads the body, so that all behind it finds it whole. Refuses one that is too large with 413 and one that dawdles with
 * 408, while it is still coming in; `check` comes before either.
 */
const limitBodyTo = (limits: BodyLimits, check: (request: Request) => void): MiddlewareHandler<AppEnv> =>
  createMiddleware<AppEnv>(async (c, next) => {
    const request = c.req.raw;
    if (request.body !== null) {
      const isTooLarge = Number(request.headers.get("content-length")) > limits.maxBytes;
      const body = isTooLarge ? await refuseUnread(request.body) : await readBody(request.body, limits);
      if (typeof body === "string") check(request);
      if (body === "too_large") throw new AppError(413, TOO_LARGE);
      if (body === "too_slow") throw new AppError(408, TOO_SLOW);
      c.req.raw = new Request(request, { body });
    }
    await next();
  });

const refuseUnread = async (body: ReadableStream<Uint8Array>): Promise<"too_large"> => {
  await skipBody(body).catch(() => undefined);
  return "too_large";
};

/** Refuses a larger body with 413 while it is still coming in, and one that dawdles with 408. */
export const limitBody = limitBodyTo(LIMITS, () => {});

/** The same, for a route on which another check comes before the 413. */
export const limitBodyAfter = (check: (request: Request) => void): MiddlewareHandler<AppEnv> =>
  limitBodyTo(LIMITS, check);

/** Whether a request says that its body is JSON; parameters such as `charset` are allowed. */
export const isJson = (request: Request): boolean =>
  request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() === "application/json";

/** Refuses a body of another media type with 415. A request without a body passes. */
export const requireJson = createMiddleware<AppEnv>(async (c, next) => {
  if (hasBody(c.req.raw) && !isJson(c.req.raw)) throw new AppError(415, "Send JSON.");
  await next();
});

/** The body as JSON; `undefined` when there is none. @throws {AppError} 400 when it is not JSON. */
export const readJson = async (request: Request): Promise<unknown> => {
  const text = await request.text();
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError(400, "body: send valid JSON.");
  }
};

/** The body as JSON; `undefined` also when it is not JSON: the turn start reads that as empty (spec §2). */
export const readJsonOrNothing = async (request: Request): Promise<unknown> => {
  try {
    return await request.json();
  } catch {
    return undefined;
  }
};

/** A POST without a body may still come with a stream, when it says `Content-Length: 0`. */
const hasBody = (request: Request): boolean => request.body !== null && request.headers.get("content-length") !== "0";
