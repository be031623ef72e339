/** Request bodies: size and time are limited while they are read, and only JSON is accepted (api.md §1). */
import { zValidator } from "@hono/zod-validator";
import type { MiddlewareHandler } from "hono";
import { createMiddleware } from "hono/factory";
import type { z } from "zod";
import { AppError } from "../contract/app-error.ts";
import { describeProblems } from "../contract/describe-problems.ts";
import { parseJson } from "../contract/parse-json.ts";
import type { AppEnv } from "./app-env.ts";
import { type BodyLimits, readBody, skipBody } from "./read-body.ts";

/** Largest body, in bytes: 100 stocks with full notes are about half of it. Longest time, in ms: 1 MB at 17 KB a second. */
const LIMITS: BodyLimits = { maxBytes: 1_000_000, maxMs: 60_000 };

const TOO_LARGE = "Request is too large.";

const TOO_SLOW = "The request took too long to arrive. Send it again.";

/**
 * Reads the body, so that everything after this middleware finds it whole. While the body is still arriving, refuses one that is
 * too large with 413 and one that is too slow with 408; `check` runs before either refusal.
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
      const headers = new Headers(request.headers);
      // A chunked body that turns out to be empty counts as no body.
      if (body.byteLength === 0) headers.set("content-length", "0");
      c.req.raw = new Request(request, { body, headers });
    }
    await next();
  });

const refuseUnread = async (body: ReadableStream<Uint8Array>): Promise<"too_large"> => {
  await skipBody(body).catch(() => undefined);
  return "too_large";
};

/** Refuses a larger body with 413 while it is still arriving, and one that is too slow with 408. */
export const limitBody = limitBodyTo(LIMITS, () => {});

/** The same, for a route on which another check comes before the 413. */
export const limitBodyAfter = (check: (request: Request) => void): MiddlewareHandler<AppEnv> =>
  limitBodyTo(LIMITS, check);

/** Whether a request declares its body as JSON; parameters such as `charset` are allowed. */
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
    return parseJson(text);
  } catch {
    throw new AppError(400, "body: send valid JSON.");
  }
};

/** The body as JSON; `undefined` when there is none or it is not JSON, which the turn start treats as empty (api.md §1). */
export const readJsonOrNothing = async (request: Request): Promise<unknown> => {
  try {
    return await request.json();
  } catch {
    return undefined;
  }
};

/** A POST without a body may still have a stream when it says `Content-Length: 0`. */
const hasBody = (request: Request): boolean => request.body !== null && request.headers.get("content-length") !== "0";

/**
 * Middleware that puts the parsed body in `c.req.valid("json")`. `refusal` words what is wrong with the body, unless only unknown fields
 * are: they have words of their own.
 */
export const jsonBody = <Schema extends z.ZodType>(schema: Schema, refusal: (issues: z.core.$ZodIssue[]) => AppError) =>
  zValidator("json", schema, (result) => {
    if (result.success) return;
    const { issues } = result.error;
    const isOnlyUnknown = issues.every(({ code }) => code === "unrecognized_keys");
    throw isOnlyUnknown ? new AppError(400, describeProblems(issues, "body")) : refusal(issues);
  });
